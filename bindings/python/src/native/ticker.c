// SPDX-License-Identifier: MIT
/* Ticker: periods that do not drift. */
#include "native.h"

#include <errno.h>

static int interrupt(struct object *o)
{
	return hpt_ticker_interrupt(o->c);
}

static void ticker_free(void *c)
{
	hpt_ticker_free(c);
}

static int ticker_set_policy(void *c, uint32_t policy, int64_t max_spin_ns)
{
	return hpt_ticker_set_policy(c, policy, max_spin_ns);
}

static const struct kind kind = { "ticker", interrupt, ticker_free, ticker_set_policy, -ECANCELED };

/* ---- Make and start ------------------------------------------------------------------------------------ */

static PyObject *ticker_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
	(void)args;
	(void)kwargs;
	return object_new(type, &kind);
}

static int ticker_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *names[] = { "clock", "period_ns", NULL };
	PyObject *clock;
	struct clock_use use;
	int64_t period_ns;
	hpt_ticker *t;
	int code;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO&:Ticker", names, &clock, to_int64, &period_ns))
		return -1;
	if (!clock_use(self, clock, &use))
		return -1;
	code = hpt_ticker_new(use.clk, period_ns, HPT_WAIT_EINTR, &t);
	clock_unuse(&use);
	if (code < 0)
		return raise_code(code, "the period is negative"), -1;
	return object_open(self, t, false);
}

static PyObject *ticker_start(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
	int64_t first_ns, period_ns;
	hpt_ticker *t;
	int code;

	if (!arity("start", n, 2) || !to_int64(args[0], &first_ns) || !to_int64(args[1], &period_ns))
		return NULL;
	t = object_enter(self);
	if (!t)
		return NULL;
	code = hpt_ticker_start(t, first_ns, period_ns);
	object_leave(self);
	return none_or_raise(code);
}

static PyObject *ticker_start_rational(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
	int64_t first_ns;
	uint32_t num, den;
	hpt_ticker *t;
	int code;

	if (!arity("start_rational", n, 3) || !to_int64(args[0], &first_ns) || !to_uint32(args[1], &num) ||
	    !to_uint32(args[2], &den))
		return NULL;
	t = object_enter(self);
	if (!t)
		return NULL;
	code = hpt_ticker_start_rational(t, first_ns, num, den);
	object_leave(self);
	return none_or_raise(code);
}

static PyObject *ticker_set_missed(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
	uint32_t mode;
	uint64_t most;
	hpt_ticker *t;
	int code;

	if (!arity("set_missed", n, 2) || !to_uint32(args[0], &mode) || !to_uint64(args[1], &most))
		return NULL;
	t = object_enter(self);
	if (!t)
		return NULL;
	code = hpt_ticker_set_missed(t, mode, most);
	object_leave(self);
	return none_or_raise(code);
}

/* ---- Wait ---------------------------------------------------------------------------------------------- */

static int wait_for_ticker(struct object *o, void *missed)
{
	return hpt_ticker_wait(o->c, missed);
}

static PyObject *ticker_wait(PyObject *self, PyObject *unused)
{
	uint64_t missed = 0;
	PyObject *code = wake_code(object_sleep(self, wait_for_ticker, &missed));

	(void)unused;
	return code ? Py_BuildValue("(NK)", code, (unsigned long long)missed) : NULL;
}

static PyObject *ticker_interrupt(PyObject *self, PyObject *unused)
{
	(void)unused;
	return object_call(self, interrupt);
}

static PyObject *ticker_fileno(PyObject *self, PyObject *unused)
{
	hpt_ticker *t = object_enter(self);
	int code;

	(void)unused;
	if (!t)
		return NULL;
	code = hpt_ticker_fd(t);
	object_leave(self);
	return int64_or_raise(code, code);
}

/* ---- Facts --------------------------------------------------------------------------------------------- */

