// SPDX-License-Identifier: MIT
/*
 * Clones of a machine: two processes go on from one state, as two virtual machines do to which one snapshot was
 * restored. A fork makes the copies. Then each is what a snapshot leaves: its process is the one of before, and
 * VMClock's page has the next generation, the same one in both. Their clock stands still, so all times are in both.
 *
 * usage: clones STAMPS [unseen]
 * unseen: the page has no counter of generations. The clones must then give equal timestamps and incarnations, which
 * shows that the test sees them.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <hpt/hpt.h>
#include <hpt/wall.h>

#include "clock/clock.h"
#include "machine/live.h"
#include "machine/process.h"
#include "process.h"
#include "vmclock_page.h"

#define UNIX_NS INT64_C(1700000000000000000)

struct stamp {
	int64_t  ns;
	uint64_t incarnation;
};

static struct hpt_env env;
static hpt_clock *clk;
static hpt_wall *wall;
static hpt_hlc *hlc;
static uint32_t process; /* of the snapshot */
static int64_t given;    /* the latest timestamp of before it */
static uint64_t before;  /* its incarnation */

static _Alignas(4096) uint32_t page[1024];
static struct vmclock_page p = { .magic = VMCLOCK_MAGIC, .size = 4096, .version = 1, .seq_count = 2,
				 .counter_id = VMCLOCK_COUNTER_INVALID, .flags = VMCLOCK_FLAG_GENERATION };

static int map_page(const char *path, uint64_t start, size_t length, const volatile void **ret, uint32_t *ret_stage)
{
	(void)path, (void)start, (void)length, (void)ret_stage;
	*ret = page;
	return 0;
}

static void unmap_page(const volatile void *start, size_t length)
{
	(void)start, (void)length;
}

static int load_no_words(const volatile uint32_t *words, size_t n)
{
	(void)words, (void)n;
	return 0;
}

static bool feed(void)
{
	struct hpt_wall_sample s = { .before = hpt_now(clk), .earliest_ns = UNIX_NS, .latest_ns = UNIX_NS + 1000 };

	s.after = s.before;
	return !hpt_wall_feed(wall, &s, sizeof(s));
}

static uint64_t incarnation(void)
{
	struct hpt_hlc_info info = { 0 };

	return hpt_hlc_get_info(hlc, &info, sizeof(info)) ? 0 : info.incarnation;
}

static bool begin(bool is_seen)
{
	const struct hpt_wall_config config = { .sources = HPT_WALL_SOURCE_FEED | HPT_WALL_SOURCE_VMCLOCK };

	if (!is_seen)
		p.flags = 0;
	vmclock_encode(&p, page);
	if (hpt_clock_new_manual(1000000000, 1000, 0, &clk))
		return false;
	env = hpt_env_live;
	env.map_registers = map_page;
	env.unmap_registers = unmap_page;
	env.try_words = load_no_words;
	((struct hpt_clock *)clk)->src.env = &env;
	if (hpt_wall_open(clk, &config, sizeof(config), 0, &wall) || hpt_wall_update(wall) < 0 || !feed() ||
	    hpt_hlc_new(wall, 1000000000, 0, &hlc) || hpt_hlc_now(hlc, &given))
		return false;
	process = hpt_process();
	before = incarnation();
	return before;
}

/* What the fork changed is taken back, and the hypervisor says what it did. */
static void restore_snapshot(void)
{
	atomic_store(atomic_load(&hpt_process_word), process);
	p.vm_generation_counter++;
	p.disruption_marker++;
	p.seq_count += 2;
	vmclock_encode(&p, page);
}

/* Both clones choose the same floor. The clock does not stand still as far as the sample: it is of after the event. */
static void begin_again(bool is_seen)
{
	int64_t ns = 0;

	CHECK(!is_seen || (hpt_hlc_now(hlc, &ns) == -ESTALE && !ns && !incarnation()), "a timestamp before a floor");
	CHECK(is_seen || hpt_hlc_now(hlc, &ns) == -EAGAIN, "the page says nothing of a bound that is void");
	CHECK(!hpt_hlc_set_floor(hlc, given), "a floor");
	CHECK(!hpt_clock_advance(clk, 1) && feed(), "a sample");
	CHECK((incarnation() != before) == is_seen, "the incarnation");
}

static int take_stamps(struct stamp *ret, size_t n, bool is_seen)
{
	restore_snapshot();
	begin_again(is_seen);
	for (size_t i = 0; i < n; i++) {
		if (hpt_hlc_now(hlc, &ret[i].ns)) {
			CHECK(false, "no timestamp %zu", i);
			break;
		}
		ret[i].incarnation = incarnation();
	}
	return failures != 0;
}

/* Both rows increase. */
static void compare(const struct stamp *a, const struct stamp *b, size_t n, bool is_seen)
{
	size_t equal_ns = 0, equal = 0;

	for (size_t i = 0, k = 0; i < n && k < n;) {
		if (a[i].ns != b[k].ns) {
			a[i].ns < b[k].ns ? i++ : k++;
			continue;
		}
		equal_ns++;
		equal += a[i++].incarnation == b[k++].incarnation;
	}
	printf("%zu timestamps of each clone: %zu are equal, %zu with their incarnations\n", n, equal_ns, equal);
	for (size_t i = 0; i < n; i++)
		if (a[i].ns <= given || b[i].ns <= given)
			equal++;
	CHECK(is_seen ? !equal : equal == n, "%zu equal ones", equal);
	CHECK(equal_ns == n, "the clones have not gone on at one time");
}

int main(int argc, char **argv)
{
	size_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
	bool is_seen = argc == 2;
	struct stamp *stamps;

	if (!n || argc > 3) {
		fprintf(stderr, "usage: clones STAMPS [unseen]\n");
		return 2;
	}
	stamps = mmap(NULL, 2 * n * sizeof(*stamps), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (stamps == MAP_FAILED)
		return skip("no memory");
	CHECK(begin(is_seen), "no clock with a timestamp");
	if (!failures && atomic_load(atomic_load(&hpt_process_word)) != process)
		return skip("processes are not told apart by a word here");
	for (size_t i = 0; i < 2 && !failures; i++) {
		int status = 1;
		pid_t pid = fork();

		if (!pid)
			_exit(take_stamps(stamps + i * n, n, is_seen));
		CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && !status, "clone %zu: status %d", i, status);
	}
	if (!failures)
		compare(stamps, stamps + n, n, is_seen);
	/* The original is no clone. */
	CHECK(!hpt_hlc_now(hlc, &given) && incarnation() == before, "the original");
	hpt_hlc_free(hlc);
	hpt_wall_close(wall);
	((struct hpt_clock *)clk)->src.env = &hpt_env_live;
	hpt_clock_close(clk);
	return failures != 0;
}
