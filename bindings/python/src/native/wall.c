// SPDX-License-Identifier: MIT
/* Wall: intervals that contain UTC. Hlc: timestamps that strictly increase. */
#include "native.h"

#include <errno.h>
#include <string.h>

/* Threads sleep on waiters, and not on these: nothing is to be ended. */
static int end_nothing(struct object *o)
{
	(void)o;
	return 0;
}

static void wall_free(void *c)
{
	hpt_wall_close(c);
}

static void hlc_free(void *c)
{
	hpt_hlc_free(c);
}

static const struct kind wall_kind = { "wall", end_nothing, wall_free, NULL, -ECANCELED };
static const struct kind hlc_kind = { "hlc", end_nothing, hlc_free, NULL, -ECANCELED };

/* As object_enter(), for an argument of a method of SELF; also TypeError, if it is no wall. */
static hpt_wall *wall_enter(PyObject *self, PyObject *wall)
{
	PyTypeObject *type = wall_type(self);

	if (!type)
		return NULL;
	if (!PyObject_TypeCheck(wall, type)) {
		PyErr_SetString(PyExc_TypeError, "wall is not a Wall");
		return NULL;
	}
	return object_enter(wall);
}

/* ---- Make ---------------------------------------------------------------------------------------------- */

static PyObject *wall_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
	(void)args;
	(void)kwargs;
	return object_new(type, &wall_kind);
}

static int open_wall(PyObject *self, PyObject *clock, const struct hpt_wall_config *config, uint32_t flags)
{
	PyThreadState *thread;
	struct clock_use use;
	hpt_wall *w;
	int code;

	if (!clock_use(self, clock, &use))
		return -1;
	thread = PyEval_SaveThread(); /* a clock whose rate is not known yet waits for it */
	code = hpt_wall_open(use.clk, config, sizeof(*config), flags, &w);
	PyEval_RestoreThread(thread);
	clock_unuse(&use);
	if (code < 0)
		return raise_code(code, NULL), -1;
	return object_open(self, w, false);
}

static int wall_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *names[] = { "clock", "config", "flags", NULL };
	struct hpt_wall_config config;
	PyObject *clock;
	const char *bytes;
	Py_ssize_t size;
	uint32_t flags;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "Oy#O&:Wall", names, &clock, &bytes, &size, to_uint32, &flags))
		return -1;
	if (size != (Py_ssize_t)sizeof(config)) {
		PyErr_SetString(PyExc_ValueError, "the struct hpt_wall_config has another size");
		return -1;
	}
	memcpy(&config, bytes, sizeof(config));
	return open_wall(self, clock, &config, flags);
}

static PyObject *hlc_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
	(void)args;
	(void)kwargs;
	return object_new(type, &hlc_kind);
}

static int hlc_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *names[] = { "wall", "max_ahead_ns", NULL };
	PyObject *wall;
	int64_t max_ahead_ns;
	hpt_wall *w;
	hpt_hlc *h;
	int code;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO&:Hlc", names, &wall, to_int64, &max_ahead_ns))
		return -1;
	w = wall_enter(self, wall);
	if (!w)
		return -1;
	code = hpt_hlc_new(w, max_ahead_ns, 0, &h);
	object_leave(wall);
	if (code < 0)
		return raise_code(code, NULL), -1;
	return object_open(self, h, false);
}

/* ---- Reads --------------------------------------------------------------------------------------------- */

static PyObject *interval(int code, const struct hpt_wall_time *t)
{
	if (code < 0)
		return raise_code(code, "there is no interval at that tick, or none so narrow");
	return Py_BuildValue("LLLKkk", (long long)t->earliest_ns, (long long)t->latest_ns, (long long)t->tick,
			     (unsigned long long)t->generation, (unsigned long)t->state, (unsigned long)t->flags);
}

static PyObject *wall_now(PyObject *self, PyObject *unused)
{
	hpt_wall *w = object_enter(self);
	struct hpt_wall_time t;
	int code;

	(void)unused;
	if (!w)
		return NULL;
	code = hpt_wall_now(w, &t);
	object_leave(self);
	return interval(code, &t);
}

static PyObject *wall_at(PyObject *self, PyObject *arg)
{
	struct hpt_wall_time t;
	int64_t tick;
	hpt_wall *w = object_enter_with(self, arg, &tick);
	int code;

	if (!w)
		return NULL;
	code = hpt_wall_at(w, tick, &t);
	object_leave(self);
	return interval(code, &t);
}

static PyObject *wall_at_os_ns(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
	struct hpt_wall_time t;
	int32_t clockid;
	int64_t ns;
	hpt_wall *w;
	int code;

	if (!arity("at_os_ns", n, 2) || !to_int32(args[0], &clockid) || !to_int64(args[1], &ns))
		return NULL;
	w = object_enter(self);
	if (!w)
		return NULL;
	code = hpt_wall_at_os_ns(w, clockid, ns, &t, sizeof(t));
	object_leave(self);
	return interval(code, &t);
}

