// SPDX-License-Identifier: MIT
/* Clock: one source of ticks. */
#include "native.h"

#include <errno.h>
#include <string.h>

static void clock_free(void *c)
{
	hpt_clock_close(c);
}

static const struct kind kind = { "clock", sleepers_interrupt, clock_free, NULL, -ECANCELED };

/* ---- Make ---------------------------------------------------------------------------------------------- */

static PyObject *clock_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
	(void)args;
	(void)kwargs;
	return object_new(type, &kind);
}

static int open_source(uint32_t source, hpt_clock **ret)
{
	PyThreadState *thread = PyEval_SaveThread();
	int code = hpt_clock_open(source, 0, ret);

	PyEval_RestoreThread(thread);
	return code;
}

static int clock_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *names[] = { "source", NULL };
	PyObject *source = Py_None;
	uint32_t number;
	hpt_clock *clk;
	int code;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O:Clock", names, &source))
		return -1;
	if (source == Py_None)
		return object_open(self, hpt_clock_default(), true);
	if (!to_uint32(source, &number))
		return -1;
	code = open_source(number, &clk);
	if (code < 0)
		return raise_code(code, "no such source, or HPT_MMIO does not describe the counter"), -1;
	return object_open(self, clk, false);
}

/* An object of a type or a type derived from it, as the type's tp_new makes it. */
static PyObject *around(PyTypeObject *type, hpt_clock *clk, bool lasting)
{
	PyObject *self = object_new(type, &kind);

	if (!self)
		return hpt_clock_close(clk), NULL;
	(void)object_open(self, clk, lasting); /* cannot fail: the object is new */
	return self;
}

/* Of the base type, because a derived one may need more than its tp_new does. */
static PyObject *clock_ref(PyObject *self, PyObject *unused)
{
	PyTypeObject *type = clock_type(self);
	hpt_clock *clk;

	(void)unused;
	if (!type)
		return NULL;
	clk = object_enter(self);
	if (!clk)
		return NULL;
	clk = hpt_clock_ref(clk);
	object_leave(self);
	return around(type, clk, object_lasts(self));
}

static PyObject *clock_manual(PyObject *type, PyObject *args, PyObject *kwargs)
{
	static char *names[] = { "frequency_hz", "start", NULL };
	uint64_t frequency_hz;
	int64_t start = 0;
	hpt_clock *clk;
	int code;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O&|O&:manual", names, to_uint64, &frequency_hz, to_int64,
					 &start))
		return NULL;
	code = hpt_clock_new_manual(frequency_hz, start, 0, &clk);
	if (code == -EINVAL)
		return raise_code(code, "the frequency is not from 1 to 10**10 hertz");
	return code < 0 ? raise_code(code, NULL) : around((PyTypeObject *)type, clk, false);
}

static bool to_mmio(PyObject *o, struct hpt_mmio *ret)
{
	Py_buffer view;
	bool fits;

	if (PyObject_GetBuffer(o, &view, PyBUF_SIMPLE) < 0)
		return false;
	fits = view.len == HPT_MMIO_SIZE_V0;
	if (fits)
		memcpy(ret, view.buf, HPT_MMIO_SIZE_V0);
	PyBuffer_Release(&view);
	if (!fits)
		PyErr_Format(PyExc_ValueError, "struct hpt_mmio has %d bytes", (int)HPT_MMIO_SIZE_V0);
	return fits;
}

static PyObject *clock_mmio(PyObject *type, PyObject *arg)
{
	struct hpt_mmio mmio;
	PyThreadState *thread;
	hpt_clock *clk;
	int code;

	if (!to_mmio(arg, &mmio))
		return NULL;
	thread = PyEval_SaveThread();
	code = hpt_clock_open_mmio(&mmio, HPT_MMIO_SIZE_V0, 0, &clk);
	PyEval_RestoreThread(thread);
	if (code < 0)
		return raise_code(code, "a member of struct hpt_mmio has no valid value");
	return around((PyTypeObject *)type, clk, false);
}

