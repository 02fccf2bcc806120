// SPDX-License-Identifier: MIT
/* Gate: many threads sleep, and all wake at once. */
#include "native.h"

#include <errno.h>

static int shut(struct object *o)
{
	return hpt_gate_close(o->c);
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

/* ---- Sleep --------------------------------------------------------------------------------------------- */

struct gate_sleep {
	uint32_t ticket;
	int64_t deadline;
};

static int sleep_on_gate(struct object *o, void *arg)
{
	const struct gate_sleep *sleep = arg;

	return hpt_gate_sleep_until(o->c, sleep->ticket, sleep->deadline);
}

static PyObject *gate_sleep_until(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
	struct gate_sleep sleep;

	if (!arity("sleep_until", n, 2) || !to_uint32(args[0], &sleep.ticket) || !to_int64(args[1], &sleep.deadline))
		return NULL;
	return wake_code(object_sleep(self, sleep_on_gate, &sleep));
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

static int interrupt_all(struct object *o)
{
	return hpt_gate_interrupt_all(o->c);
}

static int open_again(struct object *o)
{
	return hpt_gate_open(o->c);
}

static PyObject *gate_interrupt_all(PyObject *self, PyObject *unused)
{
	(void)unused;
	return object_call(self, interrupt_all);
}

static PyObject *gate_shut(PyObject *self, PyObject *unused)
{
	(void)unused;
	return object_call(self, shut);
}

static PyObject *gate_open(PyObject *self, PyObject *unused)
{
	(void)unused;
	return object_call(self, open_again);
}

/* ---- Type ---------------------------------------------------------------------------------------------- */

static PyMethodDef methods[] = {
	{ "ticket", gate_ticket, METH_NOARGS, "ticket($self, /)\n--\n\n"
	  "A ticket for the next sleep, to be taken before the caller looks at its condition." },
	{ "sleep_until", FUNCTION(gate_sleep_until), METH_FASTCALL, "sleep_until($self, ticket, tick, /)\n--\n\n"
	  "Sleep until a tick of the gate's clock, or until interrupt_all() since the ticket was taken.\n\n"
	  "Releases the GIL. Returns a wake code: 0 on time, 1 reanchored, 2 disrupted, -ECANCELED interrupted,\n"
	  "-ESHUTDOWN shut or closed." },
	{ "interrupt_all", gate_interrupt_all, METH_NOARGS, "interrupt_all($self, /)\n--\n\n"
	  "Wake all threads that sleep on this gate, and those that hold a ticket." },
	{ "shut", gate_shut, METH_NOARGS, "shut($self, /)\n--\n\n"
	  "Wake all threads that sleep on this gate, and refuse later sleeps until open()." },
	{ "open", gate_open, METH_NOARGS, "open($self, /)\n--\n\nAllow sleeps again." },
	{ "set_policy", FUNCTION(object_set_policy), METH_FASTCALL, "set_policy($self, policy, max_spin_ns, /)\n--\n\n"
	  "Set the policy of later sleeps." },
	{ "close", object_close, METH_NOARGS, "close($self, /)\n--\n\n"
	  "Wake all threads that sleep on this gate and refuse later calls. Does not wait." },
	{ NULL, NULL, 0, NULL },
};

static PyType_Slot slots[] = {
	{ Py_tp_doc, "Gate(clock=None)\n--\n\nAny number of threads sleep on it, and all wake at once." },
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
