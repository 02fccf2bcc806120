/* SPDX-License-Identifier: MIT */
/* fake.c - a libhpt.so.1 whose sleeps return 0 at once; with HPT_FAKE_NOMEM in the environment no waiter is made. */
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include <hpt/hpt.h>

int64_t hpt_now_ns(hpt_clock *clk)
{
	struct timespec now;

	(void)clk;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int hpt_clock_get_info(hpt_clock *clk, struct hpt_clock_info *ret, size_t size)
{
	(void)clk;
	*ret = (struct hpt_clock_info){ .size = (uint32_t)size };
	return 0;
}

int hpt_waiter_new(hpt_clock *clk, uint32_t flags, hpt_waiter **ret)
{
	(void)clk, (void)flags;
	*ret = getenv("HPT_FAKE_NOMEM") ? NULL : malloc(1);
	return *ret ? 0 : -ENOMEM;
}

int hpt_waiter_sleep_ns(hpt_waiter *w, int64_t ns)
{
	(void)w, (void)ns;
	return 0;
}

/* What the programs do after that: they end before. */
const char *hpt_source_name(uint32_t source) { return source ? "" : "fake"; }
void hpt_waiter_free(hpt_waiter *w) { free(w); }
int hpt_waiter_interrupt(hpt_waiter *w) { return w ? 0 : -EINVAL; }
int hpt_ticker_new(hpt_clock *clk, int64_t period, uint32_t flags, hpt_ticker **ret)
{
	(void)clk, (void)period, (void)flags, (void)ret;
	return -ENOMEM;
}
int hpt_ticker_wait(hpt_ticker *t, uint64_t *ret_missed) { (void)t, (void)ret_missed; return -EINVAL; }
void hpt_ticker_free(hpt_ticker *t) { (void)t; }
