// SPDX-License-Identifier: MIT
/* Python's values as the library's, and back. */
#include "native.h"

#include <string.h>

/* Python 3.9 would take a float for PyLong_AsLongLong(), with a warning. */
static PyObject *index_of(PyObject *o)
{
	if (!PyLong_Check(o))
		return PyNumber_Index(o);
	Py_INCREF(o);
	return o;
}

int to_int64(PyObject *o, void *ret)
{
	PyObject *index = index_of(o);
	long long value;

	if (!index)
		return 0;
	value = PyLong_AsLongLong(index);
	Py_DECREF(index);
	if (value == -1 && PyErr_Occurred())
		return 0;
	*(int64_t *)ret = value;
	return 1;
}

int to_uint64(PyObject *o, void *ret)
{
	PyObject *index = index_of(o);
	unsigned long long value;

	if (!index)
		return 0;
	value = PyLong_AsUnsignedLongLong(index);
	Py_DECREF(index);
	if (value == (unsigned long long)-1 && PyErr_Occurred())
		return 0;
	*(uint64_t *)ret = value;
	return 1;
}

static bool to_range(PyObject *o, int64_t min, int64_t max, int64_t *ret)
{
	if (!to_int64(o, ret))
		return false;
	if (*ret >= min && *ret <= max)
		return true;
	PyErr_Format(PyExc_OverflowError, "%lld is not from %lld to %lld", (long long)*ret, (long long)min,
		     (long long)max);
	return false;
}

int to_int32(PyObject *o, void *ret)
{
	int64_t value;

	if (!to_range(o, INT32_MIN, INT32_MAX, &value))
		return 0;
	*(int32_t *)ret = (int32_t)value;
	return 1;
}

int to_uint32(PyObject *o, void *ret)
{
	int64_t value;

	if (!to_range(o, 0, UINT32_MAX, &value))
		return 0;
	*(uint32_t *)ret = (uint32_t)value;
	return 1;
}

int to_uint16(PyObject *o, void *ret)
{
	int64_t value;

	if (!to_range(o, 0, UINT16_MAX, &value))
		return 0;
	*(uint16_t *)ret = (uint16_t)value;
	return 1;
}

bool arity(const char *name, Py_ssize_t given, Py_ssize_t wanted)
{
	if (given == wanted)
		return true;
	PyErr_Format(PyExc_TypeError, "%s() takes exactly %zd arguments (%zd given)", name, wanted, given);
	return false;
}

PyObject *bytes_or_raise(int code, const void *bytes, size_t size)
{
	if (code < 0)
		return raise_code(code, NULL);
	return PyBytes_FromStringAndSize(bytes, (Py_ssize_t)size);
}

PyObject *int64_or_raise(int code, int64_t value)
{
	if (code < 0)
		return raise_code(code, NULL);
	return PyLong_FromLongLong(value);
}

const char *to_text(PyObject *o)
{
	Py_ssize_t size;
	const char *text;

	if (!PyUnicode_Check(o)) {
		PyErr_SetString(PyExc_TypeError, "the argument is not a str");
		return NULL;
	}
	text = PyUnicode_AsUTF8AndSize(o, &size);
	if (!text || (Py_ssize_t)strlen(text) == size)
		return text;
	PyErr_SetString(PyExc_ValueError, "the text has a null character");
	return NULL;
}
