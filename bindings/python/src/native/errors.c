// SPDX-License-Identifier: MIT
/* Exceptions of negative errno values. */
#include "native.h"

#include <errno.h>

PyObject *raise_code(int code, const char *text)
{
	switch (code) {
	case -ENOMEM:
		return PyErr_NoMemory();
	case -EINVAL:
		PyErr_SetString(PyExc_ValueError, text ? text : "a value is outside its range");
		return NULL;
	case -ERANGE:
		PyErr_SetString(PyExc_OverflowError, text ? text : "the result does not fit in 64 bits");
		return NULL;
	default:
		errno = -code;
		return PyErr_SetFromErrno(PyExc_OSError);
	}
}

PyObject *none(void)
{
	Py_INCREF(Py_None);
	return Py_None;
}

PyObject *none_or_raise(int code)
{
	if (code < 0)
		return raise_code(code, NULL);
	return none();
}
