/* SPDX-License-Identifier: MIT */
/* The hypervisor's count of events that disrupted the guest's counters. */
#ifndef HPT_VM_MARKER_H
#define HPT_VM_MARKER_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/env.h"

/* Where the driver puts the device. */
#define HPT_VMCLOCK_DEVICE "/dev/vmclock0"

/*
 * Reads the hypervisor's count of events that disrupted the guest's counters (migration, restored snapshot), from the
 * device of Linux's include/uapi/linux/vmclock-abi.h. False: there is no such device, or it is being updated.
 */
bool hpt_vm_marker(const struct hpt_env *env, uint64_t *ret);

#endif
