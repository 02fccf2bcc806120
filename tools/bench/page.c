// SPDX-License-Identifier: MIT
/* Writes the report's page: style sheet, contents, tables and plots: tools/bench/page.h. */
#include "bench/page.h"

#include <time.h>

#include "hpt/version.h"

#include "bench/answer.h"
#include "bench/conditions.h"
#include "bench/page_style.h"
#include "bench/plot_reads.h"
#include "bench/plot_sweep.h"
#include "bench/plot_wakes.h"
#include "bench/reads_report.h"
#include "bench/stopwatch_report.h"
#include "bench/sweep_report.h"
#include "bench/wakes_report.h"
#include "cli/disturbance.h"
#include "cli/doc.h"
#include "math/units.h"
#include "info/machine.h"
#include "plot/svg.h"

struct part {
	const char *id, *heading, *caption;
};

static const struct part parts[] = {
	{ "read", "Reading the time",
	  "The dots are the columns NS and ISOLATED of the table. Below, single reads over the time of the run: the "
	  "peaks are other work of the processor and the kernel." },
	{ "sleep", "Sleeping",
	  "Above, how late sleeps of each length end; below, their share of CPU time. Both axes are logarithmic: a "
	  "step of the grid multiplies." },
	{ "wake", "Being woken",
	  "How soon a sleeper runs after another thread has woken it, and how late the ticks of a period come." },
	{ "machine", "The machine and the run", NULL },
};

enum { READ, SLEEP, WAKE, MACHINE, PARTS };

static bool has_part(const struct page *page, int part)
{
	const bool has[PARTS] = { [MACHINE] = page->info, [READ] = page->read, [SLEEP] = page->sweep,
				  [WAKE] = page->wakes };

	return has[part];
}

static int64_t start_ns(const struct page *page)
{
	return page->read ? page->read->start_unix_ns : page->sweep ? page->sweep->start_unix_ns :
	       page->wakes ? page->wakes->start_unix_ns : 0;
}

static void put_contents(const struct page *page, FILE *to)
{
	fputs("<nav aria-label=\"Contents\"><ul>\n", to);
	for (int i = 0; i < PARTS; i++)
		if (has_part(page, i))
			fprintf(to, "<li><a href=\"#%s\">%s</a></li>\n", parts[i].id, parts[i].heading);
	fputs("</ul></nav>\n", to);
}

static void put_head(const struct page *page, FILE *to)
{
	time_t start = (time_t)(start_ns(page) / NS_PER_S);
	char date[64] = "";
	struct tm tm;

	if (start && gmtime_r(&start, &tm))
		strftime(date, sizeof(date), ", %Y-%m-%d %H:%M UTC", &tm);
	fprintf(to, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		"<meta name=\"color-scheme\" content=\"light dark\">\n"
		/* An empty icon, so that the browser does not request one. */
		"<link rel=\"icon\" href=\"data:,\">\n"
		"<title>Time on this machine: hpt bench</title>\n<style>\n%s%s</style>\n</head>\n<body>\n"
		"<header>\n<h1>Time on this machine</h1>\n"
		"<p class=\"soft\">Measured by <code>hpt bench</code>, libhpt %s%s</p>\n",
		page_style, svg_style, HPT_VERSION_STRING, date);
	answer_tiles(page->read, page->sweep, to);
	answer_quality(page->disturbances, page->is_interrupted, page->sweep, to);
	put_contents(page, to);
	fputs("</header>\n<main>\n", to);
}

static void put_machine(const struct page *page, struct doc *doc)
{
	struct libscols_table *tb = machine_table(page->info);

	if (page->conditions)
		conditions_table(tb, page->conditions);
	doc_table(doc, tb);
}

static void put_tables(const struct page *page, int part, FILE *to)
{
	struct doc doc = { .to = to, .is_html = true };

	if (part < MACHINE && page->disturbances[part])
		disturbance_print(page->disturbances[part], &doc);
	switch (part) {
	case MACHINE:
		put_machine(page, &doc);
		break;
	case READ:
		stopwatch_warn(&page->read->watch, &doc);
		reads_print(page->read, &doc);
		break;
	case SLEEP:
		stopwatch_warn(&page->sweep->watch, &doc);
		sweep_print(page->sweep, &doc);
		break;
	default:
		stopwatch_warn(&page->wakes->watch, &doc);
		wakes_print(page->wakes, &doc);
	}
}

static void put_plot(const struct page *page, int part, FILE *to)
{
	fputs("<figure>\n", to);
	for (enum plot_form form = PLOT_WIDE; form <= PLOT_NARROW; form++) {
		if (part == READ)
			plot_reads(page->read, form, to);
		else if (part == SLEEP)
			plot_sweep(page->sweep, form, to);
		else
			plot_wakes(page->wakes, form, to);
	}
	fprintf(to, "<figcaption>%s</figcaption></figure>\n", parts[part].caption);
}

void page_write(const struct page *page, FILE *to)
{
	put_head(page, to);
	for (int i = 0; i < PARTS; i++) {
		if (!has_part(page, i))
			continue;
		fprintf(to, "<section>\n<h2 id=\"%s\">%s</h2>\n", parts[i].id, parts[i].heading);
		if (parts[i].caption)
			put_plot(page, i, to);
		put_tables(page, i, to);
		fputs("</section>\n", to);
	}
	fputs("</main>\n</body>\n</html>\n", to);
}
