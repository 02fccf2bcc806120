// SPDX-License-Identifier: MIT
/* Batches of ticks as times, by time bases and the buffer protocol. */
#include "native.h"

#include <string.h>

#define WITH_GIL 4096 /* ticks that are converted faster than another thread takes the GIL */
#define CHUNK 512     /* ticks of a buffer that is not aligned */

typedef int (*batch)(const struct hpt_timebase *first, const struct hpt_timebase *last, const int64_t *ticks,
		     int64_t *ret, size_t n);

/* ---- Arguments ----------------------------------------------------------------------------------------- */

static bool to_timebase(PyObject *o, struct hpt_timebase *ret)
{
	Py_buffer view;
	bool fits;

	if (PyObject_GetBuffer(o, &view, PyBUF_SIMPLE) < 0)
		return false;
	fits = view.len == sizeof(ret->bytes);
	if (fits)
		memcpy(ret->bytes, view.buf, sizeof(ret->bytes));
	PyBuffer_Release(&view);
	if (!fits)
		PyErr_Format(PyExc_ValueError, "a time base has %d bytes", (int)sizeof(ret->bytes));
	return fits;
}

/* ctypes calls its 64-bit integers "<l" on some machines, so the size of an item decides. */
static bool is_int64(const Py_buffer *view)
{
	const char *format = view->format;

	if (!format || view->itemsize != sizeof(int64_t))
		return false;
	if (*format == '@' || *format == '=' || *format == (PY_BIG_ENDIAN ? '>' : '<') ||
	    (PY_BIG_ENDIAN && *format == '!'))
		format++;
	return (*format == 'q' || *format == 'l' || *format == 'n') && !format[1];
}

/* A view of NAME's int64 items; false with an exception, and then nothing is to be released. */
static bool view_of(PyObject *o, const char *name, bool writable, Py_buffer *ret)
{
	if (PyObject_GetBuffer(o, ret, PyBUF_FULL_RO) < 0)
		return false;
	if (!is_int64(ret))
		PyErr_Format(PyExc_TypeError, "%s has no signed integers of 64 bits in native order", name);
	else if (writable && ret->readonly)
		PyErr_Format(PyExc_BufferError, "%s is read-only", name);
	else if (!PyBuffer_IsContiguous(ret, 'C'))
		PyErr_Format(PyExc_BufferError, "%s is not C-contiguous", name);
	else
		return true;
	PyBuffer_Release(ret);
	return false;
}

static bool overlap(const Py_buffer *a, const Py_buffer *b)
{
	uintptr_t begin = (uintptr_t)a->buf, other = (uintptr_t)b->buf;

	return begin != other && begin < other + (uintptr_t)b->len && other < begin + (uintptr_t)a->len;
}

static bool fit_together(const Py_buffer *ticks, const Py_buffer *out)
{
	if (ticks->len != out->len)
		PyErr_SetString(PyExc_ValueError, "ticks and out have different lengths");
	else if (overlap(ticks, out))
		PyErr_SetString(PyExc_ValueError, "ticks and out overlap, and are not the same");
	else
		return true;
	return false;
}

/* ---- Conversion ---------------------------------------------------------------------------------------- */

struct job {
	batch f;
	struct hpt_timebase first, last;
	const struct hpt_timebase *last_or_null;
	Py_buffer ticks, out;
};

static bool aligned(const void *p)
{
	return (uintptr_t)p % _Alignof(int64_t) == 0;
}

static int convert_chunks(const struct job *job, size_t count)
{
	const char *from = job->ticks.buf;
	char *to = job->out.buf;
	int64_t chunk[CHUNK];

	for (size_t done = 0, n; done < count; done += n) {
		int code;

		n = count - done < CHUNK ? count - done : CHUNK;
		memcpy(chunk, from + done * sizeof(*chunk), n * sizeof(*chunk));
		code = job->f(&job->first, job->last_or_null, chunk, chunk, n);
		if (code < 0)
			return code;
		memcpy(to + done * sizeof(*chunk), chunk, n * sizeof(*chunk));
	}
	return 0;
}

/* Even of no ticks the time bases must be in order. */
static int convert_buffers(const struct job *job)
{
	size_t count = (size_t)job->ticks.len / sizeof(int64_t);
	int64_t none = 0;

	if (!count)
		return job->f(&job->first, job->last_or_null, &none, &none, 0);
	if (!aligned(job->ticks.buf) || !aligned(job->out.buf))
		return convert_chunks(job, count);
	return job->f(&job->first, job->last_or_null, job->ticks.buf, job->out.buf, count);
}

static int convert_views(const struct job *job)
{
	PyThreadState *thread;
	int code;

	if (job->ticks.len <= (Py_ssize_t)(WITH_GIL * sizeof(int64_t)))
		return convert_buffers(job);
	thread = PyEval_SaveThread();
	code = convert_buffers(job);
	PyEval_RestoreThread(thread);
	return code;
}

static PyObject *convert(struct job *job, PyObject *ticks, PyObject *out)
{
	PyObject *result = NULL;
	int code;

	if (!view_of(ticks, "ticks", false, &job->ticks))
		return NULL;
	if (!view_of(out, "out", true, &job->out)) {
		PyBuffer_Release(&job->ticks);
		return NULL;
	}
	if (fit_together(&job->ticks, &job->out)) {
		code = convert_views(job);
		result = code < 0 ? raise_code(code, "a time base is damaged, or the two do not belong together")
				  : Py_None;
	}
	PyBuffer_Release(&job->out);
	PyBuffer_Release(&job->ticks);
	Py_XINCREF(result);
	return result;
}

static PyObject *convert_args(PyObject *const *args, const char *name, Py_ssize_t n, batch f)
{
	struct job job = { .f = f };

	if (!arity(name, n, 4) || !to_timebase(args[0], &job.first))
		return NULL;
	if (args[1] != Py_None) {
		if (!to_timebase(args[1], &job.last))
			return NULL;
		job.last_or_null = &job.last;
	}
	return convert(&job, args[2], args[3]);
}

static PyObject *timebase_to_ns(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
	(void)module;
	return convert_args(args, "timebase_to_ns", n, hpt_timebase_to_ns);
}

static PyObject *timebase_to_unix_ns(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
	(void)module;
	return convert_args(args, "timebase_to_unix_ns", n, hpt_timebase_to_unix_ns);
}

/* ---- Table --------------------------------------------------------------------------------------------- */

#define BUFFERS "\n\nLAST is a later time base or None. TICKS and OUT are contiguous buffers of signed\n" \
	"integers of 64 bits, equally long, and may be the same. Releases the GIL for more than 4096 ticks."

static PyMethodDef functions[] = {
	{ "timebase_to_ns", FUNCTION(timebase_to_ns), METH_FASTCALL,
	  "timebase_to_ns($module, first, last, ticks, out, /)\n--\n\n"
	  "Convert ticks to nanoseconds on now_ns()'s timeline." BUFFERS },
	{ "timebase_to_unix_ns", FUNCTION(timebase_to_unix_ns), METH_FASTCALL,
	  "timebase_to_unix_ns($module, first, last, ticks, out, /)\n--\n\n"
	  "Convert ticks to nanoseconds since 1970-01-01 00:00 UTC." BUFFERS },
	{ NULL, NULL, 0, NULL },
};

int timebase_add(PyObject *module)
{
	return PyModule_AddFunctions(module, functions);
}
