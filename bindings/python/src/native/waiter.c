// SPDX-License-Identifier: MIT
/* Waiter: one thread sleeps, and any thread may interrupt it. */
#include "native.h"

#include <errno.h>

static int interrupt(struct object *o)
{
	return hpt_waiter_interrupt(o->c);
}

static void waiter_free(void *c)
{
	hpt_waiter_free(c);
}

static int waiter_set_policy(void *c, uint32_t policy, int64_t max_spin_ns)
{
	return hpt_waiter_set_policy(c, policy, max_spin_ns);
}

static const struct kind kind = { "waiter", interrupt, waiter_free, waiter_set_policy, -ECANCELED };

/* ---- Make ---------------------------------------------------------------------------------------------- */

static PyObject *waiter_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
	(void)args;
	(void)kwargs;
	return object_new(type, &kind);
}

static int waiter_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *names[] = { "clock", "eintr", NULL };
	PyObject *clock = Py_None;
	struct clock_use use;
	hpt_waiter *w;
	int eintr = 1, code;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|Op:Waiter", names, &clock, &eintr))
		return -1;
	if (!clock_use(self, clock, &use))
		return -1;
	code = hpt_waiter_new(use.clk, eintr ? HPT_WAIT_EINTR : 0, &w);
	clock_unuse(&use);
	if (code < 0)
		return raise_code(code, NULL), -1;
	return object_open(self, w, false);
}

/* ---- Sleep --------------------------------------------------------------------------------------------- */

struct waiter_sleep {
	sleep_until until;
	int64_t deadline;
};

static int sleep_on_waiter(struct object *o, void *arg)
{
	const struct waiter_sleep *sleep = arg;

	return sleep->until(o->c, sleep->deadline);
}

static PyObject *waiter_until(PyObject *self, PyObject *arg, sleep_until until)
{
	struct waiter_sleep sleep = { .until = until };

	if (!to_int64(arg, &sleep.deadline))
		return NULL;
	return wake_code(object_sleep(self, sleep_on_waiter, &sleep));
}

/* Even a sleep that is over at once takes a pending interrupt. */
static PyObject *waiter_sleep_ns(PyObject *self, PyObject *arg)
{
	struct waiter_sleep sleep = { .until = hpt_waiter_sleep_until_ns };
	int64_t ns;
	hpt_waiter *w = object_enter_with(self, arg, &ns);

	if (!w)
		return NULL;
	sleep.deadline = end_after(hpt_now_ns(hpt_waiter_clock(w)), ns);
	object_leave(self);
	return wake_code(object_sleep(self, sleep_on_waiter, &sleep));
}

static PyObject *waiter_sleep_until_ticks(PyObject *self, PyObject *tick)
{
	return waiter_until(self, tick, hpt_waiter_sleep_until_ticks);
}

static PyObject *waiter_sleep_until_ns(PyObject *self, PyObject *ns)
{
	return waiter_until(self, ns, hpt_waiter_sleep_until_ns);
}

static PyObject *waiter_sleep_until_unix_ns(PyObject *self, PyObject *ns)
{
	return waiter_until(self, ns, hpt_waiter_sleep_until_unix_ns);
}

/* ---- Other calls --------------------------------------------------------------------------------------- */

static PyObject *waiter_interrupt(PyObject *self, PyObject *unused)
{
	(void)unused;
	return object_call(self, interrupt);
}

static int clear(struct object *o)
{
	return hpt_waiter_clear(o->c);
}

static PyObject *waiter_clear(PyObject *self, PyObject *unused)
{
	(void)unused;
	return object_call(self, clear);
}

static PyObject *waiter_remaining_ns(PyObject *self, PyObject *unused)
{
	hpt_waiter *w = object_enter(self);
	int64_t ns = 0;
	int code;

	(void)unused;
	if (!w)
		return NULL;
	code = hpt_waiter_remaining_ns(w, &ns);
	object_leave(self);
	return int64_or_raise(code, ns);
}

/* ---- Waits of the program's own ------------------------------------------------------------------------ */

static PyObject *waiter_fileno(PyObject *self, PyObject *unused)
{
	hpt_waiter *w = object_enter(self);
	int code;

	(void)unused;
	if (!w)
		return NULL;
	code = hpt_waiter_fd(w);
	object_leave(self);
	return int64_or_raise(code, code);
}

static PyObject *waiter_margin_ns(PyObject *self, PyObject *arg)
{
	int64_t left_ns, ns = 0;
	hpt_waiter *w = object_enter_with(self, arg, &left_ns);
	int code;

	if (!w)
		return NULL;
	code = hpt_waiter_margin_ns(w, left_ns, &ns);
	object_leave(self);
	return int64_or_raise(code, ns);
}

static PyObject *waiter_learn_ns(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
	int64_t asked_at_ns, woke_at_ns;
	hpt_waiter *w;
	int code;

	if (!arity("learn_ns", n, 2) || !to_int64(args[0], &asked_at_ns) || !to_int64(args[1], &woke_at_ns))
		return NULL;
	w = object_enter(self);
	if (!w)
		return NULL;
	code = hpt_waiter_learn_ns(w, asked_at_ns, woke_at_ns);
	object_leave(self);
	return none_or_raise(code);
}

