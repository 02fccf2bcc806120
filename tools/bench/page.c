// SPDX-License-Identifier: MIT
/* Writes the report's page: style sheet, contents, tables and plots: tools/bench/page.h. */
#include "bench/page.h"

#include <time.h>

#include "hpt/version.h"

#include "bench/disturbance.h"
#include "bench/doc.h"
#include "bench/plot/plot_reads.h"
#include "bench/plot/plot_sweep.h"
#include "bench/plot/plot_wakes.h"
#include "bench/reads_report.h"
#include "bench/sweep_report.h"
#include "bench/wakes_report.h"
#include "machine.h"
#include "units.h"

/* The system's own font, one colour besides the text's, digits of equal width. */
static const char style[] =
	":root{color-scheme:light dark;--bg:#fff;--ink:#1f2328;--soft:#59636e;--line:#d9dee3;--shade:#f6f7f9;"
	"--link:#0067a5}\n"
	"@media(prefers-color-scheme:dark){:root{--bg:#14171a;--ink:#e6e9ec;--soft:#9aa4ae;--line:#343b42;"
	"--shade:#1c2024;--link:#56b4e9}}\n"
	"*{box-sizing:border-box}\n"
	"html{background:var(--bg);color:var(--ink);"
	"font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;"
	"-webkit-text-size-adjust:100%}\n"
	"body{margin:0 auto;padding:clamp(1rem,4vw,3.5rem) clamp(1rem,4vw,2rem);max-width:76rem}\n"
	"@media(min-width:2200px){html{font-size:20px}}\n"
	"header{margin-bottom:2rem}\n"
	"h1{font-size:clamp(1.5rem,1.2rem + 1.6vw,2.2rem);line-height:1.2;margin:0 0 .3rem;font-weight:680;"
	"letter-spacing:-.015em}\n"
	"h2{font-size:1.4rem;line-height:1.25;margin:3.2rem 0 .9rem;padding-top:1.1rem;"
	"border-top:1px solid var(--line);font-weight:650}\n"
	"h3{font-size:1.02rem;margin:2.1rem 0 .55rem;font-weight:640}\n"
	"p{margin:.55rem 0;max-width:46rem}\n"
	"header p,figcaption{color:var(--soft)}\n"
	"a{color:var(--link);text-underline-offset:.2em}\n"
	"nav ul{display:flex;flex-wrap:wrap;gap:.35rem 1.4rem;list-style:none;margin:1.1rem 0 0;padding:0}\n"
	"figure{margin:1.8rem 0}\n"
	"figure .wide{border:1px solid var(--line);border-radius:8px}\n"
	"figure svg{display:block;width:100%;min-width:680px;height:auto;border-radius:8px}\n"
	"figcaption{font-size:.9rem;margin-top:.55rem;max-width:46rem}\n"
	".wide{overflow-x:auto}\n"
	"table{border-collapse:collapse;font-size:.86rem;line-height:1.4;font-variant-numeric:tabular-nums}\n"
	"th,td{padding:.34rem .7rem .34rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}\n"
	"th:last-child,td:last-child{padding-right:.2rem}\n"
	"thead th{color:var(--soft);font-weight:560;vertical-align:bottom;border-bottom-color:var(--soft)}\n"
	"tbody th{font-weight:500;white-space:nowrap}\n"
	".n{text-align:right;white-space:nowrap}\n"
	"tbody tr:hover{background:var(--shade)}\n"
	"@media print{html{font-size:10pt}body{max-width:none;padding:0}nav{display:none}.wide{overflow:visible}"
	"tr{break-inside:avoid}h2,h3{break-after:avoid}figure svg{min-width:0}}\n";

struct part {
	const char *id, *heading, *caption;
};

static const struct part parts[] = {
	{ "machine", "The machine", NULL },
	{ "read", "Reading the time",
	  "Above, the distribution of the cost of a single read, the quickest first. Below, the same reads over the "
	  "time of the run: the peaks are other work of the processor and the kernel." },
	{ "sleep", "Sleeping",
	  "Above, how late sleeps of each length end; below, their share of CPU time. Both axes are logarithmic: each "
	  "line of the grid is a multiple of the one before." },
	{ "wake", "Being woken",
	  "How soon a sleeper runs after another thread has woken it, and how late the ticks of a period come." },
};

enum { MACHINE, READ, SLEEP, WAKE, PARTS };

static bool has_part(const struct hpt_page *page, int part)
{
	const bool has[PARTS] = { [MACHINE] = page->info, [READ] = page->read, [SLEEP] = page->sweep,
				  [WAKE] = page->wakes };

	return has[part];
}

static int64_t start_ns(const struct hpt_page *page)
{
	return page->read ? page->read->start_unix_ns : page->sweep ? page->sweep->start_unix_ns :
	       page->wakes ? page->wakes->start_unix_ns : 0;
}

static void put_contents(const struct hpt_page *page, FILE *to)
{
	fputs("<nav aria-label=\"Contents\"><ul>\n", to);
	for (int i = 0; i < PARTS; i++)
		if (has_part(page, i))
			fprintf(to, "<li><a href=\"#%s\">%s</a></li>\n", parts[i].id, parts[i].heading);
	fputs("</ul></nav>\n", to);
}

static void put_head(const struct hpt_page *page, FILE *to)
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
		"<title>Time on this machine: hpt bench</title>\n<style>\n%s</style>\n</head>\n<body>\n"
		"<header>\n<h1>Time on this machine</h1>\n<p>Measured by <code>hpt bench</code>, libhpt %s%s</p>\n",
		style, HPT_VERSION_STRING, date);
	if (page->is_interrupted)
		fputs("<p>Interrupted: results of the complete rounds until then.</p>\n", to);
	put_contents(page, to);
	fputs("</header>\n<main>\n", to);
}

static void put_tables(const struct hpt_page *page, int part, FILE *to)
{
	struct hpt_doc doc = { .to = to, .is_html = true };

	if (part >= READ && page->disturbances[part - READ])
		hpt_disturbance_print(page->disturbances[part - READ], &doc);
	switch (part) {
	case MACHINE:
		hpt_doc_table(&doc, hpt_machine_table(page->info));
		break;
	case READ:
		hpt_reads_print(page->read, &doc);
		break;
	case SLEEP:
		hpt_sweep_print(page->sweep, &doc);
		break;
	default:
		hpt_wakes_print(page->wakes, &doc);
	}
}

static void put_plot(const struct hpt_page *page, int part, FILE *to)
{
	fputs("<figure><div class=\"wide\">\n", to);
	if (part == READ)
		hpt_plot_reads(page->read, to);
	else if (part == SLEEP)
		hpt_plot_sweep(page->sweep, to);
	else
		hpt_plot_wakes(page->wakes, to);
	fprintf(to, "</div><figcaption>%s</figcaption></figure>\n", parts[part].caption);
}

void hpt_page_write(const struct hpt_page *page, FILE *to)
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
