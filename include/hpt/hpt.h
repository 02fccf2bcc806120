/* SPDX-License-Identifier: MIT */
/* hpt.h - all of libhpt: one clock over the best counter of the machine, and sleeps that end on time. */
#ifndef LIBHPT_HPT_H
#define LIBHPT_HPT_H

#include <hpt/clock.h>
#include <hpt/info.h>
#include <hpt/mmio.h>
#include <hpt/sleep.h>
#include <hpt/ticker.h>
#include <hpt/time.h>
#include <hpt/timebase.h>
#include <hpt/version.h>
#include <hpt/waiter.h>
#include <hpt/wall.h>

#endif
