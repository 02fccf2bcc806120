// SPDX-License-Identifier: MIT
/* The page of a report, with fakes of the tables of the benches. */
#include "markup.h"
#include "plot_world.h"
#include "captured_err.h"

#include "bench/page.h"
#include "bench/reads_report.h"
#include "bench/sweep_report.h"
#include "bench/wakes_report.h"
#include "cli/disturbance.h"
#include "cli/doc.h"

static void print(struct doc *doc, const char *what)
{
	struct libscols_table *tb = out_table_new_facts();

	doc_heading(doc, "%s <printed>", what);
	out_table_fact(tb, what, "a & b");
	doc_table(doc, tb);
}

void reads_print(const void *reads, struct doc *doc)
{
	(void)reads;
	print(doc, "reads");
}

void sweep_print(const void *sweep, struct doc *doc)
{
	(void)sweep;
	print(doc, "sleeps");
}

void wakes_print(const void *wakes, struct doc *doc)
{
	(void)wakes;
	print(doc, "wakes");
}

void disturbance_print(const struct disturbance *d, struct doc *doc)
{
	if (d->is_disturbed)
		doc_note(doc, "disturbed %d times", (int)d->preemptions);
}

struct libscols_table *machine_table(const struct machine *info)
{
	struct libscols_table *tb = out_table_new_facts();

	out_table_fact(tb, "Clock source", "%s", info->clocksource);
	return tb;
}

static char *write_page(const struct page *page)
{
	struct markup m;
	char *html;

	markup_open(&m);
	page_write(page, m.to);
	html = markup_close(&m);
	assert_true(!strncmp(html, "<!DOCTYPE html>\n<html lang=\"en\">", 32));
	assert_int_equal(count_of(html, "<h1>"), 1);
	assert_never_says(html, "<script");
	/* The page refers to no other resource; the name of SVG's namespace is no resource. */
	assert_int_equal(count_of(html, "http"), count_of(html, "http://www.w3.org/2000/svg"));
	assert_never_says(html, "@import");
	assert_never_says(html, "url(");
	return html;
}

static void assert_part(const char *html, const char *id, unsigned times)
{
	char words[64];

	snprintf(words, sizeof(words), "<h2 id=\"%s\">", id);
	assert_int_equal(count_of(html, words), times);
	snprintf(words, sizeof(words), "<a href=\"#%s\">", id);
	assert_int_equal(count_of(html, words), times);
}

static void a_whole_report(void **state)
{
	static const char *const ids[] = { "machine", "read", "sleep", "wake" };
	struct machine info = { .clocksource = "tsc <&>" };
	struct reads r;
	struct sweep s;
	struct wakes w;
	char *html;

	(void)state;
	world_read(&r, COUNT(world_calls), 1000, 200);
	world_sweep(&s, 18, CANDIDATES);
	world_wakes(&w, 200, 4000);
	html = write_page(&(struct page){ .info = &info, .read = &r, .sweep = &s, .wakes = &w });
	for (size_t i = 0; i < COUNT(ids); i++)
		assert_part(html, ids[i], 1);
	assert_int_equal(count_of(html, "<svg "), 6);
	assert_int_equal(count_of(html, " id="), COUNT(ids));
	assert_int_equal(count_of(html, "Interrupted"), 0);
	assert_int_equal(count_of(html, "&lt;printed&gt;</h3>"), 3);
	assert_says(html, "tsc &lt;&amp;&gt;");
	assert_says(html, "2026-11-20 10:47 UTC");
	assert_says(html, "prefers-color-scheme:dark");
	free(html);
	world_read_free(&r);
	world_sweep_free(&s);
	world_wakes_free(&w);
}

static void assert_before(const char *html, const char *first, const char *second)
{
	assert_says(html, first);
	assert_says(html, second);
	assert_true(strstr(html, first) < strstr(html, second));
}

