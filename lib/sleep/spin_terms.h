/* SPDX-License-Identifier: MIT */
/* How much threads may spin where something limits their CPU time. Pure. */
#ifndef HPT_SPIN_TERMS_H
#define HPT_SPIN_TERMS_H

#include <stdbool.h>
#include <stdint.h>

/* What limits the CPU time of this process and thread. */
struct hpt_surroundings {
	uint32_t cpus;            /* that the process may use, by affinity; at least 1 */
	uint32_t quota_millicpus; /* the least quota of its control groups, thousandths of a CPU; 0: none is known */
	int64_t  rttime_ns;       /* the soft RLIMIT_RTTIME; INT64_MAX: none */
	bool     is_deadline;     /* the thread is SCHED_DEADLINE: the kernel reserves and throttles its run time */
};

/* The limit that decided. Of two that apply, the one further down. */
enum hpt_spin_limit {
	HPT_SPIN_LIMIT_CPUS,
	HPT_SPIN_LIMIT_RTTIME,      /* block_after_ns is shorter */
	HPT_SPIN_LIMIT_QUOTA,       /* process_millicpus is less than UINT32_MAX */
	HPT_SPIN_LIMIT_SMALL_QUOTA, /* none may spin */
	HPT_SPIN_LIMIT_DEADLINE,    /* none may spin */
};

/* Of SPIN there is no limit: a program asks for all of its CPU time. */
struct hpt_spin_terms {
	uint32_t cpus;              /* that the process may use */
	uint32_t spinners;          /* threads of BALANCED or FRUGAL that may spin at one time; 0: none may */
	uint32_t strict_spinners;   /* the same for STRICT */
	uint32_t process_millicpus; /* that all threads of the process may spin together; UINT32_MAX: no limit */
	int64_t  block_after_ns;    /* a thread blocks for real at least once in this time of spinning */
	int64_t  awake_most_ns;     /* ... and in this time of any kind; INT64_MAX: no limit */
	enum hpt_spin_limit limit;
};

/* block_after_ns where no limit is shorter. */
#define HPT_SPIN_BLOCK_AFTER_NS 50000000

void hpt_spin_terms(const struct hpt_surroundings *s, struct hpt_spin_terms *ret);

#endif