static PyObject *is_sure(PyObject *self, PyObject *arg, int (*f)(hpt_wall *, int64_t))
{
	int64_t unix_ns;
	hpt_wall *w = object_enter_with(self, arg, &unix_ns);
	int code;

	if (!w)
		return NULL;
	code = f(w, unix_ns);
	object_leave(self);
	return PyBool_FromLong(code == 1);
}

static PyObject *wall_after(PyObject *self, PyObject *unix_ns)
{
	return is_sure(self, unix_ns, hpt_wall_after);
}

static PyObject *wall_before(PyObject *self, PyObject *unix_ns)
{
	return is_sure(self, unix_ns, hpt_wall_before);
}

static PyObject *wall_to_tai_ns(PyObject *self, PyObject *arg)
{
	int64_t unix_ns, ns = 0;
	hpt_wall *w = object_enter_with(self, arg, &unix_ns);
	int code;

	if (!w)
		return NULL;
	code = hpt_wall_to_tai_ns(w, unix_ns, &ns);
	object_leave(self);
	return int64_or_raise(code, ns);
}

/* ---- Samples ------------------------------------------------------------------------------------------- */

static PyObject *wall_feed(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
	struct hpt_wall_sample s = { .source = HPT_WALL_SOURCE_FEED };
	hpt_wall *w;
	int code;

	if (!arity("feed", n, 5) || !to_int64(args[0], &s.before) || !to_int64(args[1], &s.after) ||
	    !to_int64(args[2], &s.earliest_ns) || !to_int64(args[3], &s.latest_ns) || !to_uint32(args[4], &s.flags))
		return NULL;
	w = object_enter(self);
	if (!w)
		return NULL;
	code = hpt_wall_feed(w, &s, sizeof(s));
	object_leave(self);
	if (code < 0)
		return raise_code(code, code == -ERANGE ? "the sample is too old, or of before an event" : NULL);
	return none();
}

static PyObject *wall_update(PyObject *self, PyObject *unused)
{
	hpt_wall *w = object_enter(self);
	PyThreadState *thread;
	int state;

	(void)unused;
	if (!w)
		return NULL;
	thread = PyEval_SaveThread();
	state = hpt_wall_update(w);
	object_leave_sleep((struct object *)self);
	PyEval_RestoreThread(thread);
	return int64_or_raise(state, state);
}

/* ---- Commit wait --------------------------------------------------------------------------------------- */

struct commit_wait {
	struct object *wall;
	int64_t unix_ns, deadline_ns; /* the latter on the line of hpt_now_ns() */
};

/* A wall that is closed meanwhile lives on in the call. A wait after a signal handler finds it closed. */
static int wait_on_waiter(struct object *o, void *arg)
{
	const struct commit_wait *wait = arg;
	hpt_wall *w = object_try(wait->wall);
	int64_t timeout_ns = INT64_MAX;
	int code;

	if (!w)
		return -ECANCELED;
	if (wait->deadline_ns != INT64_MAX)
		timeout_ns = saturating_add(wait->deadline_ns, -hpt_now_ns(hpt_waiter_clock(o->c)));
	code = hpt_wall_wait_after_on(w, o->c, wait->unix_ns, timeout_ns);
	object_leave_sleep(wait->wall);
	return code;
}

static bool is_waiter(PyObject *self, PyObject *o)
{
	PyTypeObject *type = waiter_type(self);

	if (!type || PyObject_TypeCheck(o, type))
		return type;
	PyErr_SetString(PyExc_TypeError, "waiter is not a Waiter");
	return false;
}

static PyObject *wall_wait_after_on(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
	struct commit_wait wait = { .wall = (struct object *)self };

	if (!arity("wait_after_on", n, 3) || !is_waiter(self, args[0]) || !to_int64(args[1], &wait.unix_ns) ||
	    !to_int64(args[2], &wait.deadline_ns) || !object_enter(self))
		return NULL;
	object_leave(self);
	return wake_code(object_sleep(args[0], wait_on_waiter, &wait));
}

/* ---- Sleep until a moment ------------------------------------------------------------------------------ */

struct moment_sleep {
	struct object *wall;
	int64_t unix_ns, max_error_ns, error_ns;
};

/* As wait_on_waiter(). */
static int sleep_on_waiter(struct object *o, void *arg)
{
	struct moment_sleep *sleep = arg;
	hpt_wall *w = object_try(sleep->wall);
	int code;

	if (!w)
		return -ECANCELED;
	code = hpt_wall_sleep_until_ns_on(w, o->c, sleep->unix_ns, sleep->max_error_ns, &sleep->error_ns);
	object_leave_sleep(sleep->wall);
	return code;
}

