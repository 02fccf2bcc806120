// SPDX-License-Identifier: MIT
/*
 * The library on a TSC that misbehaves. PR_SET_TSC makes RDTSC and RDTSCP fault, and the handler of the fault answers
 * for them: at another rate, with steps at random moments, with two counters that differ. The vDSO's reads are answered
 * truly, so the kernel's clocks stay right. At each moment the published error of the rate contains the truth, and
 * generations are few.
 *
 * usage: trapped CASES [SEED]      a failure prints the seed of its case; "trapped 1 SEED" repeats that case, as far as
 *                                  timing can be repeated
 */
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>
#include <x86intrin.h>

#include <hpt/hpt.h>

#include "process.h"

#define BESIDE  100
#define CASE_NS INT64_C(5000000000)

/* How long the rate of the true counter is measured. */
#define SETTLE_NS INT64_C(3000000000)

/* A step that a read in the middle of a segment cannot show is shown by the next samples. */
#define STEPS_MAX 3

/*
 * A read that traps takes tens of us beside other cases. A step of about that hides in the rate's error and makes it
 * larger; in that a second one may hide, and then no read tells the two from another rate. A case has one such step.
 */
#define HIDDEN_LEAST_NS 1e4
#define HIDDEN_MOST_NS  1e6

struct step {
	int64_t at_ns, ns;
};

/* The handler answers a read with origin + (true counter - origin) * rate + offset. */
static struct {
	uintptr_t vdso_begin, vdso_end;
	uint64_t origin;
	double rate;
	int64_t ticks; /* the offset */
} fake;

static double true_uhz;
static uint64_t random_state;

static uint64_t random_u64(void)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return random_state * UINT64_C(2685821657736338717);
}

static double uniform(double from, double to)
{
	return from + (to - from) * (double)(random_u64() >> 11) / 9007199254740992.0;
}

static int64_t log_uniform(double least, double most)
{
	return (int64_t)(least * pow(most / least, uniform(0, 1)));
}

static int64_t either_sign(int64_t v)
{
	return random_u64() & 1 << 20 ? v : -v;
}

/* ---- The counter ---------------------------------------------------------------------------------------- */

/* The library must not know: it leaves a TSC that is forbidden. */
int prctl(int option, ...)
{
	va_list args;
	unsigned long a[4];

	va_start(args, option);
	for (int i = 0; i < 4; i++)
		a[i] = va_arg(args, unsigned long);
	va_end(args);
	if (option == PR_GET_TSC) {
		*(int *)a[0] = PR_TSC_ENABLE;
		return 0;
	}
	return (int)syscall(SYS_prctl, option, a[0], a[1], a[2], a[3]);
}

static void trap(bool on)
{
	syscall(SYS_prctl, PR_SET_TSC, on ? PR_TSC_SIGSEGV : PR_TSC_ENABLE, 0, 0, 0);
}

static uint64_t faked(uint64_t tsc)
{
	return fake.origin + (uint64_t)(int64_t)((double)(int64_t)(tsc - fake.origin) * fake.rate) +
	       (uint64_t)fake.ticks;
}

static void answer(int sig, siginfo_t *info, void *arg)
{
	greg_t *regs = ((ucontext_t *)arg)->uc_mcontext.gregs;
	uintptr_t ip = (uintptr_t)regs[REG_RIP];
	const uint8_t *code = (const uint8_t *)ip;
	bool is_rdtscp = code[0] == 0x0f && code[1] == 0x01 && code[2] == 0xf9;
	uint32_t cpu;
	uint64_t tsc;

	(void)info;
	if (!is_rdtscp && !(code[0] == 0x0f && code[1] == 0x31)) {
		signal(sig, SIG_DFL);
		return;
	}
	trap(false);
	tsc = __rdtscp(&cpu);
	trap(true);
	if (ip < fake.vdso_begin || ip >= fake.vdso_end)
		tsc = faked(tsc);
	regs[REG_RAX] = (uint32_t)tsc;
	regs[REG_RDX] = (greg_t)(tsc >> 32);
	if (is_rdtscp)
		regs[REG_RCX] = cpu;
	regs[REG_RIP] += is_rdtscp ? 3 : 2;
}

