/* SPDX-License-Identifier: MIT */
/* A server of time: its own error, the bound of it that it claims, and whether it lies. */
#ifndef HPT_FLEET_SERVER_H
#define HPT_FLEET_SERVER_H

#include <stdbool.h>
#include <stdint.h>

struct server {
	uint64_t key;           /* its random numbers */
	int64_t  bound_ns;      /* it claims to be no more wrong than this */
	int64_t  lie_ns;        /* in [from, to) it is off by this as well */
	int64_t  lie_from_ns, lie_to_ns;
};

/* How far its time is ahead of the truth. Without a lie within its bound, often at an end of it. */
int64_t server_ahead_ns(const struct server *s, int64_t at_ns);

/* True if what it states at this moment is false. */
bool server_is_false(const struct server *s, int64_t at_ns);

#endif
