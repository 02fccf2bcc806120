// SPDX-License-Identifier: MIT
/* hpt_wall_open(), hpt_wall_ref(), hpt_wall_close(). */
#include "wall/wall_object.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "math/units.h"
#include "machine/cpu.h"
#include "machine/process.h"
#include "clock/sized.h"
#include "wall/vmclock.h"
#include "wall/wall_counter.h"
#include "wall/wall_fd.h"
#include "wall/wall_rules.h"

#define ON_REQUEST (uint32_t)(HPT_WALL_SOURCE_KERNEL | HPT_WALL_SOURCE_FBCLOCK)

static bool has_end(const char *text, size_t size)
{
	return memchr(text, 0, size);
}

/* Those in use. */
static uint32_t sources_of(const struct hpt_wall_config *c)
{
	return c->sources ? c->sources : HPT_WALL_SOURCES_ALL & ~ON_REQUEST;
}

static bool is_good_config(const struct hpt_wall_config *c, size_t size)
{
	return hpt_can_take(c, size, HPT_WALL_CONFIG_SIZE_V0, sizeof(*c)) && c->rate_ppb < PPB &&
	       c->wander_ppb < PPB && !(c->sources & ~HPT_WALL_SOURCES_ALL) && !(c->trusted & ~sources_of(c)) &&
	       c->phc_timescale <= HPT_WALL_TIMESCALE_TAI && !c->reserved &&
	       c->phc_error_ns >= 0 && c->max_width_ns >= 0 && c->max_age_ns >= 0 &&
	       c->chrony_refclock_error_ns >= 0 &&
	       has_end(c->clockbound_path, sizeof(c->clockbound_path)) &&
	       has_end(c->vmclock_path, sizeof(c->vmclock_path)) && has_end(c->phc_path, sizeof(c->phc_path)) &&
	       has_end(c->chrony_address, sizeof(c->chrony_address));
}

/* Known on x86 alone. */
static bool is_guest(const struct hpt_env *env)
{
	struct hpt_cpu cpu;

	hpt_cpu_read(env->cpuid, env->cpuid_ctx, &cpu);
	return cpu.hypervisor;
}

/* The first record needs the clock's rate. While that is not known, any will do for a record without a bound. */
static void publish_first(struct hpt_wall *w)
{
	struct hpt_wall_rules rules = { 0 };
	struct hpt_wall_look look = { 0 };
	struct hpt_wall_record rec;

	if (!hpt_wall_rules_make(w, &rules) || !hpt_wall_look_take(w, &look))
		look = (struct hpt_wall_look){ 0 };
	hpt_wall_record_init(&rec, &rules, &look);
	(void)hpt_seqlatch_write(&w->latch, (hpt_word *)w->records, HPT_WALL_RECORD_WORDS, (const hpt_word *)&rec, 0,
				 hpt_process());
}

static struct hpt_wall *allocate(void)
{
	int saved = errno;
	struct hpt_wall *w = aligned_alloc(_Alignof(struct hpt_wall), sizeof(*w));

	if (w)
		memset(w, 0, sizeof(*w));
	errno = saved;
	return w;
}

static void note_reasons(struct hpt_wall *w)
{
	for (uint32_t i = 0; i < HPT_WALL_SOURCES; i++)
		atomic_init(&w->answers[i],
			    w->sources & 1u << i ? HPT_WALL_REASON_NOT_ASKED : HPT_WALL_REASON_NOT_USED);
}

COLD int hpt_wall_open(hpt_clock *clk, const struct hpt_wall_config *config, size_t size, uint32_t flags,
		       hpt_wall **ret)
{
	struct hpt_wall *w;

	if (!ret || flags & ~(uint32_t)HPT_WALL_OPEN_LEAP_COVER || (config && !is_good_config(config, size)))
		return -EINVAL;
	w = allocate();
	if (!w)
		return -ENOMEM;
	w->clk = hpt_clock_ref(clk);
	if (config)
		w->config = *config;
	w->sources = sources_of(&w->config);
	w->max_width_ns = w->config.max_width_ns ? (uint64_t)w->config.max_width_ns : UINT64_MAX;
	w->counts_raw = hpt_wall_counter_is_raw(w->clk);
	w->covers_leap = flags & HPT_WALL_OPEN_LEAP_COVER;
	w->is_guest = is_guest(w->clk->src.env);
	w->bell = hpt_bell_choose();
	atomic_init(&w->holders, 1);
	note_reasons(w);
	publish_first(w);
	*ret = w;
	return 0;
}

hpt_wall *hpt_wall_ref(hpt_wall *w)
{
	if (w)
		atomic_fetch_add_explicit(&w->holders, 1, memory_order_relaxed);
	return w;
}

COLD void hpt_wall_close(hpt_wall *w)
{
	const volatile void *page;

	/* Release, so that what this holder did with the wall is done before another one frees it. */
	if (!w || atomic_fetch_sub_explicit(&w->holders, 1, memory_order_acq_rel) > 1)
		return;
	page = atomic_load_explicit(&w->vmclock, memory_order_relaxed);
	if (page)
		hpt_vmclock_unmap(w->clk->src.env, page);
	hpt_wall_fd_close(w);
	hpt_clock_close(w->clk);
	free(w);
}
