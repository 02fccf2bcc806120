/* SPDX-License-Identifier: MIT */
/* hpt.h - one clock over whatever counter this machine has: everything. */
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
