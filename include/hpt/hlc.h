/* SPDX-License-Identifier: MIT */
/*
 * hlc.h - hybrid logical clocks: timestamps that strictly increase in a process, over a wall. wall.h includes it.
 */
#ifndef LIBHPT_HLC_H
#define LIBHPT_HLC_H

#include <hpt/clock.h>

#ifdef __cplusplus
extern "C" {
#endif

struct hpt_wall;

/* A hybrid logical clock: timestamps that strictly increase in a process. */
typedef struct hpt_hlc hpt_hlc;

/* Facts about a hybrid logical clock. */
struct hpt_hlc_info {
	uint32_t size;                  /* bytes filled in */
	uint32_t sees_clones;           /* 1: a clone of the virtual machine is noticed; 0: nothing reports one */
	uint64_t incarnation;           /* a random number for those whose timestamps are distinct; 0: none now */
};
enum { HPT_HLC_INFO_SIZE_V0 = 16 };

/**
 * hpt_hlc_new - a hybrid logical clock
 *
 * @w:            the wall, which it holds
 * @max_ahead_ns: how far beyond latest_ns a timestamp that comes may be, and a floor; not negative. More than any
 *                machine's interval is wide: see hpt_hlc_new(3)
 * @flags:        0
 * @ret:          the clock; untouched on failure. hpt_hlc_free() gives it back.
 *
 * Return: 0
 *         -EINVAL  a NULL, @max_ahead_ns is negative, or @flags is not 0
 *         -ENOMEM  no memory
 *
 * Safety: MT-Safe, AS-Unsafe. Cost: an allocation and getrandom(2).
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_hlc_new(struct hpt_wall *w, int64_t max_ahead_ns, uint32_t flags, hpt_hlc **ret);

/**
 * hpt_hlc_free - give a hybrid logical clock back
 *
 * @h: the clock. NULL is left alone.
 *
 * Safety: MT-Safe, AS-Unsafe. Cost: free(), and hpt_wall_close().
 * Since:  1.0
 */
HPT_API void hpt_hlc_free(hpt_hlc *h);

/**
 * hpt_hlc_now - a timestamp of now, larger than all that this clock gave or received
 *
 * @h:   the clock
 * @ret: the larger of latest_ns and the previous timestamp + 1, as Unix time; untouched on failure
 *
 * Return: 0
 *         -EAGAIN  the wall has no bound, a floor is max_ahead_ns beyond latest_ns or more, or no larger timestamp
 *                  exists
 *         -ERANGE  the interval is wider than the wall's max_width_ns
 *         -ESTALE  in a forked child, and in a clone of the virtual machine that VMClock reports, until
 *                  hpt_hlc_set_floor(): timestamps could equal those of the parent, or of another clone
 *         -EINVAL  a NULL
 *
 * A sample that narrows the interval stops no timestamps: the previous one + 1 may be beyond latest_ns + max_ahead_ns.
 *
 * Safety: leaf. Cost: hpt_wall_now() and an atomic exchange.
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_hlc_now(hpt_hlc *h, int64_t *ret);

/**
 * hpt_hlc_receive - a timestamp larger than one that came from another machine
 *
 * @h:         the clock
 * @remote_ns: the timestamp that came
 * @ret:       as for hpt_hlc_now(), and larger than @remote_ns; untouched on failure
 *
 * Return: as hpt_hlc_now(), which are this machine's own errors, or
 *         -EBADMSG @remote_ns is more than max_ahead_ns beyond latest_ns, or INT64_MAX: the other machine's clock is
 *                  wrong, or this one's. It leaves no trace.
 *
 * Safety: leaf. Cost: as hpt_hlc_now().
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_hlc_receive(hpt_hlc *h, int64_t remote_ns, int64_t *ret);

/**
 * hpt_hlc_set_floor - all further timestamps are larger than this
 *
 * @h:        the clock
 * @floor_ns: after a restart: the largest timestamp that the program may have given before. A floor below a timestamp
 *            that this clock has already given changes nothing.
 *
 * Return: 0
 *         -EINVAL  @h is NULL, or @floor_ns is INT64_MAX
 *
 * Ends -ESTALE, with a new incarnation: hpt_hlc_get_info().
 *
 * Safety: leaf. Cost: an atomic exchange; where it ends -ESTALE, getrandom(2).
 * Since:  1.0
 */
HPT_API int hpt_hlc_set_floor(hpt_hlc *h, int64_t floor_ns);

/**
 * hpt_hlc_get_info - facts about a hybrid logical clock
 *
 * @h:    the clock
 * @ret:  the facts; untouched on failure
 * @size: sizeof(*ret), at least HPT_HLC_INFO_SIZE_V0
 *
 * The incarnation is drawn by hpt_hlc_new(), and again by hpt_hlc_set_floor() where that ends -ESTALE. Timestamps of
 * parent and child, or of clones, may be equal; timestamp and incarnation together are not, if the incarnation is read
 * after the timestamp. 0: hpt_hlc_now() would return -ESTALE, or VMClock's page is being written.
 *
 * Return: 0
 *         -EINVAL  a NULL, or @size is too small
 *
 * Safety: leaf. Cost: a few loads; with VMClock up to 2 us.
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_hlc_get_info(hpt_hlc *h, struct hpt_hlc_info *ret, size_t size);

#ifdef __cplusplus
}
#endif

#endif