/* ---- As the default ------------------------------------------------------------------------------------ */

static PyObject *clock_set_default(PyObject *self, PyObject *unused)
{
	hpt_clock *clk = object_enter(self);
	int code;

	(void)unused;
	if (!clk)
		return NULL;
	code = hpt_clock_set_default(clk, 0);
	object_leave(self);
	return none_or_raise(code);
}

/* ---- As an argument of other constructors -------------------------------------------------------------- */

bool clock_use(PyObject *self, PyObject *clock, struct clock_use *ret)
{
	PyTypeObject *type;

	*ret = (struct clock_use){ NULL, NULL };
	if (clock == Py_None)
		return true;
	type = clock_type(self);
	if (!type)
		return false;
	if (!PyObject_TypeCheck(clock, type)) {
		PyErr_SetString(PyExc_TypeError, "clock is not a Clock or None");
		return false;
	}
	ret->object = clock;
	ret->clk = object_enter(clock);
	return ret->clk;
}

void clock_unuse(struct clock_use *u)
{
	if (u->object)
		object_leave(u->object);
}

/* ---- Reads --------------------------------------------------------------------------------------------- */

static PyObject *read_by(PyObject *self, int64_t (*f)(hpt_clock *))
{
	hpt_clock *clk = object_enter(self);
	int64_t time;

	if (!clk)
		return NULL;
	time = f(clk);
	object_leave(self);
	return PyLong_FromLongLong(time);
}

static PyObject *clock_now(PyObject *self, PyObject *unused)
{
	(void)unused;
	return read_by(self, hpt_now);
}

static PyObject *clock_now_unordered(PyObject *self, PyObject *unused)
{
	(void)unused;
	return read_by(self, hpt_now_unordered);
}

static PyObject *clock_now_ns(PyObject *self, PyObject *unused)
{
	(void)unused;
	return read_by(self, hpt_now_ns);
}

static PyObject *clock_now_ns_unordered(PyObject *self, PyObject *unused)
{
	(void)unused;
	return read_by(self, hpt_now_ns_unordered);
}

static PyObject *clock_unix_ns(PyObject *self, PyObject *unused)
{
	(void)unused;
	return read_by(self, hpt_now_unix_ns);
}

static PyObject *clock_monotonic_ns(PyObject *self, PyObject *unused)
{
	(void)unused;
	return read_by(self, hpt_now_monotonic_ns);
}

static PyObject *clock_boottime_ns(PyObject *self, PyObject *unused)
{
	(void)unused;
	return read_by(self, hpt_now_boottime_ns);
}

static PyObject *clock_tai_ns(PyObject *self, PyObject *unused)
{
	(void)unused;
	return read_by(self, hpt_now_tai_ns);
}

static PyObject *clock_min(PyObject *self, PyObject *unused)
{
	(void)unused;
	return read_by(self, hpt_time_min);
}

static PyObject *clock_max(PyObject *self, PyObject *unused)
{
	(void)unused;
	return read_by(self, hpt_time_max);
}

static PyObject *clock_now_cpu(PyObject *self, PyObject *unused)
{
	hpt_clock *clk = object_enter(self);
	uint32_t cpu = UINT32_MAX;
	int64_t tick;

	(void)unused;
	if (!clk)
		return NULL;
	tick = hpt_now_cpu(clk, &cpu);
	object_leave(self);
	if (cpu == UINT32_MAX)
		return Py_BuildValue("(LO)", (long long)tick, Py_None);
	return Py_BuildValue("(LI)", (long long)tick, (unsigned int)cpu);
}

/* ---- State and facts ----------------------------------------------------------------------------------- */

