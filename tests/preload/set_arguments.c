// SPDX-License-Identifier: MIT
/*
 * select(2) and pselect(2) with odd and bad arguments: what the kernel answers, also in errno, in the sets and in the
 * time that is left. Each is true of the functions as they are.
 */
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/select.h>

#include "odd.h"
#include "process.h"
#include "waiters.h"

static int full, silent, closed; /* descriptors: with a byte to read, without, and none */

static int select_ms(int n, fd_set *in, fd_set *out, fd_set *other, int ms)
{
	struct timeval tv = { .tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000 };
	int64_t left_ns;
	int r = select(n, in, out, other, ms < 0 ? NULL : &tv);

	left_ns = tv.tv_sec * S + tv.tv_usec * US;
	CHECK(ms < 0 || (left_ns >= 0 && left_ns <= ms * MS && (ms < 60000 || left_ns)), "select left %lld of %d ms",
	      (long long)left_ns, ms);
	return r;
}

static int pselect_ms(int n, fd_set *in, fd_set *out, fd_set *other, int ms)
{
	struct timespec ts;

	return pselect(n, in, out, other, length_of(ms * MS, &ts), NULL);
}

static int (*const selects[])(int n, fd_set *in, fd_set *out, fd_set *other, int ms) = { select_ms, pselect_ms };

/* ---- Times ---------------------------------------------------------------------------------------------------- */

static void bad_microseconds_are_refused(void)
{
	static const struct timeval bad[] = { { 0, -1 }, { -1, 0 }, { 60, -1 } };
	fd_set set;

	FD_ZERO(&set);
	FD_SET(full, &set);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct timeval tv = bad[i];

		CHECK(failed_with(select(full + 1, &set, NULL, NULL, &tv), EINVAL) && FD_ISSET(full, &set),
		      "select %zu", i);
		CHECK(tv.tv_sec == bad[i].tv_sec && tv.tv_usec == bad[i].tv_usec, "the time was changed");
	}
}

/* A million of microseconds is a second. */
static void microseconds_are_carried_over(void)
{
	struct timeval tv = { .tv_usec = 1000000 };
	int64_t began_ns = kernel_ns(CLOCK_MONOTONIC);
	fd_set set;

	FD_ZERO(&set);
	FD_SET(full, &set);
	CHECK(select(full + 1, &set, NULL, NULL, &tv) == 1 && FD_ISSET(full, &set), "select of a million");
	FD_ZERO(&set);
	FD_SET(silent, &set);
	tv = (struct timeval){ .tv_usec = 1000000 };
	CHECK(!select(silent + 1, &set, NULL, NULL, &tv) && !FD_ISSET(silent, &set) && !tv.tv_sec && !tv.tv_usec,
	      "select of a million, without an event");
	CHECK(kernel_ns(CLOCK_MONOTONIC) - began_ns >= S, "a million of microseconds is short");
}

/* ---- Sets ----------------------------------------------------------------------------------------------------- */

/* A set of as many as there may be in one that has room for more. */
static fd_set *large_set(int fd)
{
	static fd_set sets[MANY / FD_SETSIZE + 1];

	memset(sets, 0, sizeof(sets));
	FD_SET(fd, sets);
	return sets;
}

static void odd_counts_of_sets(void)
{
	for (size_t i = 0; i < 2 * TIMES; i++) {
		int ms = times_ms[i / 2];

		CHECK(failed_with(selects[i % 2](-1, large_set(full), NULL, NULL, ms), EINVAL), "select %zu of -1", i);
		CHECK(failed_with(selects[i % 2](INT_MIN, NULL, NULL, NULL, ms), EINVAL), "select %zu of INT_MIN", i);
		CHECK(selects[i % 2](MANY, large_set(full), NULL, NULL, ms) == 1, "select %zu of %d", i, MANY);
		CHECK(!is_brief(ms) || !selects[i % 2](MANY, large_set(silent), NULL, NULL, ms),
		      "select %zu, silent", i);
		CHECK(!is_brief(ms) || !selects[i % 2](silent, NULL, NULL, NULL, ms), "select %zu without sets", i);
	}
}

/* Nothing of the sets is read or written. */
static void none_of_a_set(void)
{
	for (size_t i = 0; i < 2 * TIMES; i++) {
		fd_set *set = large_set(full), *gone = page_for(PROT_NONE);
		int ms = times_ms[i / 2];

		CHECK(!is_brief(ms) || !selects[i % 2](0, set, gone, set, ms), "select %zu of 0", i);
		CHECK(FD_ISSET(full, set), "select %zu of 0 wrote to its set", i);
		munmap(gone, PAGE);
	}
}

/* Those from n on are not looked at, though the kernel writes whole words. */
static void descriptors_past_the_count(void)
{
	int first = full < silent ? full : silent;

	for (size_t i = 0; i < 2 * TIMES; i++)
		CHECK(!is_brief(times_ms[i / 2]) ||
		      !selects[i % 2](first, large_set(full), NULL, NULL, times_ms[i / 2]), "select %zu", i);
}

static void closed_descriptors_are_refused(void)
{
	for (size_t i = 0; i < 2 * TIMES; i++) {
		fd_set set, both;

		FD_ZERO(&set);
		FD_SET(closed, &set);
		both = set;
		FD_SET(full, &both);
		CHECK(failed_with(selects[i % 2](closed + 1, &both, &set, NULL, times_ms[i / 2]), EBADF), "select %zu",
		      i);
		CHECK(FD_ISSET(closed, &set) && FD_ISSET(full, &both), "select %zu wrote to its sets", i);
	}
}

