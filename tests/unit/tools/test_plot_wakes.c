// SPDX-License-Identifier: MIT
/* Plots of wakes and tickers: all phases and keepers, and parts that were not measured. */
#include "captured_err.h"
#include "markup.h"
#include "plot_world.h"

#include "bench/plot_wakes.h"

static char *draw_as(const struct wakes *s, enum plot_form form)
{
	struct markup m;

	markup_open(&m);
	plot_wakes(s, form, m.to);
	return plot_close(&m);
}

/* The file; the form for narrow screens is drawn as well, and checked to be sound. */
static char *draw_wakes(const struct wakes *s)
{
	free(draw_as(s, PLOT_NARROW));
	return draw_as(s, PLOT_FILE);
}

static void every_phase_and_keeper_is_drawn(void **state)
{
	struct wakes s;
	char *svg;

	(void)state;
	world_wakes(&s, 1000, 20000);
	svg = draw_wakes(&s);
	for (unsigned i = 0; i < s.n_phases; i++)
		assert_says(svg, s.phases[i].name);
	for (unsigned i = 0; i < s.n_keepers; i++)
		assert_says(svg, s.keepers[i].name);
	assert_says(svg, ">bare flag</text>");
	assert_int_equal(count_of(svg, ">bare futex</text>"), 3);
	assert_says(svg, ">20 s</text>");
	free(svg);
	world_wakes_free(&s);
}

static void parts_that_were_not_measured(void **state)
{
	struct wakes s;
	char *svg;

	(void)state;
	world_wakes(&s, 1, 1);
	atomic_store(&s.phases[2].rounds_done, 0);
	atomic_store(&s.keepers[2].done, 0);
	svg = draw_wakes(&s);
	assert_int_equal(count_of(svg, "not measured</text>"), 2);
	free(svg);
	world_wakes_free(&s);
	world_wakes(&s, 0, 0);
	svg = draw_wakes(&s);
	assert_int_equal(count_of(svg, "not measured</text>"), 7);
	free(svg);
	world_wakes_free(&s);
}

static void one_cpu_and_no_ticker(void **state)
{
	struct wakes s = { .cpu = 0, .sleeper_cpu = -1 };
	char *svg;

	(void)state;
	svg = draw_wakes(&s);
	assert_never_says(svg, "waker");
	assert_never_says(svg, "period of");
	free(svg);
}

static void only_whole_ticks_are_drawn(void **state)
{
	struct wakes s;
	char *svg;

	(void)state;
	world_wakes(&s, 10, 100);
	for (unsigned i = 0; i < s.n_keepers; i++) {
		for (size_t k = 50; k < 100; k++)
			s.keepers[i].late_ps[k] = INT64_C(777000000000000);
		atomic_store(&s.keepers[i].done, 50);
		stats_of(s.keepers[i].late_ps, 50, &s.keepers[i].late);
	}
	svg = draw_wakes(&s);
	assert_never_says(svg, "777 s");
	free(svg);
	world_wakes_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_phase_and_keeper_is_drawn),
		cmocka_unit_test(parts_that_were_not_measured),
		cmocka_unit_test(one_cpu_and_no_ticker),
		cmocka_unit_test(only_whole_ticks_are_drawn),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
