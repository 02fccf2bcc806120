// SPDX-License-Identifier: MIT
/*
 * AddressSanitizer's shared runtime refuses to run unless it is the first object after the program. This one comes
 * first as soon as LD_PRELOAD names it, but replaces nothing that the runtime needs. So where the runtime comes first
 * but for this object, the check is switched off, as AddressSanitizer's flags advise for objects that are preloaded
 * everywhere. Where it fails for another object, it fails as ever.
 */
#include <link.h>
#include <stdint.h>

#include "preload/elf_object.h"
#include "preload/link_order.h"
#include "preload/load.h"

/* A program that has one of its own is served by it instead, and ASAN_OPTIONS beats both. */
const char *__asan_default_options(void);

/* By the address of a variable: other objects have no function of this name to ask for. */
static bool is_this_object(const struct dl_phdr_info *info)
{
	return hpt_elf_object_has(info, (uintptr_t)&hpt_loaded);
}

static int take(struct dl_phdr_info *info, size_t size, void *order)
{
	(void)size;
	return hpt_link_order_take(order, info->dlpi_name, !is_this_object(info));
}

__attribute__((visibility("default"))) const char *__asan_default_options(void)
{
	struct hpt_link_order order = { 0 };

	dl_iterate_phdr(take, &order);
	return order.is_asan_first ? "verify_asan_link_order=0" : "";
}