static bool find_vdso(void)
{
	FILE *f = fopen("/proc/self/maps", "re");
	char line[256];

	while (f && fgets(line, sizeof(line), f))
		if (strstr(line, "[vdso]"))
			sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &fake.vdso_begin, &fake.vdso_end);
	if (f)
		fclose(f);
	return fake.vdso_end;
}

/* ---- A case --------------------------------------------------------------------------------------------- */

static int64_t raw_ns(void)
{
	struct timespec ts;

	syscall(SYS_clock_gettime, CLOCK_MONOTONIC_RAW, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static int64_t ticks_of(int64_t ns)
{
	return (int64_t)((double)ns * true_uhz / 1e15 * fake.rate);
}

struct story {
	struct step steps[STEPS_MAX];
	int n_steps;
	int64_t skew_ns, hop_ns; /* the other counter's difference; how often the thread moves; 0: never */
};

static struct story make_story(void)
{
	struct story s = { .n_steps = (int)(random_u64() >> 20 & 3) };
	bool has_hidden = false;

	fake.rate = (double)log_uniform(400000, 2500000) / 1e6;
	for (int i = 0; i < s.n_steps; i++) {
		int64_t ns = log_uniform(has_hidden ? HIDDEN_MOST_NS : 100, 3e10);

		has_hidden |= ns >= HIDDEN_LEAST_NS && ns < HIDDEN_MOST_NS;
		s.steps[i] = (struct step){ .at_ns = (int64_t)uniform(0, 4e9), .ns = either_sign(ns) };
	}
	if (random_u64() >> 20 & 1) {
		s.skew_ns = either_sign(log_uniform(100, 1e7));
		s.hop_ns = log_uniform(1e6, 1e9);
		s.n_steps = 0;
	}
	return s;
}

static void check(hpt_clock *clk, const struct story *s, uint64_t seed, int64_t age_ns)
{
	struct hpt_clock_info i = { 0 };
	double off_ppb;
	int most = 1 + s->n_steps + (s->skew_ns ? 6 : 0);

	CHECK(!hpt_clock_get_info(clk, &i, sizeof(i)), "no info");
	off_ppb = fabs(true_uhz * fake.rate / (double)i.frequency_uhz - 1) * 1e9;
	CHECK(i.frequency_error_ppb == UINT32_MAX || off_ppb <= i.frequency_error_ppb + 20.0,
	      "case 0x%" PRIx64 " at %.3f s: %.1f ppb off, claimed %u, state %u, generation %u; skew %" PRId64 " ns",
	      seed, (double)age_ns / 1e9, off_ppb, i.frequency_error_ppb, i.state, (unsigned)i.generation, s->skew_ns);
	CHECK(i.generation <= (uint64_t)most, "case 0x%" PRIx64 ": generation %u, at most %d", seed,
	      (unsigned)i.generation, most);
}

static bool is_by_kernel(hpt_clock *clk, uint64_t *ret_generation)
{
	struct hpt_clock_info i = { 0 };

	CHECK(!hpt_clock_get_info(clk, &i, sizeof(i)), "no info");
	*ret_generation = i.generation;
	return i.state == HPT_STATE_DEMOTED || i.frequency_error_ppb == UINT32_MAX;
}

/* While no rate can be trusted times are the kernel's own. */
static void check_time(hpt_clock *clk, uint64_t seed)
{
	uint64_t generation, later;
	bool is_before = is_by_kernel(clk, &generation);
	int64_t before_ns = raw_ns(), ns = hpt_now_ns(clk), after_ns = raw_ns();

	if (is_before && is_by_kernel(clk, &later) && later == generation)
		CHECK(before_ns <= ns && ns <= after_ns, "case 0x%" PRIx64 ": %" PRId64 " ns before, %" PRId64
		      " ns after the kernel's own time", seed, before_ns - ns, ns - after_ns);
}

static int run(uint64_t seed)
{
	struct sigaction sa = { .sa_sigaction = answer, .sa_flags = SA_SIGINFO | SA_NODEFER };
	struct timespec pause = { 0 };
	bool on_other_cpu = false;
	struct story story;
	int64_t start_ns, age_ns, hop_at_ns = 0;
	hpt_clock *clk;
	int done = 0;

	random_state = seed ? seed : 1;
	story = make_story();
	sigaction(SIGSEGV, &sa, NULL);
	fake.origin = __rdtsc();
	trap(true);
	if (hpt_clock_open(HPT_SOURCE_TSC, 0, &clk))
		return SKIP;
	hpt_now_ns(clk); /* nothing can show what happens between the anchor and this */
	start_ns = raw_ns();
	for (age_ns = 0; age_ns < CASE_NS && !failures; age_ns = raw_ns() - start_ns) {
		check(clk, &story, seed, age_ns);
		check_time(clk, seed);
		pause.tv_nsec = log_uniform(100000, 3e8);
		nanosleep(&pause, NULL);
		for (int i = 0; i < story.n_steps; i++)
			if (!(done >> i & 1) && story.steps[i].at_ns < age_ns) {
				fake.ticks += ticks_of(story.steps[i].ns);
				done |= 1 << i;
			}
		if (story.skew_ns && age_ns >= hop_at_ns) {
			fake.ticks += on_other_cpu ? -ticks_of(story.skew_ns) : ticks_of(story.skew_ns);
			on_other_cpu = !on_other_cpu;
			hop_at_ns = age_ns + (int64_t)uniform(0, 2 * (double)story.hop_ns);
		}
	}
	trap(false);
	return failures != 0;
}

/* ---- All cases ------------------------------------------------------------------------------------------ */

static int wait_for_one(void)
{
	int status = 0;

	if (wait(&status) < 0)
		return 1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static bool is_settled(void)
{
	struct timespec pause = { .tv_nsec = 10000000 };
	struct hpt_clock_info i = { 0 };

	for (int64_t end = clock_ns(CLOCK_MONOTONIC_RAW) + SETTLE_NS; clock_ns(CLOCK_MONOTONIC_RAW) < end;
	     nanosleep(&pause, NULL))
		hpt_now_ns(NULL);
	CHECK(!hpt_clock_get_info(NULL, &i, sizeof(i)), "no info");
	true_uhz = (double)i.frequency_uhz;
	return i.source == HPT_SOURCE_TSC && i.frequency_origin == HPT_ORIGIN_KERNEL;
}

int main(int argc, char **argv)
{
	int cases = argc > 1 ? atoi(argv[1]) : 0, running = 0, bad = 0, skipped = 0;
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : (uint64_t)clock_ns(CLOCK_REALTIME);

	if (cases < 1)
		return 2;
	if (!is_settled() || !find_vdso())
		return skip("the kernel does not keep time with the TSC, or we do not");
	printf("seed 0x%" PRIx64 "\n", seed);
	fflush(stdout);
	for (int i = 0; i < cases || running; i++) {
		if (i < cases) {
			pid_t child = fork();

			if (!child)
				_exit(run(seed + (uint64_t)i * UINT64_C(0x9e3779b97f4a7c15)));
			running += child > 0;
		}
		if (running && (running == BESIDE || i >= cases - 1)) {
			int r = wait_for_one();

			running--;
			bad += r != 0 && r != SKIP;
			skipped += r == SKIP;
		}
	}
	printf("%d cases, %d bad, %d skipped\n", cases, bad, skipped);
	return bad ? 1 : skipped ? SKIP : 0;
}