static void the_answer_comes_first(void **state)
{
	struct machine info = { .clocksource = "" };
	struct reads r;
	struct sweep s;
	char *html;

	(void)state;
	world_read(&r, COUNT(world_calls), 10, 20);
	world_sweep(&s, 18, CANDIDATES);
	r.rows[3].throughput.median = 9100; /* hpt_now(NULL) */
	r.rows[3].ratio = (struct stats){ .count = 10, .median = 520000 };
	((struct reads_row *)(uintptr_t)r.base)->throughput.median = 17500;
	html = write_page(&(struct page){ .info = &info, .read = &r, .sweep = &s });
	assert_before(html,
		      "<strong>9.10 ns</strong><p>by hpt_now; clock_gettime takes 17.5 ns, and the ratio is 0.52<",
		      "<strong>81.0 ns</strong><p>by hpt_sleep_ns; nanosleep by 54.0 \302\265s (medians of 126 sleeps "
		      "of 1.91 \302\265s to 250 ms)<");
	assert_before(html, "54.0 \302\265s", "<strong>0.063 %</strong><p>of the time slept, by hpt_sleep_ns; "
		      "nanosleep 0.03 %; a busy wait 99.8 %<");
	assert_before(html, "a busy wait 99.8 %<", "<h2 id=\"read\">");
	assert_before(html, "<h2 id=\"sleep\">", "<h2 id=\"machine\">");
	free(html);
	world_read_free(&r);
	world_sweep_free(&s);
}

static void the_run_s_quality_is_stated(void **state)
{
	const struct disturbance quiet = { .is_known = true }, unknown = { .is_known = true, .others_ppm = -1 };
	const struct disturbance loud = { .is_known = true, .is_disturbed = true, .others_ppm = 1730000,
					      .steal_ppm = 31000, .is_preempted = true, .preemptions = 3771 };
	static const char shared[] = "The CPU was shared: tails are not the library&#39;s.";
	const struct { const struct disturbance *sleeps; bool is_interrupted; const char *says; } rows[] = {
		{ &quiet, false, "<p class=\"quality\"><strong>A quiet run.</strong>" },
		{ &quiet, true, "<p class=\"quality bad\"><strong>Interrupted:</strong>" },
		{ &unknown, false, "<p class=\"quality\"><strong>Perhaps disturbed:</strong>" },
		{ &loud, false, "<p class=\"quality bad\"><strong>A disturbed run.</strong> Sleeps: other processes "
		  "used 1.73 CPUs, the host took 3.1 % of the CPUs&#39; time, the thread was preempted 3,771 times. " },
	};
	struct machine info = { .clocksource = "" };

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		char *html = write_page(&(struct page){ .info = &info, .is_interrupted = rows[i].is_interrupted,
							    .disturbances = { &quiet, rows[i].sleeps, NULL } });

		assert_says(html, rows[i].says);
		assert_int_equal(count_of(html, shared), rows[i].sleeps == &loud);
		free(html);
	}
}

static void disturbed_parts_say_so(void **state)
{
	const struct disturbance quiet = { .is_known = true };
	const struct disturbance loud = { .is_known = true, .is_disturbed = true, .preemptions = 7 };
	struct machine info = { .clocksource = "" };
	struct sweep s;
	char *html;

	(void)state;
	world_sweep(&s, 3, CANDIDATES);
	html = write_page(&(struct page){ .info = &info, .sweep = &s, .disturbances = { &loud, &quiet, &loud } });
	assert_never_says(html, "disturbed 7 times");
	free(html);
	html = write_page(&(struct page){ .info = &info, .sweep = &s, .disturbances = { &quiet, &loud, NULL } });
	assert_int_equal(count_of(html, "<p>disturbed 7 times</p>"), 1);
	free(html);
	world_sweep_free(&s);
}

static void parts_that_were_not_measured_are_not_there(void **state)
{
	struct machine info = { .clocksource = "" };
	struct sweep s;
	char *html;

	(void)state;
	world_sweep(&s, 3, CANDIDATES);
	html = write_page(&(struct page){ .is_interrupted = true, .info = &info, .sweep = &s });
	assert_int_equal(count_of(html, "Interrupted"), 1);
	assert_part(html, "read", 0);
	assert_part(html, "sleep", 1);
	assert_part(html, "wake", 0);
	assert_int_equal(count_of(html, "<svg "), 2);
	assert_never_says(html, "1970");
	free(html);
	world_sweep_free(&s);
	html = write_page(&(struct page){ .info = &info });
	assert_part(html, "machine", 1);
	free(html);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_report),
		cmocka_unit_test(the_answer_comes_first),
		cmocka_unit_test(the_run_s_quality_is_stated),
		cmocka_unit_test(disturbed_parts_say_so),
		cmocka_unit_test(parts_that_were_not_measured_are_not_there),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
