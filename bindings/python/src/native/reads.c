// SPDX-License-Identifier: MIT
/* Reads of the process's default clock. */
#include "native.h"

static PyObject *now(PyObject *module, PyObject *unused)
{
	(void)module;
	(void)unused;
	return PyLong_FromLongLong(hpt_now(NULL));
}

static PyObject *now_unordered(PyObject *module, PyObject *unused)
{
	(void)module;
	(void)unused;
	return PyLong_FromLongLong(hpt_now_unordered(NULL));
}

static PyObject *now_ns(PyObject *module, PyObject *unused)
{
	(void)module;
	(void)unused;
	return PyLong_FromLongLong(hpt_now_ns(NULL));
}

static PyObject *now_ns_unordered(PyObject *module, PyObject *unused)
{
	(void)module;
	(void)unused;
	return PyLong_FromLongLong(hpt_now_ns_unordered(NULL));
}

static PyObject *unix_ns(PyObject *module, PyObject *unused)
{
	(void)module;
	(void)unused;
	return PyLong_FromLongLong(hpt_now_unix_ns(NULL));
}

static PyMethodDef functions[] = {
	{ "now", now, METH_NOARGS, "now($module, /)\n--\n\n"
	  "The present time of the default clock in ticks of its counter.\n\n"
	  "Ordered: a read that happens after another, on any thread and CPU, is never smaller. Never fails.\n"
	  "Keeps the GIL." },
	{ "now_unordered", now_unordered, METH_NOARGS, "now_unordered($module, /)\n--\n\n"
	  "The present time of the default clock in ticks, by the bare counter instruction.\n\n"
	  "The processor may execute the read earlier or later than its neighbours. Fit for statistics. Never fails.\n"
	  "Keeps the GIL." },
	{ "now_ns", now_ns, METH_NOARGS, "now_ns($module, /)\n--\n\n"
	  "The present time of the default clock in nanoseconds on CLOCK_MONOTONIC_RAW's timeline.\n\n"
	  "Ordered, and never decreasing within a generation of the clock. Never fails. Keeps the GIL." },
	{ "now_ns_unordered", now_ns_unordered, METH_NOARGS, "now_ns_unordered($module, /)\n--\n\n"
	  "The present time on now_ns()'s timeline in nanoseconds, by the bare counter instruction.\n\n"
	  "Never fails. Keeps the GIL." },
	{ "unix_ns", unix_ns, METH_NOARGS, "unix_ns($module, /)\n--\n\n"
	  "The present Unix time of the default clock: nanoseconds since 1970-01-01 00:00 UTC.\n\n"
	  "Never decreasing within a generation of the clock. Never fails. Keeps the GIL." },
	{ NULL, NULL, 0, NULL },
};

int reads_add(PyObject *module)
{
	return PyModule_AddFunctions(module, functions);
}