static void sets_are_counted_together(void)
{
	int ends[2];

	CHECK(!pipe(ends), "no pipe");
	for (size_t i = 0; i < 2 * TIMES; i++) {
		fd_set in, out, other;
		int r;

		FD_ZERO(&in);
		FD_SET(full, &in);
		FD_SET(silent, &in);
		FD_ZERO(&out);
		FD_SET(ends[1], &out);
		other = in;
		r = selects[i % 2](LIMIT, &in, &out, &other, times_ms[i / 2]);
		CHECK(r == 2 && FD_ISSET(full, &in) && !FD_ISSET(silent, &in) && FD_ISSET(ends[1], &out) &&
		      !FD_ISSET(full, &other), "select %zu: %d", i, r);
	}
	close(ends[0]);
	close(ends[1]);
}

static void sets_that_cannot_be_read_are_refused(void)
{
	fd_set *gone = page_for(PROT_NONE), in;

	for (size_t i = 0; i < 2 * TIMES; i++) {
		FD_ZERO(&in);
		FD_SET(full, &in);
		CHECK(failed_with(selects[i % 2](full + 1, gone, NULL, NULL, times_ms[i / 2]), EFAULT), "select %zu",
		      i);
		CHECK(failed_with(selects[i % 2](full + 1, &in, NULL, gone, times_ms[i / 2]), EFAULT),
		      "select %zu with a good set", i);
		CHECK(FD_ISSET(full, &in), "select %zu wrote to its set", i);
	}
	munmap(gone, PAGE);
}

/* Sets that could be read before. */
static void sets_that_are_gone_are_refused(void)
{
	for (size_t i = 0; i < 2 * TIMES; i++) {
		fd_set *set = page_for(PROT_READ | PROT_WRITE);
		int ms = times_ms[i / 2];

		for (int k = 0; k < 3; k++) {
			FD_SET(full, set);
			CHECK(selects[i % 2](full + 1, set, NULL, NULL, ms) == 1, "select %zu", i);
		}
		mprotect(set, PAGE, PROT_NONE);
		CHECK(failed_with(selects[i % 2](full + 1, set, NULL, NULL, ms), EFAULT), "select %zu", i);
		munmap(set, PAGE);
	}
}

static void sets_that_cannot_be_written_are_refused(void)
{
	fd_set *sets = page_for(PROT_READ | PROT_WRITE);

	FD_SET(full, &sets[0]);
	FD_SET(silent, &sets[1]);
	mprotect(sets, PAGE, PROT_READ);
	for (size_t i = 0; i < 2 * TIMES; i++) {
		int ms = times_ms[i / 2];

		CHECK(failed_with(selects[i % 2](full + 1, &sets[0], NULL, NULL, ms), EFAULT), "select %zu", i);
		CHECK(!is_brief(ms) || failed_with(selects[i % 2](silent + 1, &sets[1], NULL, NULL, ms), EFAULT),
		      "select %zu, silent", i);
	}
	munmap(sets, PAGE);
}

/* The kernel reads no more of a set than the process has room for descriptors, as it says itself without a wait. */
static void sets_at_the_end_of_memory(void)
{
	char *page = page_for(PROT_READ | PROT_WRITE);

	CHECK(full < 8 * (int)sizeof(long), "a descriptor of %d", full);
	for (size_t bytes = sizeof(long); bytes <= sizeof(fd_set); bytes *= 2)
		for (size_t i = 0; i < 2 * TIMES; i++) {
			fd_set *set = (fd_set *)(void *)(page + PAGE / 2 - bytes);
			int r, expected;

			mprotect(page + PAGE / 2, PAGE / 2, PROT_NONE);
			memset(set, 0, bytes);
			set->fds_bits[0] = 1L << full;
			expected = select_ms(FD_SETSIZE, set, NULL, NULL, 0);
			set->fds_bits[0] = 1L << full;
			r = selects[i % 2](FD_SETSIZE, set, NULL, NULL, times_ms[i / 2]);
			CHECK(r == expected && (r == 1 || errno == EFAULT), "select %zu with %zu bytes: %d, not %d", i,
			      bytes, r, expected);
		}
	munmap(page, PAGE);
}

static bool open_all(void)
{
	int ends[2], others[2];

	closed = closed_descriptor();
	if (closed < 0 || pipe(ends) || pipe(others) || write(ends[1], "x", 1) != 1)
		return false;
	full = ends[0];
	silent = others[0];
	return !setrlimit(RLIMIT_NOFILE, &(struct rlimit){ LIMIT, LIMIT });
}

int main(void)
{
	if (!open_all())
		return skip("no descriptors here");
	bad_microseconds_are_refused();
	microseconds_are_carried_over();
	odd_counts_of_sets();
	none_of_a_set();
	descriptors_past_the_count();
	closed_descriptors_are_refused();
	sets_are_counted_together();
	sets_that_cannot_be_read_are_refused();
	sets_that_cannot_be_written_are_refused();
	sets_at_the_end_of_memory();
	sets_that_are_gone_are_refused();
	return failures != 0;
}
