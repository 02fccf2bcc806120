/* SPDX-License-Identifier: MIT */
/*
 * Preloaded into a receiver: notes when the kernel received each datagram that the program takes by read(). At exit the
 * times go to the file that the variable RECEIVE_TIMES names: a line for each, with socket and nanoseconds.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 2000000 };

static struct { int fd; long long ns; } *noted;
static int count;

/* Asks for times as well: each socket's first datagram may come without one. */
static int is_datagram(int fd)
{
	int type = 0, on = 1;
	socklen_t size = sizeof(type);

	return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_DGRAM &&
	       setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof(on)) == 0;
}

static void note(int fd, struct msghdr *msg)
{
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(msg);
	struct timespec ts;

	if (!noted)
		noted = calloc(MOST, sizeof(*noted));
	if (!noted || !cmsg || cmsg->cmsg_type != SCM_TIMESTAMPNS || count == MOST)
		return;
	memcpy(&ts, CMSG_DATA(cmsg), sizeof(ts));
	noted[count].fd = fd;
	noted[count++].ns = ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

ssize_t read(int fd, void *buf, size_t size)
{
	static ssize_t (*real)(int, void *, size_t);
	char control[CMSG_SPACE(sizeof(struct timespec))];
	struct iovec part = { buf, size };
	struct msghdr msg = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = control,
			      .msg_controllen = sizeof(control) };
	ssize_t got;

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "read");
	if (!is_datagram(fd))
		return real(fd, buf, size);
	got = recvmsg(fd, &msg, 0);
	if (got > 0)
		note(fd, &msg);
	return got;
}

__attribute__((destructor)) static void write_times(void)
{
	const char *path = getenv("RECEIVE_TIMES");
	FILE *file = path ? fopen(path, "w") : NULL;

	for (int i = 0; file && i < count; i++)
		fprintf(file, "%d %lld\n", noted[i].fd, noted[i].ns);
	if (file)
		fclose(file);
}
