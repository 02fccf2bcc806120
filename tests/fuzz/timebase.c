// SPDX-License-Identifier: MIT
/*
 * Time bases of any bytes, as the documented layout has them: what is refused, and conversions against exact integers.
 * And files of them: any bytes are a file or one line on standard error.
 */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hpt/hpt.h"

#include "captured_err.h"
#include "fuzz.h"
#include "cli/timebases.h"

#define UNTOUCHED INT64_C(-0x5a5a5a5a5a5a5a5b)
#define BASES 6
#define TICKS 12

/* What the page says of the layout, for this machine's byte order. */
struct layout {
	char magic[8];
	uint32_t version, source;
	uint8_t boot_id[16];
	uint64_t generation;
	int64_t start, tick, ns, unix_ns;
	uint64_t frac, unix_frac;
	uint32_t whole, unix_whole;
	int64_t offset_ns;
	uint32_t offset_error_ns, state, error_ppb, error_ns, unix_error_ns, hash;
};

_Static_assert(sizeof(struct layout) == sizeof(struct hpt_timebase), "128 bytes without a gap");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a struct as in the file");

static uint32_t hash_of(const struct layout *l)
{
	const uint8_t *bytes = (const uint8_t *)l;
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < offsetof(struct layout, hash); i++)
		h = (h ^ bytes[i]) * 16777619u;
	return h;
}

static bool is_rate(uint32_t whole, uint64_t frac)
{
	return whole ? whole <= 1000000000 : frac >= UINT64_C(1) << 54;
}

static bool is_good(const struct layout *l)
{
	return !memcmp(l->magic, "HPTTIMEB", 8) && l->version == 1 && l->hash == hash_of(l) &&
	       is_rate(l->whole, l->frac) && is_rate(l->unix_whole, l->unix_frac);
}

/* ---- One time base -------------------------------------------------------------------------------------- */

static int64_t clamp(__int128 ns)
{
	return ns > INT64_MAX ? INT64_MAX : ns < INT64_MIN ? INT64_MIN : (int64_t)ns;
}

/* The time of a tick by a line, to nearest. */
static int64_t by_line(int64_t from, int64_t ns, uint32_t whole, uint64_t frac, int64_t tick)
{
	__int128 away = (__int128)tick - from;
	uint64_t n = (uint64_t)(away < 0 ? -away : away);
	unsigned __int128 moved = (unsigned __int128)n * whole;

	moved += (uint64_t)(((unsigned __int128)n * frac + (UINT64_C(1) << 63)) >> 64);
	return clamp(away < 0 ? ns - (__int128)moved : ns + (__int128)moved);
}

static void check_bytes(const struct hpt_timebase *base, const struct layout *l)
{
	struct hpt_timebase_fields fields;
	struct hpt_timebase again;

	if (hpt_timebase_decode(base, &fields)) {
		MUST(!is_good(l));
		return;
	}
	MUST(is_good(l));
	MUST(!hpt_timebase_encode(&fields, &again) && !memcmp(&again, base, sizeof(again)));
}

static void check_alone(const struct hpt_timebase *base, const int64_t *ticks, size_t n)
{
	struct layout l;
	int64_t ns[TICKS] = { UNTOUCHED }, unix_ns[TICKS] = { UNTOUCHED };
	int r = hpt_timebase_to_ns(base, NULL, ticks, ns, n);

	memcpy(&l, base, sizeof(l));
	check_bytes(base, &l);
	MUST(r == (is_good(&l) ? 0 : -EINVAL) && r == hpt_timebase_to_unix_ns(base, NULL, ticks, unix_ns, n));
	MUST(!r || (ns[0] == UNTOUCHED && unix_ns[0] == UNTOUCHED));
	for (size_t i = 0; !r && i < n; i++) {
		MUST(ns[i] == by_line(l.tick, l.ns, l.whole, l.frac, ticks[i]));
		MUST(unix_ns[i] == by_line(l.tick, l.unix_ns, l.unix_whole, l.unix_frac, ticks[i]));
	}
}

/* ---- Two time bases ------------------------------------------------------------------------------------- */

/* Between the two on their chord, to a nanosecond; otherwise by the rate of the later one. */
static bool is_right(const struct layout *a, const struct layout *b, int64_t tick, int64_t ns)
{
	long double want;

	if (tick >= b->tick)
		return ns == by_line(b->tick, b->ns, b->whole, b->frac, tick);
	if (a->tick == b->tick)
		a = b;
	if (tick < a->tick)
		return ns == by_line(a->tick, a->ns, b->whole, b->frac, tick);
	if (b->ns <= a->ns)
		return ns == a->ns;
	want = ((long double)b->ns - (long double)a->ns) * ((long double)tick - (long double)a->tick) /
	       ((long double)b->tick - (long double)a->tick);
	want -= (long double)ns - (long double)a->ns;
	return want > -2 && want < 2; /* half of it is long double's */
}

