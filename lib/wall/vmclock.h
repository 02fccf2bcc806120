/* SPDX-License-Identifier: MIT */
/*
 * VMClock's page, by which a hypervisor states time and disruptions: Linux's include/uapi/linux/vmclock-abi.h. Reads of
 * walls look at its marker without a system call.
 */
#ifndef HPT_VMCLOCK_H
#define HPT_VMCLOCK_H

#include "machine/vm_marker.h"
#include "wall/wall_source.h"

/* Little-endian words, at these offsets. */
#define HPT_VMCLOCK_SEQ    12 /* 32 bits, odd during an update */
#define HPT_VMCLOCK_MARKER 16 /* 64 bits: changes with each event that disrupted the guest's counters */

/* The device: the program's, or where the driver puts it. */
const char *hpt_vmclock_path(const struct hpt_wall_ask *ask);

/* Maps the device's page and checks it. Returns HPT_WALL_REASON_. May change errno. */
uint32_t hpt_vmclock_map(struct hpt_wall_ask *ask, const volatile void **ret);
void hpt_vmclock_unmap(const struct hpt_env *env, const volatile void *page);

/* Reads the page's marks, consistently. False: the page was being updated each time of a bounded number. */
bool hpt_vmclock_read_marks(const volatile void *page, struct hpt_wall_marks *ret);

/*
 * Opens the device for poll(2): it is readable from the page's next change on, if the hypervisor announces changes.
 * -1: it does not, or the device cannot be opened. May change errno.
 */
int hpt_vmclock_open_notifier(const struct hpt_wall_ask *ask, const volatile void *page);

/* One load, which neither compiler nor machine splits: the hypervisor writes the page meanwhile. */
static inline uint32_t hpt_vmclock_word(const volatile void *page, size_t offset)
{
	uint32_t v = __atomic_load_n((const volatile uint32_t *)((const volatile char *)page + offset),
				     __ATOMIC_RELAXED);

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap32(v);
#endif
	return v;
}

/*
 * True if sequence and marker are these. For the read path: call after the counter was read, and after a fence that
 * orders these loads after that read: arch_fence_loads(). A recorded sequence is even, or HPT_WALL_NO_SEQ.
 *
 * The three loads need no order among themselves. A hypervisor makes the sequence odd before it disrupts anything, and
 * each of the words keeps a value that differs from the recorded one from then on (a sequence until it has wrapped;
 * the marker differs then). So if the disruption was before the counter was read, each load that comes after that read
 * finds a difference in its own word, except one in a marker whose half did not change.
 */
static inline bool hpt_vmclock_is_same(const volatile void *page, uint64_t marker, uint64_t seq)
{
	uint64_t now = hpt_vmclock_word(page, HPT_VMCLOCK_SEQ);

#if UINTPTR_MAX > UINT32_MAX && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	/* Each instruction after the fence counts. */
	marker ^= __atomic_load_n((const volatile uint64_t *)((const volatile char *)page + HPT_VMCLOCK_MARKER),
				  __ATOMIC_RELAXED);
#else
	marker ^= hpt_vmclock_word(page, HPT_VMCLOCK_MARKER) |
		  (uint64_t)hpt_vmclock_word(page, HPT_VMCLOCK_MARKER + 4) << 32;
#endif
	return !((now ^ seq) | marker);
}

#endif
