// SPDX-License-Identifier: MIT
/* Asks a daemon by datagrams: lib/machine/datagram.h. */
#include "machine/datagram.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "arch/arch.h"
#include "math/units.h"
#include "machine/sys_clock.h"

/* A longer wait by poll() goes on after it. */
#define MOST_MS 1000000

/* Files of other processes, in other namespaces of processes, may have the same name. */
#define NAMES_TRIED 4

/* A socket, and where the other end is. */
struct talk {
	union {
		struct sockaddr base;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
		struct sockaddr_un un;
	} to;
	socklen_t to_length;
	struct sockaddr_un own; /* of a Unix socket, once it is bound */
	int fd;
	int64_t until_ns;       /* of CLOCK_MONOTONIC */
	int64_t rest_ns;        /* where no clock can be read: twice the longest time of the next wait */
	bool is_late;           /* it is later, and the last look is taken */
};

/* ---- Addresses ---------------------------------------------------------------------------------------------- */

/* "323", 1 to 65535, and nothing after it. 0: it is something else. */
static COLD uint16_t parse_port(const char *text)
{
	uint32_t port = 0;
	int n;

	for (n = 0; n < 5 && text[n] >= '0' && text[n] <= '9'; n++)
		port = port * 10 + (uint32_t)(text[n] - '0');
	return text[n] || port > UINT16_MAX ? 0 : (uint16_t)port;
}

static COLD bool parse_path(const char *address, struct talk *talk)
{
	size_t length = strlen(address);

	if (length >= sizeof(talk->to.un.sun_path))
		return false;
	talk->to.un.sun_family = AF_UNIX;
	memcpy(talk->to.un.sun_path, address, length + 1);
	talk->to_length = sizeof(talk->to.un);
	return true;
}

/* The port begins after the last colon. */
static COLD bool parse_numeric(const char *address, struct talk *talk)
{
	const char *colon = strrchr(address, ':');
	char host[INET6_ADDRSTRLEN + 2];
	size_t length = colon ? (size_t)(colon - address) : 0;
	uint16_t port = colon ? parse_port(colon + 1) : 0;

	if (!port || length < 2 || length >= sizeof(host))
		return false;
	memcpy(host, address, length);
	host[length] = '\0';
	if (host[0] == '[' && host[length - 1] == ']') {
		host[length - 1] = '\0';
		talk->to.in6.sin6_family = AF_INET6;
		talk->to.in6.sin6_port = htons(port);
		talk->to_length = sizeof(talk->to.in6);
		return inet_pton(AF_INET6, host + 1, &talk->to.in6.sin6_addr) == 1;
	}
	talk->to.in.sin_family = AF_INET;
	talk->to.in.sin_port = htons(port);
	talk->to_length = sizeof(talk->to.in);
	return inet_pton(AF_INET, host, &talk->to.in.sin_addr) == 1;
}

/* ---- The own end of a Unix socket --------------------------------------------------------------------------- */

/* A name that no other thread here takes, in the folder of the other end. False: it is too long. */
static COLD bool name_own(struct talk *talk)
{
	static _Atomic uint32_t count;
	const char *path = talk->to.un.sun_path;
	int folder = (int)(strrchr(path, '/') - path);
	int n = snprintf(talk->own.sun_path, sizeof(talk->own.sun_path), "%.*s/hpt.%d.%x", folder, path, (int)getpid(),
			 (unsigned)atomic_fetch_add(&count, 1));

	talk->own.sun_family = AF_UNIX;
	return n < (int)sizeof(talk->own.sun_path);
}

/*
 * The daemon answers to a path, which it must be allowed to write to: chronyd has given up root by then. chronyc does
 * the same, in folders of its own (client.c: open_unix_socket()). Here the socket is connected before it is bound, so
 * that the kernel lets nobody but the daemon send to it. A link of that name is not followed.
 */
static COLD int bind_own(struct talk *talk)
{
	int r = -EADDRINUSE;

	for (int tries = 0; tries < NAMES_TRIED && r == -EADDRINUSE; tries++) {
		if (!name_own(talk))
			return -ENAMETOOLONG;
		r = bind(talk->fd, (struct sockaddr *)&talk->own, sizeof(talk->own)) ? -errno : 0;
	}
	if (r) {
		talk->own.sun_path[0] = '\0';
		return r;
	}
	return fchmodat(AT_FDCWD, talk->own.sun_path, 0666, AT_SYMLINK_NOFOLLOW) ? -errno : 0;
}

