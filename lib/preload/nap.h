/* SPDX-License-Identifier: MIT */
/*
 * A sleep of the program: served by the library, so that it ends on time, or passed on where it is too brief. A wait
 * that events end as well (preload/wait.h) is a nap with a look.
 */
#ifndef HPT_NAP_H
#define HPT_NAP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "machine/eventcount.h"
#include "preload/tally.h"
#include "sleep/look.h"

struct hpt_nap {
	struct hpt_eventcount eventcount; /* nothing changes it: its address is what leads from a wait to the nap */
	enum hpt_call call;
	const void *exit;   /* the program's next code: the hook's return address */
	bool is_in_ms;      /* its function waits for whole milliseconds alone */
	struct hpt_look *look; /* at what else ends it, which waits too, in nanoseconds; NULL: a sleep */

	/* Of hpt_nap_take(). */
	clockid_t id;       /* MONOTONIC or REALTIME, by which the end is given */
	int64_t at_ns;      /* the end */

	/* The spin. */
	enum hpt_unspun unspun; /* why it is left out; HPT_UNSPUN_NOT: it is allowed */
	uint32_t process;       /* hpt_process() */
	uint32_t places;        /* how many threads may spin at a time; 0: none, HPT_CROWD_ANY: no limit */
	bool is_first;          /* of the thread */
	bool is_plain;          /* it waits by one call in the kernel, to the end */

	/* Results. */
	int64_t left_ns;    /* after an error, at least 0 */
	int64_t woke_ns;    /* CLOCK_MONOTONIC when the kernel ended the last wait; 0: there was none */
	int64_t now_ns;     /* the clock nap->id at the end */
	int64_t charged_ns; /* how late that was */
	int refused;        /* the error by which the C library's function refused to wait; 0: it did not */
};

/*
 * Sleeps or waits until nap->at_ns, never less by the clock nap->id. Returns 0; ECANCELED: nap->look has the result; or
 * as hpt_nap_take(). began_ns: CLOCK_MONOTONIC. May change errno.
 */
int hpt_nap_serve(struct hpt_nap *nap, int64_t began_ns);

/* False where a sandbox has come to deny the clocks: this and later sleeps are then passed on. */
bool hpt_nap_is_readable(int64_t now_ns);

/* A wait of the nap in the kernel has ended without an event. */
void hpt_nap_note_wake(struct hpt_nap *nap, clockid_t id, int64_t until_ns);

/* The nap waits to its end, though it might spin: there was no place for it. */
void hpt_nap_note_crowd(struct hpt_nap *nap);

/*
 * Sleeps until nap->at_ns, never less by the clock nap->id. Returns 0; EINTR; or the error by which the C library's
 * function refused to wait. Once hpt_is_loaded(). A cancellation point. Keeps errno. Callable from signal handlers.
 */
int hpt_nap_take(struct hpt_nap *nap);

/* The same for a duration. Sets nap->id and nap->at_ns. */
int hpt_nap_take_for(struct hpt_nap *nap, int64_t length_ns);

/* A wait of the nap under way: the wait() of struct hpt_env. */
int hpt_nap_wait(const _Atomic uint32_t *word, uint32_t value, clockid_t id, int64_t until_ns);

#endif
