// SPDX-License-Identifier: MIT
/* Maps the registers of devices: lib/machine/device_map.h. */
#include "machine/device_map.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "hpt/hpt.h"

#include "arch/arch.h"

/* drivers/char/hpet.c registers a misc device: major 10, HPET_MINOR (include/linux/miscdevice.h). */
#define HPET_MAJOR 10
#define HPET_MINOR 228

/* Only the real device is mapped: truncating a mapped file would kill the process by SIGBUS. */
static COLD int check_hpet_node(const struct stat *st)
{
	return S_ISCHR(st->st_mode) && major(st->st_rdev) == HPET_MAJOR && minor(st->st_rdev) == HPET_MINOR ?
		       0 : -HPT_ENOTDEVICE;
}

static COLD int check_any_node(const struct stat *st)
{
	return S_ISCHR(st->st_mode) ? 0 : -HPT_ENOTDEVICE;
}

/* Maps whole pages. O_SYNC, because /dev/mem could otherwise be mapped with a cache; other drivers ignore it. */
static COLD int map_device(const char *path, int (*check_node)(const struct stat *st), off_t start, size_t length,
			   const volatile void **ret, uint32_t *ret_stage)
{
	/* O_NONBLOCK, which the drivers ignore, because opening a FIFO of this name would block. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_SYNC), r;
	struct stat st;
	void *page;

	*ret_stage = HPT_STAGE_OPEN;
	if (fd < 0)
		return -errno;
	r = fstat(fd, &st) < 0 ? -errno : check_node(&st);
	if (!r) {
		*ret_stage = HPT_STAGE_MAP;
		page = mmap(NULL, length, PROT_READ, MAP_SHARED, fd, start);
		if (page == MAP_FAILED)
			r = -errno;
		else
			*ret = page;
	}
	close(fd);
	return r;
}

COLD int hpt_map_hpet(const char *path, const volatile void **ret, uint32_t *ret_stage)
{
	return map_device(path, check_hpet_node, 0, HPT_HPET_PAGE, ret, ret_stage);
}

COLD void hpt_unmap_hpet(const volatile void *page)
{
	munmap((void *)(uintptr_t)page, HPT_HPET_PAGE);
}

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

COLD int hpt_map_registers(const char *path, uint64_t start, size_t length, const volatile void **ret,
			   uint32_t *ret_stage)
{
	size_t in_page = (size_t)start & (page_size() - 1);
	const volatile void *page;
	int r = map_device(path, check_any_node, (off_t)(start - in_page), in_page + length, &page, ret_stage);

	if (!r)
		*ret = (const volatile char *)page + in_page;
	return r;
}

COLD void hpt_unmap_registers(const volatile void *start, size_t length)
{
	size_t in_page = (uintptr_t)start & (page_size() - 1);

	munmap((void *)((uintptr_t)start - in_page), in_page + length);
}