/* ---- Talking ------------------------------------------------------------------------------------------------ */

/* By system call, because libc's clock may be replaced. Where that is denied, the vDSO's may work. */
static COLD bool read_own_clock(int64_t *ret_ns)
{
	struct timespec ts;

	if (hpt_sys_clock_ns(CLOCK_MONOTONIC, ret_ns))
		return true;
	if (clock_gettime(CLOCK_MONOTONIC, &ts))
		return false;
	*ret_ns = (int64_t)ts.tv_sec * NS_PER_S + ts.tv_nsec;
	return true;
}

/* Where no clock can be read each wait gets half of what the one before had, so that they end. */
static COLD int64_t left_ns(struct talk *talk)
{
	int64_t now_ns;

	talk->rest_ns /= 2;
	return read_own_clock(&now_ns) ? talk->until_ns - now_ns : talk->rest_ns;
}

/*
 * The time may be over because this thread did not run, while the answer came: the caller tries once more, which does
 * not block, and no more than once, whatever others send meanwhile.
 */
static COLD int look_again(struct talk *talk)
{
	bool was_late = talk->is_late;

	talk->is_late = true;
	return was_late ? -ETIMEDOUT : 0;
}

/* Waits until the socket is ready for that, or has an error to report, or it is time for the last look. */
static COLD int await(struct talk *talk, short events)
{
	struct pollfd at = { .fd = talk->fd, .events = events };
	struct timespec left;
	int64_t ns;
	int n;

	do {
		ns = left_ns(talk);
		if (ns <= 0)
			return look_again(talk);
		left = (struct timespec){ .tv_sec = (time_t)(ns / NS_PER_S), .tv_nsec = (long)(ns % NS_PER_S) };
		n = ppoll(&at, 1, &left, NULL);
		if (n < 0 && errno != EINTR) /* a sandbox that does not know the 64-bit call: see sys_clock.h */
			n = poll(&at, 1, (int)(ns < MOST_MS * NS_PER_MS ? ns / NS_PER_MS + 1 : MOST_MS));
	} while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : 0;
}

static bool may_come_yet(int error)
{
	return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

/* A daemon that reads nothing fills the queue of its Unix socket. */
static COLD int send_one(struct talk *talk, const void *request, size_t length)
{
	int r;

	while (send(talk->fd, request, length, MSG_NOSIGNAL) < 0) {
		if (!may_come_yet(errno))
			return -errno;
		r = await(talk, POLLOUT);
		if (r)
			return r;
	}
	return 0;
}

/* What has come already needs no wait. */
static COLD int receive(struct talk *talk, void *ret, size_t size, int *ret_length)
{
	ssize_t n;
	int r;

	while ((n = recv(talk->fd, ret, size, MSG_TRUNC)) < 0) {
		if (!may_come_yet(errno))
			return -errno;
		r = await(talk, POLLIN);
		if (r)
			return r;
	}
	*ret_length = (int)n;
	return 0;
}

static COLD int converse(struct talk *talk, struct hpt_datagrams *d)
{
	int r = 0;

	if (connect(talk->fd, &talk->to.base, talk->to_length))
		return -errno;
	if (talk->to.base.sa_family == AF_UNIX)
		r = bind_own(talk);
	for (int i = 0; !r && i < d->n; i++)
		r = send_one(talk, (const char *)d->requests + (size_t)i * d->length, d->length);
	for (int i = 0; !r && i < d->n; i++)
		r = receive(talk, (char *)d->replies + (size_t)i * d->size, d->size, &d->lengths[i]);
	return r;
}

/* Cancellation is off, because a cancelled thread would leave the socket open and not remove its file. */
COLD int hpt_datagram_exchange(const char *address, struct hpt_datagrams *d, int64_t timeout_ns)
{
	struct talk talk = { .rest_ns = 2 * timeout_ns };
	int r, cancel;

	if (read_own_clock(&talk.until_ns))
		talk.until_ns += timeout_ns;

	if (!(address[0] == '/' ? parse_path(address, &talk) : parse_numeric(address, &talk)))
		return -EINVAL;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	talk.fd = socket(talk.to.base.sa_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (talk.fd < 0) {
		r = -errno;
	} else {
		r = converse(&talk, d);
		if (talk.own.sun_path[0])
			unlink(talk.own.sun_path);
		close(talk.fd);
	}
	pthread_setcancelstate(cancel, NULL);
	return r;
}
