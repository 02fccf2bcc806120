/* SPDX-License-Identifier: MIT */
/* A trace that is being read: lines of text become events that have times. */
#ifndef HPT_TOOLS_TRACE_SOURCE_H
#define HPT_TOOLS_TRACE_SOURCE_H

#include "trace/event_batch.h"
#include "trace/text_lines.h"
#include "trace/placer.h"
#include "trace/reader.h"
#include "trace/walls.h"

/* Something wrong with some lines: how many, and the number of the first. */
struct source_fault {
	uintmax_t n, first;
};

struct source {
	const struct reader *reader;
	struct placer *placer;
	const struct walls *walls;      /* by which events get times of UTC; NULL: they keep their own */
	uint32_t process;               /* of each event */
	bool takes_whole;               /* times that are whole numbers; false: no clock was named for them */
	uint64_t size;                  /* of a regular file; 0: not known */
	bool is_ended;
	int64_t last_ns, last_own_ns;   /* of the latest event that was placed: in the output, and on its clock */
	uintmax_t events;               /* placed */
	/* Lines that are not of the form, of no generation, earlier than the one before; and lost ones. */
	struct source_fault wrong, stale, early, lost;
	struct source_fault oversized, beyond; /* too long; with a time that the formats do not have */
	struct source_fault seconds, whole; /* with seconds where ticks are read; with a number of no known clock */
	struct source_fault unbounded;  /* no wall stated anything in their generation */
	struct source_fault torn;       /* what walls stated contradicts what was before */
	uintmax_t cut;                  /* the number of the last line, if it has no end */
	bool is_endless;                /* the last line that was read has no end that is worth a search */
	uintmax_t numbers[BATCH_EVENTS]; /* of the lines of the batch */
	struct lines lines;
	struct batch batch;
};

/* To be freed by free(). */
struct source *source_new(int fd, const struct reader *reader, struct placer *placer, uint32_t process);

/* Fills the batch with the next events that are placed. False: none is left. */
bool source_fill(struct source *s);

/*
 * Says on standard error what was left out, and what was not in order; @what is the command's name, @name the trace's.
 * False: something was left out.
 */
bool source_report(const struct source *s, const char *what, const char *name, const char *bases);

#endif
