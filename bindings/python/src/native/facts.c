// SPDX-License-Identifier: MIT
/* Settings of the process, facts about its sources and its processor, and names. */
#include "native.h"

/* ---- Settings ------------------------------------------------------------------------------------------ */

static PyObject *set_default_source(PyObject *module, PyObject *arg)
{
	PyThreadState *thread;
	uint32_t source;
	int code;

	(void)module;
	if (!to_uint32(arg, &source))
		return NULL;
	thread = PyEval_SaveThread();
	code = hpt_clock_set_default_source(source, 0);
	PyEval_RestoreThread(thread);
	return none_or_raise(code);
}

static PyObject *set_policy(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
	uint32_t policy;
	int64_t max_spin_ns;

	(void)module;
	if (!arity("set_policy", n, 2) || !to_uint32(args[0], &policy) || !to_int64(args[1], &max_spin_ns))
		return NULL;
	return none_or_raise(hpt_sleep_set_policy(policy, max_spin_ns));
}

static PyObject *set_slice_ns(PyObject *module, PyObject *arg)
{
	int64_t ns;

	(void)module;
	return to_int64(arg, &ns) ? none_or_raise(hpt_thread_set_slice_ns(ns)) : NULL;
}

static PyObject *low_latency_open(PyObject *module, PyObject *arg)
{
	PyThreadState *thread;
	int32_t max_us;
	int code;

	(void)module;
	if (!to_int32(arg, &max_us))
		return NULL;
	thread = PyEval_SaveThread();
	code = hpt_low_latency_open(max_us);
	PyEval_RestoreThread(thread);
	return int64_or_raise(code, code);
}

/* ---- Facts --------------------------------------------------------------------------------------------- */

static PyObject *sleep_info(PyObject *module, PyObject *unused)
{
	struct hpt_sleep_info info;
	int code = hpt_sleep_get_info(&info, HPT_SLEEP_INFO_SIZE_V0);

	(void)module;
	(void)unused;
	return bytes_or_raise(code, &info, HPT_SLEEP_INFO_SIZE_V0);
}

static PyObject *source_info(PyObject *module, PyObject *arg)
{
	struct hpt_source_info info;
	uint32_t source;
	int code;

	(void)module;
	if (!to_uint32(arg, &source))
		return NULL;
	code = hpt_source_get_info(source, &info, HPT_SOURCE_INFO_SIZE_V0);
	return bytes_or_raise(code, &info, HPT_SOURCE_INFO_SIZE_V0);
}

static PyObject *cpu_info(PyObject *module, PyObject *unused)
{
	struct hpt_cpu_info info;
	PyThreadState *thread = PyEval_SaveThread();
	int code = hpt_cpu_get_info(&info, HPT_CPU_INFO_SIZE_V0);

	(void)module;
	(void)unused;
	PyEval_RestoreThread(thread);
	return bytes_or_raise(code, &info, HPT_CPU_INFO_SIZE_V0);
}

static PyObject *kernel_hz(PyObject *module, PyObject *unused)
{
	(void)module;
	(void)unused;
	return PyLong_FromUnsignedLong(hpt_kernel_hz());
}

/* ---- Names --------------------------------------------------------------------------------------------- */

static PyObject *name(PyObject *arg, const char *(*f)(uint32_t))
{
	uint32_t value;

	return to_uint32(arg, &value) ? PyUnicode_FromString(f(value)) : NULL;
}

static PyObject *source_name(PyObject *module, PyObject *arg)
{
	(void)module;
	return name(arg, hpt_source_name);
}

static PyObject *wall_reason_text(PyObject *module, PyObject *arg)
{
	(void)module;
	return name(arg, hpt_wall_reason_text);
}

static PyObject *state_name(PyObject *module, PyObject *arg)
{
	(void)module;
	return name(arg, hpt_state_name);
}

static PyObject *stage_name(PyObject *module, PyObject *arg)
{
	(void)module;
	return name(arg, hpt_stage_name);
}

