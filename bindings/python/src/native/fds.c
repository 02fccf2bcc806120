// SPDX-License-Identifier: MIT
/* Waits for descriptors on a waiter: by poll(2) and by an epoll set. */
#include "native.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <sys/epoll.h>

/* The kernel takes no more at once. */
#define MOST_EVENTS (INT_MAX / sizeof(struct epoll_event))

/* An empty list, or -ECANCELED as an int; or the exception of CODE, which is negative. */
static PyObject *nothing_found(int code, const char *text)
{
	if (!code)
		return PyList_New(0);
	return code == -EINVAL ? raise_code(code, text) : wake_code(code);
}

/* Appends a descriptor and its events: false with an exception. */
static bool append(PyObject *list, int fd, uint32_t events)
{
	PyObject *pair = Py_BuildValue("(iI)", fd, (unsigned int)events);
	bool good = pair && PyList_Append(list, pair) == 0;

	Py_XDECREF(pair);
	return good;
}

/* ---- poll ---------------------------------------------------------------------------------------------- */

struct polling {
	struct pollfd *fds;
	Py_ssize_t n;
	int64_t at_ns;
};

static int poll_on_waiter(struct object *o, void *arg)
{
	const struct polling *wait = arg;
	uint32_t n = wait->n < UINT32_MAX ? (uint32_t)wait->n : UINT32_MAX; /* more than the kernel takes */

	return hpt_waiter_poll_until_ns(o->c, wait->fds, n, wait->at_ns);
}

static bool to_pollfd(PyObject *pair, struct pollfd *ret)
{
	PyObject *two = PySequence_Tuple(pair);
	uint16_t events = 0;
	bool good = false;

	if (two && PyTuple_Size(two) != 2) {
		PyErr_SetString(PyExc_ValueError, "a pair of a descriptor and its events is needed");
	} else if (two) {
		ret->fd = PyObject_AsFileDescriptor(PyTuple_GetItem(two, 0));
		good = ret->fd >= 0 && to_uint16(PyTuple_GetItem(two, 1), &events);
		ret->events = (short)events;
	}
	Py_XDECREF(two);
	return good;
}

/* False with an exception. The array is the caller's to free. */
static bool to_pollfds(PyObject *pairs, struct polling *ret)
{
	ret->n = PyTuple_Size(pairs);
	ret->fds = PyMem_Calloc((size_t)ret->n, sizeof(*ret->fds));
	if (!ret->fds) {
		(void)PyErr_NoMemory();
		return false;
	}
	for (Py_ssize_t i = 0; i < ret->n; i++)
		if (!to_pollfd(PyTuple_GetItem(pairs, i), &ret->fds[i]))
			return false;
	return true;
}

static PyObject *polled(int code, const struct polling *wait)
{
	PyObject *list;

	if (code <= 0)
		return nothing_found(code, "these are more descriptors than the process may open");
	list = PyList_New(0);
	for (Py_ssize_t i = 0; list && i < wait->n; i++) {
		const struct pollfd *f = &wait->fds[i];

		if (f->revents && !append(list, f->fd, (uint16_t)f->revents))
			Py_CLEAR(list);
	}
	return list;
}

/* Holds what it is given until the wait is over: a file whose last reference goes is closed. */
PyObject *waiter_poll_until_ns(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
	struct polling wait = { .fds = NULL };
	PyObject *pairs, *list = NULL;

	if (!arity("poll_until_ns", n, 2) || !to_int64(args[1], &wait.at_ns))
		return NULL;
	pairs = PySequence_Tuple(args[0]);
	if (!pairs)
		return NULL;
	if (to_pollfds(pairs, &wait))
		list = polled(object_sleep(self, poll_on_waiter, &wait), &wait);
	PyMem_Free(wait.fds);
	Py_DECREF(pairs);
	return list;
}

/* ---- epoll --------------------------------------------------------------------------------------------- */

struct epolling {
	struct epoll_event *events;
	int64_t at_ns;
	uint32_t max;
	int epfd;
};

static int epoll_on_waiter(struct object *o, void *arg)
{
	const struct epolling *wait = arg;

	return hpt_waiter_epoll_until_ns(o->c, wait->epfd, wait->events, wait->max, wait->at_ns);
}

/* The events' data are descriptors: Python's select.epoll has it so. */
static PyObject *epolled(int code, const struct epolling *wait)
{
	PyObject *list;

	if (code <= 0)
		return nothing_found(code, "this is no epoll set, or max_events is 0 or too large");
	list = PyList_New(0);
	for (int i = 0; list && i < code; i++)
		if (!append(list, wait->events[i].data.fd, wait->events[i].events))
			Py_CLEAR(list);
	return list;
}

PyObject *waiter_epoll_until_ns(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
	struct epolling wait = { .events = NULL };
	PyObject *list;

	if (!arity("epoll_until_ns", n, 3) || !to_uint32(args[1], &wait.max) || !to_int64(args[2], &wait.at_ns))
		return NULL;
	wait.epfd = PyObject_AsFileDescriptor(args[0]);
	if (wait.epfd < 0)
		return NULL;
	if (wait.max > MOST_EVENTS)
		return epolled(-EINVAL, &wait);
	wait.events = PyMem_Malloc(wait.max * sizeof(*wait.events));
	if (!wait.events)
		return PyErr_NoMemory();
	list = epolled(object_sleep(self, epoll_on_waiter, &wait), &wait);
	PyMem_Free(wait.events);
	return list;
}