static PyObject *clock_generation(PyObject *self, PyObject *unused)
{
	hpt_clock *clk = object_enter(self);
	uint64_t generation;

	(void)unused;
	if (!clk)
		return NULL;
	generation = hpt_clock_generation(clk);
	object_leave(self);
	return PyLong_FromUnsignedLongLong(generation);
}

static PyObject *clock_check(PyObject *self, PyObject *unused)
{
	hpt_clock *clk = object_enter(self);
	PyThreadState *thread;
	uint64_t generation = 0;
	int state;

	(void)unused;
	if (!clk)
		return NULL;
	thread = PyEval_SaveThread();
	state = hpt_clock_check(clk, &generation);
	object_leave(self);
	PyEval_RestoreThread(thread);
	return Py_BuildValue("(iK)", state, (unsigned long long)generation);
}

static PyObject *clock_info(PyObject *self, PyObject *unused)
{
	struct hpt_clock_info info;
	hpt_clock *clk = object_enter(self);
	int code;

	(void)unused;
	if (!clk)
		return NULL;
	code = hpt_clock_get_info(clk, &info, sizeof(info)); /* with zeros for what an older library lacks */
	object_leave(self);
	return bytes_or_raise(code, &info, sizeof(info));
}

static PyObject *clock_sample(PyObject *self, PyObject *unused)
{
	struct hpt_sample sample;
	hpt_clock *clk = object_enter(self);
	int code;

	(void)unused;
	if (!clk)
		return NULL;
	code = hpt_clock_sample(clk, &sample, HPT_SAMPLE_SIZE_V0);
	object_leave(self);
	return bytes_or_raise(code, &sample, HPT_SAMPLE_SIZE_V0);
}

static PyObject *clock_timebase(PyObject *self, PyObject *unused)
{
	struct hpt_timebase timebase;
	hpt_clock *clk = object_enter(self);
	PyThreadState *thread;
	int code;

	(void)unused;
	if (!clk)
		return NULL;
	thread = PyEval_SaveThread();
	code = hpt_clock_get_timebase(clk, &timebase, sizeof(timebase));
	object_leave(self);
	PyEval_RestoreThread(thread);
	return bytes_or_raise(code, timebase.bytes, sizeof(timebase.bytes));
}

/* ---- Manual clocks ------------------------------------------------------------------------------------- */

static PyObject *clock_advance(PyObject *self, PyObject *arg)
{
	int64_t ticks;
	hpt_clock *clk = object_enter_with(self, arg, &ticks);
	int code;

	if (!clk)
		return NULL;
	code = hpt_clock_advance(clk, ticks);
	object_leave(self);
	if (code == -ERANGE)
		return raise_code(code, ticks < 0 ? "ticks is negative" : "the clock's range ends before that");
	return none_or_raise(code);
}

static PyObject *clock_sleepers(PyObject *self, PyObject *unused)
{
	hpt_clock *clk = object_enter(self);
	uint32_t count;

	(void)unused;
	if (!clk)
		return NULL;
	count = hpt_clock_sleepers(clk);
	object_leave(self);
	return PyLong_FromUnsignedLong(count);
}

/* ---- Type ---------------------------------------------------------------------------------------------- */

#define SLEEPS_BY "\n\nReleases the GIL. Returns a wake code: 0 on time, 1 reanchored, 2 disrupted, -ECANCELED closed."