/* ---- Type ---------------------------------------------------------------------------------------------- */

#define SLEEPS_BY "\n\nReleases the GIL. Returns a wake code: 0 on time, 1 reanchored, 2 disrupted, -ECANCELED\n" \
	"interrupted. OSError with EBUSY: another thread sleeps on this waiter."

#define WAITS_BY "\n\nReleases the GIL. Returns a list of pairs of a descriptor and its events, which is empty at\n" \
	"AT_NS; or -ECANCELED interrupted. 2^63 - 1: no deadline. OSError with EBUSY: another thread sleeps."

static PyMethodDef methods[] = {
	{ "sleep_ns", waiter_sleep_ns, METH_O, "sleep_ns($self, ns, /)\n--\n\n"
	  "Sleep for NS nanoseconds from the call, or until interrupted." SLEEPS_BY },
	{ "sleep_until_ticks", waiter_sleep_until_ticks, METH_O, "sleep_until_ticks($self, tick, /)\n--\n\n"
	  "Sleep until a tick of the waiter's clock, or until interrupted." SLEEPS_BY },
	{ "sleep_until_ns", waiter_sleep_until_ns, METH_O, "sleep_until_ns($self, ns, /)\n--\n\n"
	  "Sleep until a time in nanoseconds, as now_ns() of the clock counts, or until interrupted." SLEEPS_BY },
	{ "sleep_until_unix_ns", waiter_sleep_until_unix_ns, METH_O, "sleep_until_unix_ns($self, ns, /)\n--\n\n"
	  "Sleep until a Unix time in nanoseconds, or until interrupted." SLEEPS_BY },
	{ "poll_until_ns", FUNCTION(waiter_poll_until_ns), METH_FASTCALL, "poll_until_ns($self, fds, at_ns, /)\n--\n\n"
	  "Wait for descriptors, as poll(2), until a time as now_ns() of the clock counts. FDS: pairs of a\n"
	  "descriptor, or what has a fileno(), and the events to wait for." WAITS_BY },
	{ "epoll_until_ns", FUNCTION(waiter_epoll_until_ns), METH_FASTCALL,
	  "epoll_until_ns($self, epoll, max_events, at_ns, /)\n--\n\n"
	  "Wait for at most MAX_EVENTS events of an epoll set, until a time as now_ns() of the clock counts. The\n"
	  "descriptors are the events' data, as select.epoll has it." WAITS_BY },
	{ "interrupt", waiter_interrupt, METH_NOARGS, "interrupt($self, /)\n--\n\n"
	  "End the sleep on this waiter, or the next one." },
	{ "clear", waiter_clear, METH_NOARGS, "clear($self, /)\n--\n\nRemove a pending interrupt." },
	{ "remaining_ns", waiter_remaining_ns, METH_NOARGS, "remaining_ns($self, /)\n--\n\n"
	  "Nanoseconds that were left when the latest sleep was interrupted or ended by an event: 0 if it was not,\n"
	  "2^63 - 1 if it had no deadline." },
	{ "fileno", waiter_fileno, METH_NOARGS, "fileno($self, /)\n--\n\n"
	  "A descriptor that is readable while an interrupt is pending. The waiter owns it." },
	{ "margin_ns", waiter_margin_ns, METH_O, "margin_ns($self, left_ns, /)\n--\n\n"
	  "How many nanoseconds before its deadline, which is LEFT_NS away, a wait of the program's own is to end." },
	{ "learn_ns", FUNCTION(waiter_learn_ns), METH_FASTCALL, "learn_ns($self, asked_at_ns, woke_at_ns, /)\n--\n\n"
	  "Teach this thread when a wait of the program's own was to end, and when it did." },
	{ "set_policy", FUNCTION(object_set_policy), METH_FASTCALL, "set_policy($self, policy, max_spin_ns, /)\n--\n\n"
	  "Set the policy of later sleeps." },
	{ "close", object_close, METH_NOARGS, "close($self, /)\n--\n\n"
	  "End the sleep on this waiter and refuse later calls. Does not wait." },
	{ NULL, NULL, 0, NULL },
};

static PyType_Slot slots[] = {
	{ Py_tp_doc, "Waiter(clock=None, eintr=True)\n--\n\n"
	  "One thread at a time sleeps on it, and any thread may interrupt that." },
	{ Py_tp_new, waiter_new },
	{ Py_tp_init, waiter_init },
	{ Py_tp_dealloc, object_dealloc },
	{ Py_tp_traverse, object_traverse },
	{ Py_tp_methods, methods },
	{ Py_tp_members, object_members },
	{ Py_tp_getset, object_getset },
	{ 0, NULL },
};

PyType_Spec waiter_spec = { "hpt._native.Waiter", sizeof(struct object), 0, TYPE_FLAGS, slots };