static void check_order(const int64_t *ticks, const int64_t *ns, size_t n, const struct layout *a,
			const struct layout *b)
{
	if (b->ns < a->ns) /* another process's time base, by its error */
		return;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			MUST(ticks[i] > ticks[j] || ns[i] <= ns[j]);
}

static void check_two(const struct hpt_timebase *first, const struct hpt_timebase *last, const int64_t *ticks, size_t n)
{
	struct layout a, b;
	int64_t ns[TICKS] = { UNTOUCHED }, one;
	int r = hpt_timebase_to_ns(first, last, ticks, ns, n);

	memcpy(&a, first, sizeof(a));
	memcpy(&b, last, sizeof(b));
	MUST(r == 0 || r == -EINVAL || r == -ESTALE);
	MUST(r == hpt_timebase_to_unix_ns(first, last, ticks, (int64_t[TICKS]){ 0 }, n));
	MUST(!r || ns[0] == UNTOUCHED);
	MUST(r == -EINVAL || (is_good(&a) && is_good(&b) && a.source == b.source));
	if (r)
		return;
	MUST(a.generation == b.generation && !memcmp(a.boot_id, b.boot_id, sizeof(a.boot_id)) && a.tick <= b.tick);
	for (size_t i = 0; i < n; i++) {
		MUST(is_right(&a, &b, ticks[i], ns[i]));
		MUST(!hpt_timebase_to_ns(first, last, &ticks[i], &one, 1) && one == ns[i]);
	}
	check_order(ticks, ns, n, &a, &b);
}

/* ---- Files ---------------------------------------------------------------------------------------------- */

static int file_of(const void *bytes, size_t n)
{
	int fd = memfd_create("trace", 0);

	MUST(fd >= 0 && write(fd, bytes, n) == (ssize_t)n);
	return fd;
}

static void check_found(const struct timebases *t, int64_t tick)
{
	struct timebases_pair pair;
	size_t g = t->n_generations - 1;
	int64_t ns;

	if (!timebases_find(t, tick, &pair))
		return;
	MUST(pair.first >= t->bases && pair.first < t->bases + t->n);
	while (pair.first < t->bases + t->starts[g])
		g--;
	MUST(tick >= t->fields[t->starts[g]].start);
	MUST(!pair.last || pair.last == pair.first + 1);
	MUST(!hpt_timebase_to_ns(pair.first, pair.last, &tick, &ns, 1));
	MUST(hpt_timebase_error_ns(pair.first_fields, pair.last_fields, HPT_TIMEBASE_NS, tick) > 0);
}

static void check_file(const void *bytes, size_t n, const int64_t *ticks, size_t n_ticks)
{
	struct timebases t;
	char path[32];
	int fd = file_of(bytes, n);

	times_captured = 0;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!timebases_read("fuzz", path, &t)) {
		MUST(times_captured == 1 && *captured);
	} else {
		size_t whole = t.n * sizeof(*t.bases);

		MUST(whole <= n && n - whole < sizeof(*t.bases) && !memcmp(bytes, t.bases, whole));
		MUST(t.is_cut == (n > whole) && times_captured == t.is_cut);
		MUST(t.n_generations && t.n_generations <= t.n);
		for (size_t i = 0; i < n_ticks; i++)
			check_found(&t, ticks[i]);
		timebases_free(&t);
	}
	close(fd);
}

/* An input of any bytes would end at the magic number. */
static void seal(struct hpt_timebase *base)
{
	struct layout l;

	memcpy(&l, base, sizeof(l));
	memcpy(l.magic, "HPTTIMEB", 8);
	l.version = 1;
	l.hash = hash_of(&l);
	memcpy(base, &l, sizeof(l));
}

/* The input: a byte with the bits of the time bases left as they are, one with their number, they, and ticks. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, size };
	struct hpt_timebase bases[BASES];
	int64_t ticks[TICKS];
	uint8_t head[3];
	size_t n;

	fuzz_take(&in, head, sizeof(head));
	n = 1 + head[1] % BASES;
	for (size_t i = 0; i < n; i++) {
		fuzz_take(&in, &bases[i], sizeof(bases[i]));
		if (!(head[0] >> i & 1))
			seal(&bases[i]);
	}
	for (size_t i = 0; i < TICKS; i++)
		ticks[i] = fuzz_i64(&in);
	check_alone(&bases[0], ticks, TICKS);
	check_two(&bases[0], &bases[n - 1], ticks, TICKS);
	check_file(bases, n * sizeof(*bases) - head[2] % 3, ticks, TICKS);
	return 0;
}