static PyObject *ticker_next_ns(PyObject *self, PyObject *unused)
{
	hpt_ticker *t = object_enter(self);
	int64_t ns = 0;
	int code;

	(void)unused;
	if (!t)
		return NULL;
	code = hpt_ticker_next_ns(t, &ns);
	object_leave(self);
	return int64_or_raise(code, ns);
}

static PyObject *ticker_info(PyObject *self, PyObject *unused)
{
	struct hpt_ticker_info info;
	hpt_ticker *t = object_enter(self);
	int code;

	(void)unused;
	if (!t)
		return NULL;
	code = hpt_ticker_get_info(t, &info, HPT_TICKER_INFO_SIZE_V0);
	object_leave(self);
	return bytes_or_raise(code, &info, HPT_TICKER_INFO_SIZE_V0);
}

/* ---- Type ---------------------------------------------------------------------------------------------- */

static PyMethodDef methods[] = {
	{ "start", FUNCTION(ticker_start), METH_FASTCALL, "start($self, first_ns, period_ns, /)\n--\n\n"
	  "Set another phase or period: the time of the first tick, as now_ns() of the clock counts, and nanoseconds\n"
	  "from tick to tick; 0: the first tick is the only one." },
	{ "start_rational", FUNCTION(ticker_start_rational), METH_FASTCALL,
	  "start_rational($self, first_ns, num, den, /)\n--\n\nSet a period of NUM / DEN seconds, without drift." },
	{ "set_missed", FUNCTION(ticker_set_missed), METH_FASTCALL, "set_missed($self, mode, most, /)\n--\n\n"
	  "Set what happens to missed ticks: 0 they are counted, 1 at most MOST of them come at once, 2 they delay\n"
	  "later ones." },
	{ "set_policy", FUNCTION(object_set_policy), METH_FASTCALL, "set_policy($self, policy, max_spin_ns, /)\n--\n\n"
	  "Set the policy of later waits." },
	{ "wait", ticker_wait, METH_NOARGS, "wait($self, /)\n--\n\n"
	  "Wait for the next tick. Returns a wake code and the number of missed ticks.\n\n"
	  "Releases the GIL. The code is 0 on time, 1 reanchored, 2 disrupted, -ECANCELED interrupted, -ENODATA\n"
	  "there is no next tick, or it is not started. OSError with EBUSY: another thread waits for this ticker." },
	{ "interrupt", ticker_interrupt, METH_NOARGS, "interrupt($self, /)\n--\n\n"
	  "End the wait for this ticker, or the next one." },
	{ "fileno", ticker_fileno, METH_NOARGS, "fileno($self, /)\n--\n\n"
	  "A descriptor that is readable a margin before each tick. The ticker owns it." },
	{ "next_ns", ticker_next_ns, METH_NOARGS, "next_ns($self, /)\n--\n\n"
	  "The time of the next tick, as now_ns() of the clock counts. OSError with ENODATA: it has not "
	  "started, or its single tick has been returned." },
	{ "info", ticker_info, METH_NOARGS, "info($self, /)\n--\n\nThe bytes of struct hpt_ticker_info." },
	{ "close", object_close, METH_NOARGS, "close($self, /)\n--\n\n"
	  "End the wait for this ticker, close its descriptor and refuse later calls. Does not wait." },
	{ NULL, NULL, 0, NULL },
};

static PyType_Slot slots[] = {
	{ Py_tp_doc, "Ticker(clock, period_ns)\n--\n\nA period that begins now and does not drift; 0: not started." },
	{ Py_tp_new, ticker_new },
	{ Py_tp_init, ticker_init },
	{ Py_tp_dealloc, object_dealloc },
	{ Py_tp_traverse, object_traverse },
	{ Py_tp_methods, methods },
	{ Py_tp_members, object_members },
	{ Py_tp_getset, object_getset },
	{ 0, NULL },
};

PyType_Spec ticker_spec = { "hpt._native.Ticker", sizeof(struct object), 0, TYPE_FLAGS, slots };