static PyObject *origin_name(PyObject *module, PyObject *arg)
{
	(void)module;
	return name(arg, hpt_origin_name);
}

static PyObject *reason_text(PyObject *module, PyObject *arg)
{
	(void)module;
	return name(arg, hpt_reason_text);
}

static PyObject *source_parse(PyObject *module, PyObject *arg)
{
	const char *text = to_text(arg);
	uint32_t source;
	int code;

	(void)module;
	if (!text)
		return NULL;
	code = hpt_source_parse(text, &source);
	if (code < 0)
		return raise_code(code, "no source has that name");
	return PyLong_FromUnsignedLong(source);
}

static PyObject *version(PyObject *module, PyObject *unused)
{
	(void)module;
	(void)unused;
	return PyUnicode_FromString(hpt_version());
}

static PyObject *version_number(PyObject *module, PyObject *unused)
{
	(void)module;
	(void)unused;
	return PyLong_FromUnsignedLong(hpt_version_number());
}

/* ---- Table --------------------------------------------------------------------------------------------- */

static PyMethodDef functions[] = {
	{ "set_default_source", set_default_source, METH_O, "set_default_source($module, source, /)\n--\n\n"
	  "Choose the default clock's source before its first use." },
	{ "set_policy", FUNCTION(set_policy), METH_FASTCALL, "set_policy($module, policy, max_spin_ns, /)\n--\n\n"
	  "Set the policy of all sleeps of the process." },
	{ "set_slice_ns", set_slice_ns, METH_O, "set_slice_ns($module, ns, /)\n--\n\n"
	  "Set the calling thread's time slice; 0: the kernel's own." },
	{ "low_latency_open", low_latency_open, METH_O, "low_latency_open($module, max_us, /)\n--\n\n"
	  "Keep all CPUs out of idle states that take longer to leave, while the returned descriptor is open." },
	{ "sleep_info", sleep_info, METH_NOARGS, "sleep_info($module, /)\n--\n\n"
	  "The bytes of struct hpt_sleep_info of the calling thread." },
	{ "source_info", source_info, METH_O, "source_info($module, source, /)\n--\n\n"
	  "The bytes of struct hpt_source_info." },
	{ "cpu_info", cpu_info, METH_NOARGS, "cpu_info($module, /)\n--\n\n"
	  "The bytes of struct hpt_cpu_info. Releases the GIL." },
	{ "kernel_hz", kernel_hz, METH_NOARGS, "kernel_hz($module, /)\n--\n\n"
	  "The kernel's timer frequency in hertz; 0 if unknown." },
	{ "source_name", source_name, METH_O, "source_name($module, source, /)\n--\n\nThe name of a source." },
	{ "state_name", state_name, METH_O, "state_name($module, state, /)\n--\n\nThe name of a clock's state." },
	{ "stage_name", stage_name, METH_O, "stage_name($module, stage, /)\n--\n\nThe name of a source's stage." },
	{ "origin_name", origin_name, METH_O, "origin_name($module, origin, /)\n--\n\n"
	  "The name of where a rate comes from." },
	{ "reason_text", reason_text, METH_O, "reason_text($module, reason, /)\n--\n\n"
	  "The sentence that belongs to a reason." },
	{ "wall_reason_text", wall_reason_text, METH_O, "wall_reason_text($module, reason, /)\n--\n\n"
	  "The sentence that belongs to a reason of a wall's source." },
	{ "source_parse", source_parse, METH_O, "source_parse($module, name, /)\n--\n\nThe source of a name." },
	{ "version", version, METH_NOARGS, "version($module, /)\n--\n\nThe version of the library that runs." },
	{ "version_number", version_number, METH_NOARGS, "version_number($module, /)\n--\n\n"
	  "The version of the library that runs, as 10000 * major + 100 * minor + patch." },
	{ NULL, NULL, 0, NULL },
};

int facts_add(PyObject *module)
{
	return PyModule_AddFunctions(module, functions);
}
