// SPDX-License-Identifier: MIT
/* Gate: many threads wait, and all wake at once. */
#include "native.h"

#include <errno.h>

static int shut(struct object *o)
{
	return hpt_gate_shut(o->c);
}

static void gate_free(void *c)
{
	hpt_gate_free(c);
}

static int gate_set_policy(void *c, uint32_t policy, int64_t max_spin_ns)
{
	return hpt_gate_set_policy(c, policy, max_spin_ns);
}

static const struct kind kind = { "gate", shut, gate_free, gate_set_policy, -ESHUTDOWN };

/* ---- Make ---------------------------------------------------------------------------------------------- */

static PyObject *gate_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
	(void)args;
	(void)kwargs;
	return object_new(type, &kind);
}

static int gate_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *names[] = { "clock", NULL };
	PyObject *clock = Py_None;
	struct clock_use use;
	hpt_gate *g;
	int code;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O:Gate", names, &clock))
		return -1;
	if (!clock_use(self, clock, &use))
		return -1;
	code = hpt_gate_new(use.clk, HPT_WAIT_EINTR, &g);
	clock_unuse(&use);
	if (code < 0)
		return raise_code(code, NULL), -1;
	return object_open(self, g, false);
}

/* ---- Wait ---------------------------------------------------------------------------------------------- */

struct gate_wait {
	int (*until)(hpt_gate *g, uint32_t ticket, int64_t deadline);
	uint32_t ticket;
	int64_t deadline;
};

static int wait_at_gate(struct object *o, void *arg)
{
	const struct gate_wait *wait = arg;

	return wait->until(o->c, wait->ticket, wait->deadline);
}

/* That the time is over is a wake code here. */
static PyObject *gate_wait(PyObject *self, PyObject *const *args, struct gate_wait *wait)
{
	int code;

	if (!to_uint32(args[0], &wait->ticket) || !to_int64(args[1], &wait->deadline))
		return NULL;
	code = object_sleep(self, wait_at_gate, wait);
	return code == -ETIMEDOUT ? PyLong_FromLong(code) : wake_code(code);
}

static PyObject *gate_wait_until_ns(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
	struct gate_wait wait = { .until = hpt_gate_wait_until_ns };

	return arity("wait_until_ns", n, 2) ? gate_wait(self, args, &wait) : NULL;
}

static PyObject *gate_wait_until_ticks(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
	struct gate_wait wait = { .until = hpt_gate_wait_until_ticks };

	return arity("wait_until_ticks", n, 2) ? gate_wait(self, args, &wait) : NULL;
}

/* ---- Other calls --------------------------------------------------------------------------------------- */

static PyObject *gate_ticket(PyObject *self, PyObject *unused)
{
	hpt_gate *g = object_enter(self);
	uint32_t ticket;

	(void)unused;
	if (!g)
		return NULL;
	ticket = hpt_gate_ticket(g);
	object_leave(self);
	return PyLong_FromUnsignedLong(ticket);
}

static int notify_all(struct object *o)
{
	return hpt_gate_notify_all(o->c);
}

static int reopen(struct object *o)
{
	return hpt_gate_reopen(o->c);
}

static PyObject *gate_notify_all(PyObject *self, PyObject *unused)
{
	(void)unused;
	return object_call(self, notify_all);
}

static PyObject *gate_shut(PyObject *self, PyObject *unused)
{
	(void)unused;
	return object_call(self, shut);
}

static PyObject *gate_reopen(PyObject *self, PyObject *unused)
{
	(void)unused;
	return object_call(self, reopen);
}

/* ---- Type ---------------------------------------------------------------------------------------------- */

#define WAITS_BY "\n\n2^63 - 1: without a limit. Releases the GIL. Returns a wake code: 0 notified, -ETIMEDOUT the\n" \
	"time is over, -ESHUTDOWN shut or closed."

static PyMethodDef methods[] = {
	{ "ticket", gate_ticket, METH_NOARGS, "ticket($self, /)\n--\n\n"
	  "A ticket for the next wait, to be taken before the caller looks at its condition." },
	{ "wait_until_ns", FUNCTION(gate_wait_until_ns), METH_FASTCALL, "wait_until_ns($self, ticket, ns, /)\n--\n\n"
	  "Wait for notify_all() since the ticket was taken, until a time as now_ns() of the clock counts." WAITS_BY },
	{ "wait_until_ticks", FUNCTION(gate_wait_until_ticks), METH_FASTCALL,
	  "wait_until_ticks($self, ticket, tick, /)\n--\n\n"
	  "Wait for notify_all() since the ticket was taken, until a tick of the gate's clock." WAITS_BY },
	{ "notify_all", gate_notify_all, METH_NOARGS, "notify_all($self, /)\n--\n\n"
	  "Wake all threads that wait at this gate, and those that hold a ticket." },
	{ "shut", gate_shut, METH_NOARGS, "shut($self, /)\n--\n\n"
	  "Wake all threads that wait at this gate, and refuse later waits until reopen()." },
	{ "reopen", gate_reopen, METH_NOARGS, "reopen($self, /)\n--\n\nAllow waits again." },
	{ "set_policy", FUNCTION(object_set_policy), METH_FASTCALL, "set_policy($self, policy, max_spin_ns, /)\n--\n\n"
	  "Set the policy of later waits." },
	{ "close", object_close, METH_NOARGS, "close($self, /)\n--\n\n"
	  "Wake all threads that wait at this gate and refuse later calls. Does not wait." },
	{ NULL, NULL, 0, NULL },
};

static PyType_Slot slots[] = {
	{ Py_tp_doc, "Gate(clock=None)\n--\n\nAny number of threads wait at it, and all wake at once." },
	{ Py_tp_new, gate_new },
	{ Py_tp_init, gate_init },
	{ Py_tp_dealloc, object_dealloc },
	{ Py_tp_traverse, object_traverse },
	{ Py_tp_methods, methods },
	{ Py_tp_members, object_members },
	{ Py_tp_getset, object_getset },
	{ 0, NULL },
};

PyType_Spec gate_spec = { "hpt._native.Gate", sizeof(struct object), 0, TYPE_FLAGS, slots };