static PyObject *wall_sleep_until_ns_on(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
	struct moment_sleep sleep = { .wall = (struct object *)self };
	int code;

	if (!arity("sleep_until_ns_on", n, 3) || !is_waiter(self, args[0]) || !to_int64(args[1], &sleep.unix_ns) ||
	    !to_int64(args[2], &sleep.max_error_ns) || !object_enter(self))
		return NULL;
	object_leave(self);
	code = object_sleep(args[0], sleep_on_waiter, &sleep);
	if (code == -ERANGE)
		return raise_code(code, "the error is larger than max_error_ns");
	return Py_BuildValue("NL", wake_code(code), (long long)sleep.error_ns);
}

/* ---- Event loops --------------------------------------------------------------------------------------- */

static PyObject *of_descriptor(PyObject *self, int (*f)(hpt_wall *))
{
	hpt_wall *w = object_enter(self);
	int code;

	if (!w)
		return NULL;
	code = f(w);
	object_leave(self);
	return int64_or_raise(code, code);
}

static PyObject *wall_fileno(PyObject *self, PyObject *unused)
{
	(void)unused;
	return of_descriptor(self, hpt_wall_fd);
}

static PyObject *wall_fd_clear(PyObject *self, PyObject *unused)
{
	(void)unused;
	return of_descriptor(self, hpt_wall_fd_clear);
}

/* ---- Facts --------------------------------------------------------------------------------------------- */

static PyObject *wall_info(PyObject *self, PyObject *unused)
{
	hpt_wall *w = object_enter(self);
	struct hpt_wall_info info;
	int code;

	(void)unused;
	if (!w)
		return NULL;
	code = hpt_wall_get_info(w, &info, sizeof(info));
	object_leave(self);
	return bytes_or_raise(code, &info, sizeof(info));
}

static PyObject *wall_source_info(PyObject *self, PyObject *arg)
{
	struct hpt_wall_source_info info;
	uint32_t source;
	hpt_wall *w;
	int code;

	if (!to_uint32(arg, &source))
		return NULL;
	w = object_enter(self);
	if (!w)
		return NULL;
	code = hpt_wall_source_get_info(w, source, &info, sizeof(info));
	object_leave(self);
	return bytes_or_raise(code, &info, sizeof(info));
}

/* ---- Timestamps ---------------------------------------------------------------------------------------- */

static PyObject *timestamp(int code, int64_t ns)
{
	if (code < 0)
		return raise_code(code, "the interval is too wide");
	return PyLong_FromLongLong(ns);
}

static PyObject *hlc_now(PyObject *self, PyObject *unused)
{
	hpt_hlc *h = object_enter(self);
	int64_t ns = 0;
	int code;

	(void)unused;
	if (!h)
		return NULL;
	code = hpt_hlc_now(h, &ns);
	object_leave(self);
	return timestamp(code, ns);
}

static PyObject *hlc_receive(PyObject *self, PyObject *arg)
{
	int64_t remote_ns, ns = 0;
	hpt_hlc *h = object_enter_with(self, arg, &remote_ns);
	int code;

	if (!h)
		return NULL;
	code = hpt_hlc_receive(h, remote_ns, &ns);
	object_leave(self);
	return timestamp(code, ns);
}

static PyObject *hlc_set_floor(PyObject *self, PyObject *arg)
{
	int64_t floor_ns;
	hpt_hlc *h = object_enter_with(self, arg, &floor_ns);
	int code;

	if (!h)
		return NULL;
	code = hpt_hlc_set_floor(h, floor_ns);
	object_leave(self);
	return none_or_raise(code);
}

/* ---- Types --------------------------------------------------------------------------------------------- */

