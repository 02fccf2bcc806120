// SPDX-License-Identifier: MIT
/* The life of a Python object around an object of the library: open, calls in flight, closed. */
#include "native.h"

#include <stddef.h>

/* hold: the number of calls, flags, and the generation of forks that the number belongs to. */
#define CALLS      0x003fffffu /* Linux has fewer threads */
#define OPEN       0x00400000u
#define USED       0x00800000u /* has been open */
#define LASTING    0x01000000u /* close() leaves it open */
#define FLAGS      (OPEN | USED | LASTING)
#define GENERATION 0xfe000000u

PyMemberDef object_members[] = {
	{ "__weaklistoffset__", T_PYSSIZET, offsetof(struct object, weakrefs), READONLY, NULL },
	{ NULL, 0, 0, 0, NULL },
};

static struct object *object_of(PyObject *self)
{
	return (struct object *)self;
}

/* After a fork, without the calls of the threads that the child does not have. */
static uint32_t present(uint32_t hold)
{
	uint32_t now = forks() << 25;

	return (hold & GENERATION) == now ? hold : now | (hold & FLAGS);
}

/* ---- Open ---------------------------------------------------------------------------------------------- */

PyObject *object_new(PyTypeObject *type, const struct kind *kind)
{
	PyObject *self = PyType_GenericAlloc(type, 0);

	if (self)
		object_of(self)->kind = kind;
	return self;
}

int object_open(PyObject *self, void *c, bool lasting)
{
	struct object *o = object_of(self);

	if (atomic_fetch_or(&o->hold, USED) & USED) {
		o->kind->free(c);
		PyErr_Format(PyExc_ValueError, "the %s is initialized already", o->kind->name);
		return -1;
	}
	atomic_store(&o->c, c);
	atomic_store(&o->hold, present(USED | OPEN | (lasting ? LASTING : 0)));
	return 0;
}

bool object_is_open(struct object *o)
{
	return atomic_load(&o->hold) & OPEN;
}

bool object_lasts(PyObject *self)
{
	return atomic_load(&object_of(self)->hold) & LASTING;
}

/* ---- Calls --------------------------------------------------------------------------------------------- */

void *object_try(struct object *o)
{
	uint32_t hold = atomic_load_explicit(&o->hold, memory_order_relaxed);

	do {
		if (!(hold & OPEN))
			return NULL;
	} while (!atomic_compare_exchange_weak(&o->hold, &hold, present(hold) + 1));
	return atomic_load_explicit(&o->c, memory_order_relaxed);
}

void *object_enter(PyObject *self)
{
	void *c = object_try(object_of(self));

	if (!c)
		PyErr_Format(PyExc_ValueError, "the %s is closed", object_of(self)->kind->name);
	return c;
}

void *object_enter_with(PyObject *self, PyObject *arg, int64_t *ret)
{
	return to_int64(arg, ret) ? object_enter(self) : NULL;
}

static void free_c(struct object *o)
{
	void *c = atomic_exchange(&o->c, NULL);

	if (c)
		o->kind->free(c);
}

static void leave(struct object *o)
{
	uint32_t before = atomic_fetch_sub(&o->hold, 1);

	if (!(before & OPEN) && (before & CALLS) == 1)
		free_c(o);
}

void object_leave(PyObject *self)
{
	leave(object_of(self));
}

/* An interrupt ends one sleep. A second thread may be about to begin one on the same object. */
void object_leave_sleep(struct object *o)
{
	if (!object_is_open(o))
		(void)o->kind->end(o);
	leave(o);
}

PyObject *object_call(PyObject *self, int (*f)(struct object *o))
{
	int code;

	if (!object_enter(self))
		return NULL;
	code = f(object_of(self));
	object_leave_sleep(object_of(self));
	return none_or_raise(code);
}

PyObject *object_set_policy(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
	uint32_t policy;
	int64_t max_spin_ns;
	void *c;
	int code;

	if (!arity("set_policy", n, 2) || !to_uint32(args[0], &policy) || !to_int64(args[1], &max_spin_ns))
		return NULL;
	c = object_enter(self);
	if (!c)
		return NULL;
	code = object_of(self)->kind->set_policy(c, policy, max_spin_ns);
	object_leave(self);
	return none_or_raise(code);
}

/* ---- Close --------------------------------------------------------------------------------------------- */

PyObject *object_close(PyObject *self, PyObject *unused)
{
	struct object *o = object_of(self);
	uint32_t hold = atomic_load(&o->hold);

	(void)unused;
	do {
		if (!(hold & OPEN) || hold & LASTING)
			return none();
	} while (!atomic_compare_exchange_weak(&o->hold, &hold, (present(hold) & ~OPEN) + 1));
	(void)o->kind->end(o);
	leave(o);
	return none();
}

static PyObject *closed(PyObject *self, void *unused)
{
	(void)unused;
	return PyBool_FromLong(!object_is_open(object_of(self)));
}

PyGetSetDef object_getset[] = {
	{ "closed", closed, NULL, "Whether close() has been called, or the object has not been initialized.", NULL },
	{ NULL, NULL, NULL, NULL, NULL },
};

/* ---- Memory -------------------------------------------------------------------------------------------- */

int object_traverse(PyObject *self, visitproc visit, void *arg)
{
	Py_VISIT((PyObject *)Py_TYPE(self));
	return 0;
}

/* Every call holds a reference, so no call is in flight; those that hold counts are of threads that a fork left. */
void object_dealloc(PyObject *self)
{
	PyTypeObject *type = Py_TYPE(self);
	freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);

	PyObject_GC_UnTrack(self);
	if (object_of(self)->weakrefs)
		PyObject_ClearWeakRefs(self);
	free_c(object_of(self));
	release(self);
	Py_DECREF(type);
}
