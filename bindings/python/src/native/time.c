// SPDX-License-Identifier: MIT
/* Conversions of a clock's ticks: to nanoseconds, to the kernel's clocks, to text, and back. */
#include "native.h"

#include <errno.h>

#define TIME_RANGE "the time does not fit in 64 bits"

/* ---- From one number to another ------------------------------------------------------------------------ */

typedef int (*conversion)(hpt_clock *clk, int64_t value, int64_t *ret);

static PyObject *convert(PyObject *self, PyObject *arg, conversion f)
{
	int64_t value, result = 0;
	hpt_clock *clk = object_enter_with(self, arg, &value);
	int code;

	if (!clk)
		return NULL;
	code = f(clk, value, &result);
	object_leave(self);
	return code < 0 ? raise_code(code, TIME_RANGE) : PyLong_FromLongLong(result);
}

static int ticks_to_ns(hpt_clock *clk, int64_t ticks, int64_t *ret)
{
	*ret = hpt_ticks_to_ns(clk, ticks);
	return 0;
}

static int ns_to_ticks(hpt_clock *clk, int64_t ns, int64_t *ret)
{
	*ret = hpt_ns_to_ticks(clk, ns);
	return 0;
}

PyObject *clock_ticks_to_ns(PyObject *self, PyObject *ticks)
{
	return convert(self, ticks, ticks_to_ns);
}

PyObject *clock_ns_to_ticks(PyObject *self, PyObject *ns)
{
	return convert(self, ns, ns_to_ticks);
}

PyObject *clock_to_ns(PyObject *self, PyObject *tick)
{
	return convert(self, tick, hpt_time_to_ns);
}

PyObject *clock_from_ns(PyObject *self, PyObject *ns)
{
	return convert(self, ns, hpt_time_from_ns);
}

PyObject *clock_to_unix_ns(PyObject *self, PyObject *tick)
{
	return convert(self, tick, hpt_time_to_unix_ns);
}

PyObject *clock_from_unix_ns(PyObject *self, PyObject *ns)
{
	return convert(self, ns, hpt_time_from_unix_ns);
}

PyObject *clock_to_unix_ticks(PyObject *self, PyObject *tick)
{
	return convert(self, tick, hpt_time_to_unix_ticks);
}

/* ---- From two numbers to one --------------------------------------------------------------------------- */

PyObject *clock_add_ns(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
	int64_t time, amount, result = 0;
	hpt_clock *clk;
	int code;

	if (!arity("add_ns", n, 2) || !to_int64(args[0], &time) || !to_int64(args[1], &amount))
		return NULL;
	clk = object_enter(self);
	if (!clk)
		return NULL;
	code = hpt_time_add_ns(clk, time, amount, &result);
	object_leave(self);
	return code < 0 ? raise_code(code, TIME_RANGE) : PyLong_FromLongLong(result);
}

typedef int (*os_conversion)(hpt_clock *clk, int64_t value, int32_t clockid, int64_t *ret);

static PyObject *convert_os(PyObject *self, PyObject *const *args, os_conversion f)
{
	int64_t value, result = 0;
	int32_t clockid;
	hpt_clock *clk;
	int code;

	if (!to_int64(args[0], &value) || !to_int32(args[1], &clockid))
		return NULL;
	clk = object_enter(self);
	if (!clk)
		return NULL;
	code = f(clk, value, clockid, &result);
	object_leave(self);
	return int64_or_raise(code, result);
}

PyObject *clock_to_os(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
	return arity("to_os", n, 2) ? convert_os(self, args, hpt_time_to_os) : NULL;
}

PyObject *clock_from_os(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
	return arity("from_os", n, 2) ? convert_os(self, args, hpt_time_from_os) : NULL;
}

/* ---- Text ---------------------------------------------------------------------------------------------- */

typedef int (*format)(hpt_clock *clk, int64_t value, char *buf, size_t size);

static PyObject *format_by(PyObject *self, PyObject *arg, format f)
{
	char buf[64];
	int64_t value;
	hpt_clock *clk = object_enter_with(self, arg, &value);
	int code;

	_Static_assert(sizeof(buf) >= HPT_TICKS_FORMAT_SIZE && sizeof(buf) >= HPT_TIME_FORMAT_SIZE, "too small");
	if (!clk)
		return NULL;
	code = f(clk, value, buf, sizeof(buf));
	object_leave(self);
	if (code < 0)
		return raise_code(code, "the time is not from 1677 to 2262");
	return PyUnicode_FromStringAndSize(buf, code);
}

PyObject *clock_format(PyObject *self, PyObject *tick)
{
	return format_by(self, tick, hpt_time_format);
}

PyObject *clock_format_ticks(PyObject *self, PyObject *ticks)
{
	return format_by(self, ticks, hpt_ticks_format);
}

PyObject *clock_parse(PyObject *self, PyObject *arg)
{
	const char *text = to_text(arg);
	int64_t tick = 0;
	hpt_clock *clk;
	int code;

	if (!text)
		return NULL;
	clk = object_enter(self);
	if (!clk)
		return NULL;
	code = hpt_time_parse(clk, text, &tick);
	object_leave(self);
	if (code == -EINVAL)
		return raise_code(code, "the text is not a time such as 2026-11-20T10:47:59.123456789Z");
	return code < 0 ? raise_code(code, TIME_RANGE) : PyLong_FromLongLong(tick);
}