static PyMethodDef wall_methods[] = {
	{ "now", wall_now, METH_NOARGS, "now($self, /)\n--\n\n"
	  "Earliest and latest Unix time in nanoseconds, tick, generation, state and flags." },
	{ "at", wall_at, METH_O, "at($self, tick, /)\n--\n\nThe same at a tick of the wall's clock." },
	{ "at_os_ns", FUNCTION(wall_at_os_ns), METH_FASTCALL, "at_os_ns($self, clockid, ns, /)\n--\n\n"
	  "The same when a clock of the kernel showed a time in nanoseconds." },
	{ "after", wall_after, METH_O, "after($self, unix_ns, /)\n--\n\n"
	  "Whether UTC is surely after a Unix time in nanoseconds." },
	{ "before", wall_before, METH_O, "before($self, unix_ns, /)\n--\n\n"
	  "Whether UTC is surely before a Unix time in nanoseconds." },
	{ "to_tai_ns", wall_to_tai_ns, METH_O, "to_tai_ns($self, unix_ns, /)\n--\n\n"
	  "TAI in nanoseconds of a Unix time in nanoseconds." },
	{ "feed", FUNCTION(wall_feed), METH_FASTCALL,
	  "feed($self, before, after, earliest_ns, latest_ns, flags, /)\n--\n\n"
	  "Add a sample: UTC was in the interval at some moment between two ticks." },
	{ "update", wall_update, METH_NOARGS, "update($self, /)\n--\n\nAsk all sources; returns the state." },
	{ "wait_after_on", FUNCTION(wall_wait_after_on), METH_FASTCALL,
	  "wait_after_on($self, waiter, unix_ns, deadline_ns, /)\n--\n\n"
	  "Wait until UTC is surely after a Unix time, or until the clock's now_ns() has reached a time in ns.\n"
	  "2^63 - 1: for ever. OSError with EAGAIN: no bound; with ETIMEDOUT." },
	{ "sleep_until_ns_on", FUNCTION(wall_sleep_until_ns_on), METH_FASTCALL,
	  "sleep_until_ns_on($self, waiter, unix_ns, max_error_ns, /)\n--\n\n"
	  "Sleep until UTC is a Unix time; returns how it ended and the error in ns. OSError with EAGAIN: no bound." },
	{ "fileno", wall_fileno, METH_NOARGS, "fileno($self, /)\n--\n\n"
	  "A descriptor that is readable as the bound is lost or gained. The wall owns it." },
	{ "fd_clear", wall_fd_clear, METH_NOARGS, "fd_clear($self, /)\n--\n\n"
	  "Make it unreadable until then; returns the state." },
	{ "info", wall_info, METH_NOARGS, "info($self, /)\n--\n\nThe struct hpt_wall_info." },
	{ "source_info", wall_source_info, METH_O, "source_info($self, source, /)\n--\n\n"
	  "The struct hpt_wall_source_info of a source." },
	{ "close", object_close, METH_NOARGS, "close($self, /)\n--\n\nRefuse later calls. Does not wait." },
	{ NULL, NULL, 0, NULL },
};

static PyType_Slot wall_slots[] = {
	{ Py_tp_doc, "Wall(clock, config, flags)\n--\n\n"
	  "Intervals that contain UTC; config is a struct hpt_wall_config as bytes." },
	{ Py_tp_new, wall_new },
	{ Py_tp_init, wall_init },
	{ Py_tp_dealloc, object_dealloc },
	{ Py_tp_traverse, object_traverse },
	{ Py_tp_methods, wall_methods },
	{ Py_tp_members, object_members },
	{ Py_tp_getset, object_getset },
	{ 0, NULL },
};

PyType_Spec wall_spec = { "hpt._native.Wall", sizeof(struct object), 0, TYPE_FLAGS, wall_slots };

static PyObject *hlc_info(PyObject *self, PyObject *unused)
{
	hpt_hlc *h = object_enter(self);
	struct hpt_hlc_info info;
	int code;

	(void)unused;
	if (!h)
		return NULL;
	code = hpt_hlc_get_info(h, &info, sizeof(info));
	object_leave(self);
	return bytes_or_raise(code, &info, sizeof(info));
}

static PyMethodDef hlc_methods[] = {
	{ "now", hlc_now, METH_NOARGS, "now($self, /)\n--\n\nA timestamp: Unix time in nanoseconds." },
	{ "receive", hlc_receive, METH_O, "receive($self, remote_ns, /)\n--\n\n"
	  "A timestamp that is also larger than one in nanoseconds that came from another machine. OSError with\n"
	  "EBADMSG: that one is too far ahead." },
	{ "set_floor", hlc_set_floor, METH_O, "set_floor($self, floor_ns, /)\n--\n\n"
	  "Make all further timestamps larger than this, in nanoseconds." },
	{ "info", hlc_info, METH_NOARGS, "info($self, /)\n--\n\nThe struct hpt_hlc_info." },
	{ "close", object_close, METH_NOARGS, "close($self, /)\n--\n\nRefuse later calls. Does not wait." },
	{ NULL, NULL, 0, NULL },
};

static PyType_Slot hlc_slots[] = {
	{ Py_tp_doc, "Hlc(wall, max_ahead_ns)\n--\n\nTimestamps that strictly increase." },
	{ Py_tp_new, hlc_new },
	{ Py_tp_init, hlc_init },
	{ Py_tp_dealloc, object_dealloc },
	{ Py_tp_traverse, object_traverse },
	{ Py_tp_methods, hlc_methods },
	{ Py_tp_members, object_members },
	{ Py_tp_getset, object_getset },
	{ 0, NULL },
};

PyType_Spec hlc_spec = { "hpt._native.Hlc", sizeof(struct object), 0, TYPE_FLAGS, hlc_slots };
