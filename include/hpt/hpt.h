/* SPDX-License-Identifier: MIT */
/*
 * hpt.h - libhpt: one clock over the best counter of the machine, and sleeps that end on time.
 *
 * The young headers <hpt/wall.h>, <hpt/wait.h>, <hpt/mmio.h> and <hpt/system.h> are included by themselves: see
 * libhpt(3).
 */
#ifndef LIBHPT_HPT_H
#define LIBHPT_HPT_H

#include <hpt/clock.h>
#include <hpt/info.h>
#include <hpt/sleep.h>
#include <hpt/ticker.h>
#include <hpt/time.h>
#include <hpt/timebase.h>
#include <hpt/version.h>
#include <hpt/waiter.h>

#endif
