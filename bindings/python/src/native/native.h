/* SPDX-License-Identifier: MIT */
/* native.h - the parts of the extension module hpt._native, and the rules that they keep. */
#ifndef HPT_PYTHON_NATIVE_H
#define HPT_PYTHON_NATIVE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <hpt/hpt.h>
#include <hpt/mmio.h>
#include <hpt/system.h>
#include <hpt/wait.h>
#include <hpt/wall.h>

/* ---- module.c ------------------------------------------------------------------------------------------ */

/* A type in the module of SELF's type. A borrowed reference; NULL with an exception. */
PyTypeObject *clock_type(PyObject *self);
PyTypeObject *waiter_type(PyObject *self);
PyTypeObject *wall_type(PyObject *self);

/* ---- errors.c ------------------------------------------------------------------------------------------ */

/*
 * Raises the exception of a negative errno value, and returns NULL. TEXT says what is wrong with a value (-EINVAL) or
 * a result (-ERANGE); NULL: the general text.
 */
PyObject *raise_code(int code, const char *text);

/*
 * A new reference to None. Py_RETURN_NONE of the headers of 3.12 and later takes none, whatever Py_LIMITED_API is: None
 * never dies there, but it does in the 3.11 that the same extension runs on.
 */
PyObject *none(void);

/* None, or the exception of a negative CODE. */
PyObject *none_or_raise(int code);

/* ---- convert.c ----------------------------------------------------------------------------------------- */

/* Converters for PyArg_Parse's "O&" too: 1, or 0 with TypeError or OverflowError. Anything with __index__ will do. */
int to_int64(PyObject *o, void *ret);
int to_uint64(PyObject *o, void *ret);
int to_int32(PyObject *o, void *ret);
int to_uint32(PyObject *o, void *ret);
int to_uint16(PyObject *o, void *ret);

/* True, or false with TypeError: whether a function of METH_FASTCALL was given as many arguments as it takes. */
bool arity(const char *name, Py_ssize_t given, Py_ssize_t wanted);

/* The text of a str, which owns it; or NULL with TypeError, or ValueError for one with a null character. */
const char *to_text(PyObject *o);

/* The BYTES of a struct, or the exception of a negative CODE. */
PyObject *bytes_or_raise(int code, const void *bytes, size_t size);

/* An int, or the exception of a negative CODE. */
PyObject *int64_or_raise(int code, int64_t value);

/* ---- sleepers.c ---------------------------------------------------------------------------------------- */

struct object;

/* A thread that sleeps on a clock, from before its sleep until after it. */
struct sleeper {
	struct object *clock;
	hpt_waiter *waiter;
	struct sleeper *next, **link;
};

/* No thread needs the interpreter for these four. */
void sleepers_add(struct sleeper *s);
void sleepers_remove(struct sleeper *s);
int sleepers_interrupt(struct object *clock); /* 0 */
uint32_t forks(void); /* 0 in the process that loaded the module, one more in each generation of children */
int sleepers_init(void); /* 0, or a negative errno value */

/* ---- object.c ------------------------------------------------------------------------------------------ */

struct kind {
	const char *name;
	int (*end)(struct object *o);  /* ends all sleeps on the object, and those about to begin */
	void (*free)(void *c);
	int (*set_policy)(void *c, uint32_t policy, int64_t max_spin_ns); /* NULL for a clock */
	int ended;                     /* the result of a sleep that close() prevents */
};

/*
 * A Python object around an object of the library. "hold" counts the calls that use the C object, and says whether it
 * is open. The last call frees the C object once it is closed, so close() never waits and no call loses its object.
 *
 * No Python code runs during a counted call. So a call never sees a fork, and a thread that dies because the
 * interpreter ends dies outside of one. Nothing here relies on the GIL.
 */
struct object {
	PyObject_HEAD
	const struct kind *kind;
	_Atomic uint32_t hold;
	_Atomic(void *) c;
	PyObject *weakrefs;
};

extern PyMemberDef object_members[];
extern PyGetSetDef object_getset[];

/* A new object, closed until object_open(). */
PyObject *object_new(PyTypeObject *type, const struct kind *kind);

/* Stores C in a new object, once in the object's life: 0; or -1 with ValueError, and C is freed. */
int object_open(PyObject *self, void *c, bool lasting);

/* One call more: the C object; or NULL, from object_enter() with ValueError, if the object is closed. */
void *object_enter(PyObject *self);
void *object_try(struct object *o);

/* object_enter() of a method whose argument is a number; also TypeError or OverflowError. */
void *object_enter_with(PyObject *self, PyObject *arg, int64_t *ret);

/* One call less. object_leave_sleep() also wakes the next thread, if the object was closed. */
void object_leave(PyObject *self);
void object_leave_sleep(struct object *o);

bool object_is_open(struct object *o);
bool object_lasts(PyObject *self); /* close() leaves it open */
PyObject *object_close(PyObject *self, PyObject *unused);

