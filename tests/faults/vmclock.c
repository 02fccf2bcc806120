// SPDX-License-Identifier: MIT
/*
 * /dev/vmclock0, through which a hypervisor reports live migrations and restored snapshots: files that imitate it, put
 * there in a mount namespace one after the other. A changed marker begins a generation. Anything else under that name
 * is no event, and the library does not wait for it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "namespaces.h"
#include "process.h"

#define VMCLOCK "/dev/vmclock0"

/* A check takes microseconds. */
#define LIMIT_S 20

/* The head of struct vmclock_abi, include/uapi/linux/vmclock-abi.h; the fields of time after it stay 0. */
#define MAGIC 0x4b4c4356 /* "VCLK" */
struct vmclock {
	uint32_t magic, size;
	uint16_t version;
	uint8_t  counter_id, time_type;
	uint32_t seq_count; /* odd: being updated */
	uint64_t disruption_marker;
	uint8_t  rest[80];
};

_Static_assert(sizeof(struct vmclock) == 104, "the size of the kernel's struct");

#define COUNTER_TSC   1
#define TIME_TAI      1
#define PAGE          4096
#define HEAD_WITHOUT_MARKER 16

static int make_file(const void *content, size_t size)
{
	int fd = open(VMCLOCK, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);

	return fd < 0 || write(fd, content, size) != (ssize_t)size || close(fd);
}

static int make_vmclock(uint32_t magic, uint32_t seq_count, uint64_t marker, size_t size)
{
	char page[PAGE] = "";
	struct vmclock v = {
		.magic = magic, .size = PAGE, .version = 1, .counter_id = COUNTER_TSC, .time_type = TIME_TAI,
		.seq_count = seq_count, .disruption_marker = marker,
	};

	memcpy(page, &v, sizeof(v));
	return make_file(page, size);
}

/* ---- Nodes: each function returns 0 when it made one ------------------------------------------------- */

static int marker_1(void)
{
	return make_vmclock(MAGIC, 2, 1, PAGE);
}

static int marker_2(void)
{
	return make_vmclock(MAGIC, 4, 2, PAGE);
}

static int marker_3(void)
{
	return make_vmclock(MAGIC, 6, UINT64_C(1) << 32 | 2, PAGE); /* equal to the second in its low half */
}

static int being_updated(void)
{
	return make_vmclock(MAGIC, 3, 2, PAGE);
}

static int wrong_magic(void)
{
	return make_vmclock(MAGIC + 1, 4, 7, PAGE);
}

static int too_short(void)
{
	return make_vmclock(MAGIC, 4, 7, HEAD_WITHOUT_MARKER);
}

static int cut_in_marker(void)
{
	return make_vmclock(MAGIC, 4, 7, HEAD_WITHOUT_MARKER + 4);
}

static int empty(void)
{
	return make_file("", 0);
}

static int zeros(void)
{
	static const char page[PAGE];

	return make_file(page, sizeof(page));
}

static int directory(void)
{
	return mkdir(VMCLOCK, 0755);
}

static int fifo(void)
{
	return mkfifo(VMCLOCK, 0644);
}

static int link_to_zero(void)
{
	return symlink("/dev/zero", VMCLOCK);
}

static int link_to_null(void)
{
	return symlink("/dev/null", VMCLOCK);
}

static int loop(void)
{
	return symlink(VMCLOCK, VMCLOCK);
}

static int absent(void)
{
	return 0;
}

/* ---- One after the other -------------------------------------------------------------------------------- */

static const struct step {
	const char *name;
	int (*make)(void);
	uint32_t state, more; /* the check's result, and how many generations it adds */
} steps[] = {
	{ "nothing there",       absent,        HPT_STATE_OK,        0 },
	{ "empty file",          empty,         HPT_STATE_OK,        0 },
	{ "page of zeros",       zeros,         HPT_STATE_OK,        0 },
	{ "the first marker",    marker_1,      HPT_STATE_OK,        0 },
	{ "the same marker",     marker_1,      HPT_STATE_OK,        0 },
	{ "another, half done",  being_updated, HPT_STATE_OK,        0 },
	{ "wrong magic",         wrong_magic,   HPT_STATE_OK,        0 },
	{ "file without marker", too_short,     HPT_STATE_OK,        0 },
	{ "half a marker",       cut_in_marker, HPT_STATE_OK,        0 },
	{ "directory",           directory,     HPT_STATE_OK,        0 },
	{ "FIFO",                fifo,          HPT_STATE_OK,        0 },
	{ "/dev/zero",           link_to_zero,  HPT_STATE_OK,        0 },
	{ "/dev/null",           link_to_null,  HPT_STATE_OK,        0 },
	{ "link to itself",      loop,          HPT_STATE_OK,        0 },
	{ "vanished",            absent,        HPT_STATE_OK,        0 },
	{ "back, unchanged",     marker_1,      HPT_STATE_OK,        0 },
	{ "another marker",      marker_2,      HPT_STATE_DISRUPTED, 1 },
	{ "the same one again",  marker_2,      HPT_STATE_DISRUPTED, 0 },
	{ "vanished again",      absent,        HPT_STATE_DISRUPTED, 0 },
	{ "a third",             marker_3,      HPT_STATE_DISRUPTED, 1 },
};

static void check_step(const struct step *step)
{
	uint64_t generation = hpt_clock_generation(NULL);
	struct hpt_clock_info info;
	int state;

	CHECK(!step->make(), "%s: %s", step->name, strerror(errno));
	errno = EXDEV;
	state = hpt_clock_check(NULL, NULL);
	CHECK(errno == EXDEV, "%s: errno became %d", step->name, errno);
	CHECK(state == (int)step->state, "%s: state %d, wanted %u", step->name, state, step->state);
	CHECK(hpt_clock_generation(NULL) == generation + step->more, "%s: generation %llu became %llu", step->name,
	      (unsigned long long)generation, (unsigned long long)hpt_clock_generation(NULL));
	CHECK(!hpt_clock_get_info(NULL, &info, sizeof(info)), "no info");
	CHECK(info.state == step->state && info.generation == generation + step->more, "%s: info has %u and %llu",
	      step->name, info.state, (unsigned long long)info.generation);
	failures += check_clock(NULL);
	if (rmdir(VMCLOCK))
		unlink(VMCLOCK);
}

static int lowest_fd(void)
{
	int fd = dup(STDERR_FILENO);

	close(fd);
	return fd;
}

int main(void)
{
	struct hpt_clock_info info = { 0 };
	int r = enter_own_dev(), fd = lowest_fd();

	if (r) {
		printf("%s\n", strerror(-r));
		return skip("no mount namespace with a /dev of its own");
	}
	CHECK(!hpt_clock_get_info(NULL, &info, sizeof(info)), "no info");
	if (info.source != HPT_SOURCE_TSC)
		return skip("no TSC that a hypervisor could disrupt");
	alarm(LIMIT_S);
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		check_step(&steps[i]);
	CHECK(lowest_fd() == fd, "a file stayed open");
	return failures != 0;
}
