/* SPDX-License-Identifier: MIT */
/* VMClock's page as a hypervisor fills it in, and updates it. */
#ifndef HPT_TEST_VMCLOCK_PAGE_H
#define HPT_TEST_VMCLOCK_PAGE_H

#include <stdint.h>
#include <string.h>

/* struct vmclock_abi, member by member: Linux's include/uapi/linux/vmclock-abi.h. In the machine's byte order. */
struct vmclock_page {
	uint32_t magic, size;
	uint16_t version;
	uint8_t  counter_id, time_type;
	uint32_t seq_count;
	uint64_t disruption_marker, flags;
	uint8_t  pad[2], clock_status, leap_second_smearing_hint;
	uint16_t tai_offset_sec;
	uint8_t  leap_indicator, counter_period_shift;
	uint64_t counter_value, counter_period_frac_sec, counter_period_esterror_rate_frac_sec,
		 counter_period_maxerror_rate_frac_sec;
	uint64_t time_sec, time_frac_sec, time_esterror_nanosec, time_maxerror_nanosec, vm_generation_counter;
};
_Static_assert(sizeof(struct vmclock_page) == 112 || _Alignof(uint64_t) < 8, "struct vmclock_abi");

#define VMCLOCK_WORDS 28
#define VMCLOCK_SEQ_WORD 3

#define VMCLOCK_MAGIC               0x4b4c4356u
#define VMCLOCK_COUNTER_X86_TSC     1
#define VMCLOCK_COUNTER_INVALID     0xff
#define VMCLOCK_FLAG_TAI_OFFSET     0x1
#define VMCLOCK_FLAG_PERIOD_MAX     0x10
#define VMCLOCK_FLAG_TIME_MAX       0x40
#define VMCLOCK_FLAG_GENERATION     0x100
#define VMCLOCK_FLAG_OTHERS         0x1ae /* that say nothing of bounds */
#define VMCLOCK_STATUS_SYNCHRONIZED 2
#define VMCLOCK_STATUS_FREERUNNING  3

static inline void vmclock_put(unsigned char *bytes, uint64_t value, int n)
{
	for (int i = 0; i < n; i++, value >>= 8)
		bytes[i] = (unsigned char)value;
}

/* The bytes of the page: little-endian, in 32-bit words, at the offsets of the ABI. */
static inline void vmclock_encode(const struct vmclock_page *p, uint32_t ret[VMCLOCK_WORDS])
{
	unsigned char *b = (unsigned char *)ret;

	memset(ret, 0, VMCLOCK_WORDS * sizeof(uint32_t));
	vmclock_put(b + 0, p->magic, 4);
	vmclock_put(b + 4, p->size, 4);
	vmclock_put(b + 8, p->version, 2);
	vmclock_put(b + 10, p->counter_id, 1);
	vmclock_put(b + 11, p->time_type, 1);
	vmclock_put(b + 12, p->seq_count, 4);
	vmclock_put(b + 16, p->disruption_marker, 8);
	vmclock_put(b + 24, p->flags, 8);
	vmclock_put(b + 34, p->clock_status, 1);
	vmclock_put(b + 35, p->leap_second_smearing_hint, 1);
	vmclock_put(b + 36, p->tai_offset_sec, 2);
	vmclock_put(b + 38, p->leap_indicator, 1);
	vmclock_put(b + 39, p->counter_period_shift, 1);
	vmclock_put(b + 40, p->counter_value, 8);
	vmclock_put(b + 48, p->counter_period_frac_sec, 8);
	vmclock_put(b + 56, p->counter_period_esterror_rate_frac_sec, 8);
	vmclock_put(b + 64, p->counter_period_maxerror_rate_frac_sec, 8);
	vmclock_put(b + 72, p->time_sec, 8);
	vmclock_put(b + 80, p->time_frac_sec, 8);
	vmclock_put(b + 88, p->time_esterror_nanosec, 8);
	vmclock_put(b + 96, p->time_maxerror_nanosec, 8);
	vmclock_put(b + 104, p->vm_generation_counter, 8);
}

/* A word of the page, or a value of one: the machine's byte order to the page's, and back. */
static inline uint32_t vmclock_little(uint32_t value)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return __builtin_bswap32(value);
#else
	return value;
#endif
}

/* One word of a page that others read meanwhile. */
static inline void vmclock_store(uint32_t *word, uint32_t value)
{
	__atomic_store_n(word, value, __ATOMIC_RELAXED);
}

/* An update, as the specification has it: the sequence becomes odd, the members change, it becomes even. */
static inline void vmclock_update(uint32_t *page, const struct vmclock_page *p)
{
	uint32_t words[VMCLOCK_WORDS];

	vmclock_encode(p, words);
	vmclock_store(&page[VMCLOCK_SEQ_WORD], vmclock_little(p->seq_count | 1));
	__atomic_thread_fence(__ATOMIC_RELEASE);
	for (int i = VMCLOCK_SEQ_WORD + 1; i < VMCLOCK_WORDS; i++)
		vmclock_store(&page[i], words[i]);
	__atomic_store_n(&page[VMCLOCK_SEQ_WORD], vmclock_little((p->seq_count | 1) + 1), __ATOMIC_RELEASE);
}

#endif