/*
 * A method without arguments that may wake sleepers, or undo what close() has just done to them: so it leaves as a
 * sleep does. None, or the exception of F's negative result.
 */
PyObject *object_call(PyObject *self, int (*f)(struct object *o));

/* A method of all types but clocks. */
PyObject *object_set_policy(PyObject *self, PyObject *const *args, Py_ssize_t n);

/* tp_traverse and tp_dealloc of all types. */
int object_traverse(PyObject *self, visitproc visit, void *arg);
void object_dealloc(PyObject *self);

/* ---- sleep.c ------------------------------------------------------------------------------------------- */

/* A sleep of the library on a waiter until a deadline of some timeline. */
typedef int (*sleep_until)(hpt_waiter *w, int64_t deadline);

/* One sleep in the library, which a signal may end with -EINTR. Runs without the GIL. */
typedef int (*sleep_once)(struct object *o, void *arg);

#define SLEEP_RAISED INT_MIN

/*
 * Sleeps until ONCE returns anything but -EINTR. Python's signal handlers run in between; ONCE goes on to the same
 * deadline after them (PEP 475). Returns the result, which is SLEEP_RAISED if there is an exception.
 */
int object_sleep(PyObject *self, sleep_once once, void *arg);

/* A wake code as an int, or an exception. -ECANCELED, -ESHUTDOWN and -ENODATA are wake codes. */
PyObject *wake_code(int code);

/* The sum, clamped to 64 bits. */
int64_t saturating_add(int64_t a, int64_t b);

/* The end of a duration. INT64_MAX is for ever, also from a time below 0. */
static inline int64_t end_after(int64_t now_ns, int64_t ns)
{
	return ns == INT64_MAX ? INT64_MAX : saturating_add(now_ns, ns);
}

/* Methods of clocks. */
PyObject *clock_sleep_ns(PyObject *self, PyObject *ns);
PyObject *clock_sleep_until_ticks(PyObject *self, PyObject *tick);
PyObject *clock_sleep_until_ns(PyObject *self, PyObject *ns);
PyObject *clock_sleep_until_unix_ns(PyObject *self, PyObject *ns);

/* ---- fds.c: methods of waiters ------------------------------------------------------------------------- */

PyObject *waiter_poll_until_ns(PyObject *self, PyObject *const *args, Py_ssize_t n);
PyObject *waiter_epoll_until_ns(PyObject *self, PyObject *const *args, Py_ssize_t n);

/* ---- time.c: methods of clocks ------------------------------------------------------------------------- */

PyObject *clock_ticks_to_ns(PyObject *self, PyObject *ticks);
PyObject *clock_ns_to_ticks(PyObject *self, PyObject *ns);
PyObject *clock_add_ns(PyObject *self, PyObject *const *args, Py_ssize_t n);
PyObject *clock_to_ns(PyObject *self, PyObject *tick);
PyObject *clock_from_ns(PyObject *self, PyObject *ns);
PyObject *clock_to_unix_ns(PyObject *self, PyObject *tick);
PyObject *clock_from_unix_ns(PyObject *self, PyObject *ns);
PyObject *clock_to_unix_ticks(PyObject *self, PyObject *tick);
PyObject *clock_to_os(PyObject *self, PyObject *const *args, Py_ssize_t n);
PyObject *clock_from_os(PyObject *self, PyObject *const *args, Py_ssize_t n);
PyObject *clock_format(PyObject *self, PyObject *tick);
PyObject *clock_format_ticks(PyObject *self, PyObject *ticks);
PyObject *clock_parse(PyObject *self, PyObject *text);

/* ---- clock.c ------------------------------------------------------------------------------------------- */

/*
 * A clock from an argument that may be None, for the constructor of SELF. clock_use() returns false with an exception.
 * Until clock_unuse() no other thread can free the clock.
 */
struct clock_use {
	PyObject *object;
	hpt_clock *clk;
};
bool clock_use(PyObject *self, PyObject *clock, struct clock_use *ret);
void clock_unuse(struct clock_use *u);

/* ---- types and functions, for module.c ------------------------------------------------------------------ */

extern PyType_Spec clock_spec, waiter_spec, gate_spec, ticker_spec, wall_spec, hlc_spec;

/* Each adds the functions of one file to the module: 0, or -1 with an exception. */
int reads_add(PyObject *module);
int sleeps_add(PyObject *module);
int facts_add(PyObject *module);
int timebase_add(PyObject *module);

/* ---- shorthands ---------------------------------------------------------------------------------------- */

/* A function of METH_FASTCALL or METH_KEYWORDS in a table of methods. */
#define FUNCTION(f) ((PyCFunction)(void (*)(void))(f))

#ifdef Py_TPFLAGS_IMMUTABLETYPE
#define TYPE_FLAGS (Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE)
#else
#define TYPE_FLAGS (Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC)
#endif

#endif