static PyMethodDef methods[] = {
	{ "manual", FUNCTION(clock_manual), METH_VARARGS | METH_KEYWORDS | METH_CLASS,
	  "manual($type, /, frequency_hz, start=0)\n--\n\n"
	  "A clock of frequency_hz ticks a second, which stands still until advance()." },
	{ "mmio", clock_mmio, METH_O | METH_CLASS, "mmio($type, description, /)\n--\n\n"
	  "A clock on a memory-mapped counter, which the bytes of struct hpt_mmio describe." },
	{ "ref", clock_ref, METH_NOARGS, "ref($self, /)\n--\n\n"
	  "Another holder of the clock, which stays open when this one is closed." },
	{ "set_default", clock_set_default, METH_NOARGS, "set_default($self, /)\n--\n\n"
	  "Make this clock the process's default one, as which it is held for good.\n\n"
	  "Only before the first use of the default clock; afterwards OSError with EBUSY." },
	{ "now", clock_now, METH_NOARGS, "now($self, /)\n--\n\nThe present time in ticks; ordered." },
	{ "now_unordered", clock_now_unordered, METH_NOARGS, "now_unordered($self, /)\n--\n\n"
	  "The present time in ticks, by the bare counter instruction." },
	{ "now_ns", clock_now_ns, METH_NOARGS, "now_ns($self, /)\n--\n\nThe present time in nanoseconds; ordered." },
	{ "now_ns_unordered", clock_now_ns_unordered, METH_NOARGS, "now_ns_unordered($self, /)\n--\n\n"
	  "The present time in nanoseconds, by the bare counter instruction." },
	{ "unix_ns", clock_unix_ns, METH_NOARGS, "unix_ns($self, /)\n--\n\n"
	  "The present time in nanoseconds since 1970-01-01 00:00 UTC." },
	{ "monotonic_ns", clock_monotonic_ns, METH_NOARGS, "monotonic_ns($self, /)\n--\n\n"
	  "The present time in nanoseconds on CLOCK_MONOTONIC's line, which time.monotonic_ns() reads." },
	{ "boottime_ns", clock_boottime_ns, METH_NOARGS, "boottime_ns($self, /)\n--\n\n"
	  "The present time in nanoseconds on CLOCK_BOOTTIME's line." },
	{ "tai_ns", clock_tai_ns, METH_NOARGS, "tai_ns($self, /)\n--\n\n"
	  "The present time in nanoseconds on CLOCK_TAI's line." },
	{ "now_cpu", clock_now_cpu, METH_NOARGS, "now_cpu($self, /)\n--\n\n"
	  "The present time in ticks, and the CPU that the counter was read on; None if that is unknown." },
	{ "ticks_to_ns", clock_ticks_to_ns, METH_O, "ticks_to_ns($self, ticks, /)\n--\n\n"
	  "A duration in ticks as nanoseconds, at the end of the range of 64 bits if it does not fit." },
	{ "ns_to_ticks", clock_ns_to_ticks, METH_O, "ns_to_ticks($self, ns, /)\n--\n\n"
	  "A duration in nanoseconds as ticks, at the end of the range of 64 bits if it does not fit." },
	{ "add_ns", FUNCTION(clock_add_ns), METH_FASTCALL, "add_ns($self, tick, amount, /)\n--\n\n"
	  "A time and a duration in nanoseconds." },
	{ "to_ns", clock_to_ns, METH_O, "to_ns($self, tick, /)\n--\n\n"
	  "A time of the clock as nanoseconds on now_ns()'s timeline." },
	{ "from_ns", clock_from_ns, METH_O, "from_ns($self, ns, /)\n--\n\n"
	  "Nanoseconds on now_ns()'s timeline as a time of the clock." },
	{ "to_unix_ns", clock_to_unix_ns, METH_O, "to_unix_ns($self, tick, /)\n--\n\n"
	  "A time of the clock as nanoseconds since 1970-01-01 00:00 UTC." },
	{ "from_unix_ns", clock_from_unix_ns, METH_O, "from_unix_ns($self, ns, /)\n--\n\n"
	  "Nanoseconds since 1970-01-01 00:00 UTC as a time of the clock." },
	{ "to_unix_ticks", clock_to_unix_ticks, METH_O, "to_unix_ticks($self, tick, /)\n--\n\n"
	  "A time of the clock as ticks since 1970-01-01 00:00 UTC." },
	{ "to_os", FUNCTION(clock_to_os), METH_FASTCALL, "to_os($self, tick, clockid, /)\n--\n\n"
	  "A time of the clock as nanoseconds of a clock of the kernel, such as time.CLOCK_MONOTONIC." },
	{ "from_os", FUNCTION(clock_from_os), METH_FASTCALL, "from_os($self, ns, clockid, /)\n--\n\n"
	  "Nanoseconds of a clock of the kernel as a time of the clock." },
	{ "format", clock_format, METH_O, "format($self, tick, /)\n--\n\n"
	  "A time of the clock as text: 2026-11-20T10:47:59.123456789Z" },
	{ "format_ticks", clock_format_ticks, METH_O, "format_ticks($self, ticks, /)\n--\n\n"
	  "A duration in ticks as text: -12.345678901 s" },
	{ "parse", clock_parse, METH_O, "parse($self, text, /)\n--\n\nText as a time of the clock." },
	{ "min", clock_min, METH_NOARGS, "min($self, /)\n--\n\nThe earliest time that has a Unix time." },
	{ "max", clock_max, METH_NOARGS, "max($self, /)\n--\n\nThe latest time that has a Unix time." },
	{ "check", clock_check, METH_NOARGS, "check($self, /)\n--\n\n"
	  "Compare the clock with the system's clocks now. Returns its state and generation. Releases the GIL." },
	{ "generation", clock_generation, METH_NOARGS, "generation($self, /)\n--\n\n"
	  "The present generation of conversions." },
	{ "info", clock_info, METH_NOARGS, "info($self, /)\n--\n\nThe bytes of struct hpt_clock_info." },
	{ "sample", clock_sample, METH_NOARGS, "sample($self, /)\n--\n\nThe bytes of struct hpt_sample." },
	{ "timebase", clock_timebase, METH_NOARGS, "timebase($self, /)\n--\n\n"
	  "A present time base of the clock, 128 bytes. Releases the GIL." },
	{ "advance", clock_advance, METH_O, "advance($self, ticks, /)\n--\n\nMove a manual clock forward." },
	{ "sleepers", clock_sleepers, METH_NOARGS, "sleepers($self, /)\n--\n\n"
	  "How many threads sleep on a manual clock." },
	{ "sleep_ns", clock_sleep_ns, METH_O, "sleep_ns($self, ns, /)\n--\n\n"
	  "Sleep for NS nanoseconds from the call; not at all if that is not positive." SLEEPS_BY },
	{ "sleep_until_ticks", clock_sleep_until_ticks, METH_O, "sleep_until_ticks($self, tick, /)\n--\n\n"
	  "Sleep until a tick of the clock." SLEEPS_BY },
	{ "sleep_until_ns", clock_sleep_until_ns, METH_O, "sleep_until_ns($self, ns, /)\n--\n\n"
	  "Sleep until a time in nanoseconds, as now_ns() counts." SLEEPS_BY },
	{ "sleep_until_unix_ns", clock_sleep_until_unix_ns, METH_O, "sleep_until_unix_ns($self, ns, /)\n--\n\n"
	  "Sleep until a Unix time in nanoseconds." SLEEPS_BY },
	{ "close", object_close, METH_NOARGS, "close($self, /)\n--\n\n"
	  "End the sleeps on the clock and refuse later calls; nothing on the default clock. Does not wait." },
	{ NULL, NULL, 0, NULL },
};

static PyType_Slot slots[] = {
	{ Py_tp_doc, "Clock(source=None)\n--\n\nThe process's default clock, or a new clock on a source." },
	{ Py_tp_new, clock_new },
	{ Py_tp_init, clock_init },
	{ Py_tp_dealloc, object_dealloc },
	{ Py_tp_traverse, object_traverse },
	{ Py_tp_methods, methods },
	{ Py_tp_members, object_members },
	{ Py_tp_getset, object_getset },
	{ 0, NULL },
};

PyType_Spec clock_spec = { "hpt._native.Clock", sizeof(struct object), 0, TYPE_FLAGS, slots };
