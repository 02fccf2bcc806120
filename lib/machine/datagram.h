/* SPDX-License-Identifier: MIT */
/* Questions to a daemon and their answers: datagrams by UDP, or by a Unix socket. */
#ifndef HPT_DATAGRAM_H
#define HPT_DATAGRAM_H

#include <stddef.h>
#include <stdint.h>

/* Of one exchange. */
#define HPT_DATAGRAMS_MOST 10

/* Datagrams that are sent at once, and what comes. */
struct hpt_datagrams {
	int         n;                           /* of each, 1 to HPT_DATAGRAMS_MOST */
	const void *requests;                    /* one after the other, of this length each */
	size_t      length;
	void       *replies;                     /* room for as many, of this size each, as they come */
	size_t      size;
	int         lengths[HPT_DATAGRAMS_MOST]; /* of what came; may exceed size, and then the rest of it is lost */
};

/*
 * Sends datagrams from a new socket, waits until as many have come from the same address, and closes the socket. An
 * address is 127.0.0.1:323 or [::1]:323, numeric only, or the absolute path of a socket; for the latter the own socket
 * is a file in the same folder meanwhile.
 *
 * Returns 0. Else -errno: -EINVAL for an address of another form, -ETIMEDOUT if one is missing, -ECONNREFUSED or
 * -ENOENT where nobody listens, ... Not a cancellation point. May change errno.
 */
int hpt_datagram_exchange(const char *address, struct hpt_datagrams *d, int64_t timeout_ns);

#endif
