// SPDX-License-Identifier: MIT
/* The fake machine: returns the set values, and counts its calls. */
#include "fake_env.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hpt/hpt.h"
#include "machine/file_read.h"
#include "machine/live.h"

#define INTEL 0x756e6547, 0x6c65746e, 0x49656e69
#define AMD   0x68747541, 0x444d4163, 0x69746e65
#define TSC_AND_SSE2 0x04000010
#define CPU_OF(vendor, signature, ecx, edx, rdtscp, invariant)                                              \
	{                                                                                                   \
		{ 0, { 0xd, vendor } }, { 1, { signature, 0, ecx, edx } }, { 0x80000000, { 0x80000008 } },  \
		{ 0x80000001, { 0, 0, 0, (uint32_t)(rdtscp) << 27 } },                                      \
		{ 0x80000007, { 0, 0, 0, (uint32_t)(invariant) << 8 } },                                    \
	}
#define CPU(signature, ecx, edx, rdtscp, invariant) CPU_OF(INTEL, signature, ecx, edx, rdtscp, invariant)

const struct fake_leaf fake_cpu_invariant[5] = CPU(0x206a7, 0, TSC_AND_SSE2, 1, 1);
const struct fake_leaf fake_cpu_guest[5] = CPU(0x206a7, 0x80000000, TSC_AND_SSE2, 1, 1);
const struct fake_leaf fake_cpu_family[5] = CPU(0x206a7, 0, TSC_AND_SSE2, 1, 0);
const struct fake_leaf fake_cpu_guest_family[5] = CPU(0x206a7, 0x80000000, TSC_AND_SSE2, 1, 0);
const struct fake_leaf fake_cpu_not_constant[5] = CPU(0x506d1, 0, TSC_AND_SSE2, 1, 0); /* SoFIA */
const struct fake_leaf fake_cpu_no_tsc[5] = CPU(0x206a7, 0, 0x04000000, 1, 1);
const struct fake_leaf fake_cpu_no_rdtscp[5] = CPU(0x206a7, 0, TSC_AND_SSE2, 0, 1);
const struct fake_leaf fake_cpu_amd[5] = CPU_OF(AMD, 0x800f12, 0, TSC_AND_SSE2, 1, 1); /* Zen */
const struct fake_leaf fake_cpu_amd_no_rdtscp[5] = CPU_OF(AMD, 0x800f12, 0, TSC_AND_SSE2, 0, 1);
const struct fake_leaf fake_cpu_no_order[5] = CPU(0x206a7, 0, 0x10, 0, 1);

struct fake_machine fake;

static char root[64]; /* the fake sysfs */
static pid_t root_owner;

static void fake_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t regs[4], void *ctx)
{
	(void)subleaf, (void)ctx;
	fake.cpuid_calls++;
	if (leaf < 0x40000000 && leaf > fake.highest_leaf)
		fake.highest_leaf = leaf;
	if (leaf >= 0x80000000 && leaf > fake.highest_extended)
		fake.highest_extended = leaf;
	memset(regs, 0, 4 * sizeof(regs[0]));
	for (size_t i = 0; i < fake.n_leaves; i++)
		if (fake.leaves[i].leaf == leaf)
			memcpy(regs, fake.leaves[i].regs, 4 * sizeof(regs[0]));
}

static bool fake_forbidden(void)
{
	return fake.forbidden;
}

static uint64_t fake_auxval(uint64_t type)
{
	return type == AT_HWCAP ? fake.hwcap : type == AT_HWCAP2 ? fake.hwcap2 : 0;
}

static uint64_t fake_random(void)
{
	uint64_t bits = fake.random;
	void (*hook)(void) = fake.random_hook;

	fake.random_hook = NULL;
	if (hook)
		hook();
	errno = EBADMSG;
	return bits;
}

static uint64_t fake_counter_hz(void)
{
	return fake.counter_hz;
}

static int64_t fake_clock_ns(clockid_t id)
{
	fake.clock_calls++;
	if (fake.clock_hook)
		fake.clock_hook();
	if (!fake.clock_step)
		return hpt_env_live.clock_ns(id);
	return fake.clock_now += fake.clock_step;
}

static int64_t fake_clock_ns_syscall(clockid_t id)
{
	fake.syscall_calls++;
	if (fake.clock_hook)
		fake.clock_hook();
	errno = EBADMSG; /* as a failing system call would set it; callers must not see it */
	if (!fake.syscall_step)
		return hpt_env_live.clock_ns_syscall(id);
	return fake.syscall_now += fake.syscall_step;
}

static bool fake_kernel_ns(clockid_t id, int64_t *ret)
{
	*ret = fake_env.clock_ns(id) + fake.kernel_ahead_ns;
	return !fake.kernel_silent;
}

static int fake_try_clock(clockid_t id, bool by_syscall, int64_t *ret)
{
	fake.try_syscalls += by_syscall;
	if (fake.refused_clocks >> id & 1) {
		if (fake.clock_hook)
			fake.clock_hook();
		errno = EPERM;
		return -EPERM;
	}
	*ret = fake_env.clock_ns(id);
	return 0;
}

static int fake_map_hpet(const char *path, const volatile void **ret, uint32_t *ret_stage)
{
	(void)path;
	fake.map_calls++;
	*ret_stage = fake.map_stage;
	if (fake.exclusive && fake.mapped)
		return -EBUSY;
	if (fake.map_error)
		return fake.map_error;
	*ret_stage = HPT_STAGE_MAP;
	*ret = fake.page;
	fake.mapped++;
	return 0;
}

static void fake_unmap_hpet(const volatile void *page)
{
	if (page != fake.page)
		abort();
	fake.unmap_calls++;
	fake.mapped--;
}

