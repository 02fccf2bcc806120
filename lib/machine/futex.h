/* SPDX-License-Identifier: MIT */
/* Waits in the kernel: the live functions for wait, wake, slack_ns and set_slack_ns of struct hpt_env. */
#ifndef HPT_FUTEX_H
#define HPT_FUTEX_H

#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

int hpt_futex_wait(const _Atomic uint32_t *word, uint32_t value, clockid_t id, int64_t until_ns);
void hpt_futex_wake(const _Atomic uint32_t *word);
int64_t hpt_timer_slack_ns(void);
void hpt_timer_slack_set_ns(int64_t ns);

#endif
