/* SPDX-License-Identifier: MIT */
/* One question to a daemon and its answer: a datagram by UDP, or by a Unix socket. */
#ifndef HPT_DATAGRAM_H
#define HPT_DATAGRAM_H

#include <stddef.h>
#include <stdint.h>

/*
 * Sends a datagram from a new socket, waits for one from the same address, and closes the socket. An address is
 * 127.0.0.1:323 or [::1]:323, numeric only, or the absolute path of a socket; for the latter the own socket is a file
 * in the same folder meanwhile.
 *
 * Returns the length of what came; it may exceed size, and then the rest of it is lost. Else -errno: -EINVAL for an
 * address of another form, -ETIMEDOUT, -ECONNREFUSED or -ENOENT where nobody listens, ... Not a cancellation point. May
 * change errno.
 */
int hpt_datagram_exchange(const char *address, const void *request, size_t length, void *ret, size_t size,
			  int64_t timeout_ns);

#endif