static int fake_map_registers(const char *path, uint64_t start, size_t length, const volatile void **ret,
			      uint32_t *ret_stage)
{
	snprintf(fake.registers_path, sizeof(fake.registers_path), "%s", path);
	fake.registers_start = start;
	fake.registers_length = length;
	*ret_stage = fake.registers_stage;
	if (fake.registers_error)
		return fake.registers_error;
	*ret_stage = HPT_STAGE_MAP;
	*ret = (const volatile char *)fake.registers + start % 4096;
	fake.registers_mapped++;
	return 0;
}

static void fake_unmap_registers(const volatile void *start, size_t length)
{
	if (start != (const volatile char *)fake.registers + fake.registers_start % 4096 ||
	    length != fake.registers_length)
		abort();
	fake.registers_mapped--;
}

static int fake_try_words(const volatile uint32_t *words, size_t n)
{
	fake.words_tried = words;
	fake.n_words_tried = n;
	return fake.words_error;
}

/* The test's files that are in the place of the machine's. */
static struct {
	const char *path, *to;
} places[8];

/* The rest of a path below a folder, or NULL. */
static const char *below(const char *folder, const char *path)
{
	size_t n = strlen(folder);

	return !strncmp(path, folder, n) && (!path[n] || path[n] == '/') ? path + n : NULL;
}

static int fake_open(const char *path)
{
	char to[8400];

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		const char *rest = places[i].to ? below(places[i].path, path) : NULL;

		if (!rest)
			continue;
		snprintf(to, sizeof(to), "%s%s", places[i].to, rest);
		return hpt_path_open(to);
	}
	if (below("/tmp", path))
		return hpt_path_open(path);
	errno = ENOENT;
	return -1;
}

void fake_env_place(const char *path, const char *to)
{
	size_t i = 0;

	while (places[i].path && strcmp(places[i].path, path))
		if (++i == sizeof(places) / sizeof(places[0]))
			abort();
	places[i].path = path;
	places[i].to = to;
}

const char *fake_env_sysfs(void)
{
	return root;
}

static int64_t fake_coarse_step_ns(void)
{
	return fake.coarse_step_ns;
}

static const char *fake_getenv(const char *name)
{
	if (!strcmp(name, "HPT_MMIO"))
		return fake.hpt_mmio;
	return strcmp(name, "HPT_SOURCE") ? NULL : fake.hpt_source;
}

static int fake_ptp_read(const char *path, struct hpt_ptp_reading *ret)
{
	snprintf(fake.ptp_path, sizeof(fake.ptp_path), "%s", path);
	if (fake.ptp_error)
		return fake.ptp_error;
	if (fake.ptp_hook)
		fake.ptp_hook(&fake.ptp);
	*ret = fake.ptp;
	return 0;
}

static uint64_t fake_read_os(const struct hpt_source *src)
{
	return hpt_env_live.read_os(src);
}

struct hpt_env fake_env = {
	.cpuid = fake_cpuid,
	.tsc_forbidden = fake_forbidden,
	.clock_ns = fake_clock_ns,
	.clock_ns_syscall = fake_clock_ns_syscall,
	.read_os = fake_read_os,
	.kernel_ns = fake_kernel_ns,
	.try_clock = fake_try_clock,
	.auxval = fake_auxval,
	.random = fake_random,
	.counter_hz = fake_counter_hz,
	.map_hpet = fake_map_hpet,
	.unmap_hpet = fake_unmap_hpet,
	.map_registers = fake_map_registers,
	.unmap_registers = fake_unmap_registers,
	.try_words = fake_try_words,
	.open = fake_open,
	.coarse_step_ns = fake_coarse_step_ns,
	.getenv = fake_getenv,
	.ptp_read = fake_ptp_read,
};

void fake_env_reset(void)
{
	fake = (struct fake_machine){ .map_error = -ENOENT, .map_stage = HPT_STAGE_OPEN,
				      .registers_error = -ENOENT, .registers_stage = HPT_STAGE_OPEN,
				      .coarse_step_ns = 4000000, .ptp_error = -ENOENT };
	memset(places, 0, sizeof(places));
	fake_env_place("/sys", root);
	fake_cpu(invariant);
	fake_env_kernel(NULL);
}

/* A forked child that exits leaves the folder to its parent. */
static void remove_root(void)
{
	char path[192];

	if (getpid() != root_owner)
		return;
	fake_env_kernel(NULL);
	snprintf(path, sizeof(path), "%s", fake_env_kernel_path());
	while (strlen(path) > strlen(root)) {
		*strrchr(path, '/') = '\0';
		if (rmdir(path))
			break;
	}
}

static void make_root(void)
{
	strcpy(root, "/tmp/hpt-sysfs-XXXXXX");
	if (!mkdtemp(root) || atexit(remove_root))
		abort();
	root_owner = getpid();
}

const char *fake_env_kernel_path(void)
{
	static char path[192];
	static const char *const folders[] = { "/devices", "/devices/system", "/devices/system/clocksource",
					       "/devices/system/clocksource/clocksource0" };

	if (!root[0])
		make_root();
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		snprintf(path, sizeof(path), "%s%s", root, folders[i]);
		mkdir(path, 0700);
	}
	snprintf(path, sizeof(path), "%s%s/current_clocksource", root, folders[3]);
	return path;
}

void fake_env_kernel(const char *text)
{
	const char *path = fake_env_kernel_path();
	int fd;

	if (unlink(path))
		rmdir(path);
	if (!text)
		return;
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text) || close(fd))
		abort();
}

int fake_env_setup(void **state)
{
	(void)state;
	fake_env_reset();
	return 0;
}
