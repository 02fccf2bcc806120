// SPDX-License-Identifier: MIT
/* Sleeps: those of the process's default clock, those of a clock, and the loop that all sleeps share. */
#include "native.h"

#include <errno.h>

PyObject *wake_code(int code)
{
	if (code == SLEEP_RAISED)
		return NULL;
	if (code >= 0 || code == -ECANCELED || code == -ESHUTDOWN || code == -ENODATA)
		return PyLong_FromLong(code);
	return raise_code(code, NULL);
}

int64_t saturating_add(int64_t a, int64_t b)
{
	int64_t sum;

	if (!__builtin_add_overflow(a, b, &sum))
		return sum;
	return b < 0 ? INT64_MIN : INT64_MAX;
}

/* Leaves the C object before it takes the GIL: there the interpreter, at its exit, ends threads that still run. */
int object_sleep(PyObject *self, sleep_once once, void *arg)
{
	struct object *o = (struct object *)self;

	if (!object_enter(self))
		return SLEEP_RAISED;
	for (;;) {
		PyThreadState *thread = PyEval_SaveThread();
		int code = once(o, arg);

		object_leave_sleep(o);
		PyEval_RestoreThread(thread);
		if (code != -EINTR)
			return code;
		if (PyErr_CheckSignals() < 0)
			return SLEEP_RAISED;
		if (!object_try(o))
			return o->kind->ended;
	}
}

/* ---- The default clock --------------------------------------------------------------------------------- */

static int sleep_on_default(sleep_until until, int64_t deadline)
{
	hpt_waiter *w;
	int code = hpt_waiter_new(NULL, HPT_WAIT_EINTR, &w);

	if (code < 0)
		return code;
	code = until(w, deadline);
	hpt_waiter_free(w);
	return code;
}

static PyObject *sleep_default(sleep_until until, int64_t deadline)
{
	int code;

	do {
		PyThreadState *thread = PyEval_SaveThread();

		code = sleep_on_default(until, deadline);
		PyEval_RestoreThread(thread);
		if (code == -EINTR && PyErr_CheckSignals() < 0)
			return NULL;
	} while (code == -EINTR);
	return wake_code(code);
}

static PyObject *default_until(PyObject *arg, sleep_until until)
{
	int64_t deadline;

	return to_int64(arg, &deadline) ? sleep_default(until, deadline) : NULL;
}

static PyObject *sleep_ns(PyObject *module, PyObject *arg)
{
	int64_t ns;

	(void)module;
	if (!to_int64(arg, &ns))
		return NULL;
	if (ns <= 0)
		return PyLong_FromLong(0);
	return sleep_default(hpt_waiter_sleep_until_ns, saturating_add(hpt_now_ns(NULL), ns));
}

static PyObject *default_sleep_until_ticks(PyObject *module, PyObject *tick)
{
	(void)module;
	return default_until(tick, hpt_waiter_sleep_until_ticks);
}

static PyObject *default_sleep_until_ns(PyObject *module, PyObject *ns)
{
	(void)module;
	return default_until(ns, hpt_waiter_sleep_until_ns);
}

static PyObject *default_sleep_until_unix_ns(PyObject *module, PyObject *ns)
{
	(void)module;
	return default_until(ns, hpt_waiter_sleep_until_unix_ns);
}

#define SLEEPS_BY "\n\nReleases the GIL. Python's signal handlers run meanwhile; one that raises ends the sleep.\n" \
	"Returns a wake code: 0 on time, 1 reanchored, 2 disrupted."

static PyMethodDef functions[] = {
	{ "sleep_ns", sleep_ns, METH_O, "sleep_ns($module, ns, /)\n--\n\n"
	  "Sleep for NS nanoseconds from the call; not at all if that is not positive." SLEEPS_BY },
	{ "sleep_until_ticks", default_sleep_until_ticks, METH_O, "sleep_until_ticks($module, tick, /)\n--\n\n"
	  "Sleep until a tick of the default clock, as now() counts." SLEEPS_BY },
	{ "sleep_until_ns", default_sleep_until_ns, METH_O, "sleep_until_ns($module, ns, /)\n--\n\n"
	  "Sleep until a time in nanoseconds, as now_ns() counts." SLEEPS_BY },
	{ "sleep_until_unix_ns", default_sleep_until_unix_ns, METH_O,
	  "sleep_until_unix_ns($module, ns, /)\n--\n\n"
	  "Sleep until a Unix time in nanoseconds, and follow the steps of the system's clock." SLEEPS_BY },
	{ NULL, NULL, 0, NULL },
};

int sleeps_add(PyObject *module)
{
	return PyModule_AddFunctions(module, functions);
}

/* ---- A clock ------------------------------------------------------------------------------------------- */

struct clock_sleep {
	sleep_until until;
	int64_t deadline;
};

/* A close that comes before the thread is on the list of sleepers has closed the clock by then. */
static int sleep_on_clock(struct object *o, void *arg)
{
	const struct clock_sleep *sleep = arg;
	struct sleeper s = { .clock = o };
	int code = hpt_waiter_new(o->c, HPT_WAIT_EINTR, &s.waiter);

	if (code < 0)
		return code;
	sleepers_add(&s);
	code = object_is_open(o) ? sleep->until(s.waiter, sleep->deadline) : o->kind->ended;
	sleepers_remove(&s);
	hpt_waiter_free(s.waiter);
	return code;
}

static PyObject *clock_until(PyObject *self, PyObject *arg, sleep_until until)
{
	struct clock_sleep sleep = { .until = until };

	if (!to_int64(arg, &sleep.deadline))
		return NULL;
	return wake_code(object_sleep(self, sleep_on_clock, &sleep));
}

PyObject *clock_sleep_ns(PyObject *self, PyObject *arg)
{
	struct clock_sleep sleep = { .until = hpt_waiter_sleep_until_ns };
	int64_t ns;
	hpt_clock *clk = object_enter_with(self, arg, &ns);

	if (!clk)
		return NULL;
	sleep.deadline = end_after(hpt_now_ns(clk), ns);
	object_leave(self);
	if (ns <= 0)
		return PyLong_FromLong(0);
	return wake_code(object_sleep(self, sleep_on_clock, &sleep));
}

PyObject *clock_sleep_until_ticks(PyObject *self, PyObject *tick)
{
	return clock_until(self, tick, hpt_waiter_sleep_until_ticks);
}

PyObject *clock_sleep_until_ns(PyObject *self, PyObject *ns)
{
	return clock_until(self, ns, hpt_waiter_sleep_until_ns);
}

PyObject *clock_sleep_until_unix_ns(PyObject *self, PyObject *ns)
{
	return clock_until(self, ns, hpt_waiter_sleep_until_unix_ns);
}
