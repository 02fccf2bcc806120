// SPDX-License-Identifier: MIT
/* Writes texts, lines, areas, markers and labels as SVG, and values with their units: tools/bench/plot/svg.h. */
#include "bench/plot/svg.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "bench/doc.h"
#include "util.h"

/*
 * Okabe and Ito, "Color universal design", 2008: distinguishable with every kind of colour blindness. Here darker on
 * white and lighter on black, so that a thin line has a contrast of 3:1 at least. Each colour is given twice: programs
 * without CSS variables take the first.
 */
static const char style[] =
	"<style>"
	".hptf{--bg:#fff;--ink:#1f2328;--soft:#59636e;--grid:#e6e9ed;--edge:#b4bcc4;"
	"--c0:#0067a5;--c1:#c24e00;--c2:#00795a;--c3:#a8457c;--c4:#8a6500;--c5:#3d8fc4;--c6:#59636e;"
	"background:var(--bg);font:12px system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif}"
	"@media(prefers-color-scheme:dark){.hptf{--bg:#14171a;--ink:#e6e9ec;--soft:#9aa4ae;--grid:#272c31;"
	"--edge:#4a525a;"
	"--c0:#56b4e9;--c1:#ff8a4c;--c2:#2fc79b;--c3:#e58fc0;--c4:#e8c547;--c5:#8fa8ff;--c6:#a9b2bb}}"
	".hptf .bg{fill:#fff;fill:var(--bg)}"
	".hptf text{fill:#1f2328;fill:var(--ink)}.hptf .soft{fill:#59636e;fill:var(--soft);font-size:11px}"
	".hptf .big{font-size:19px;font-weight:650}.hptf .head{font-size:14px;font-weight:600}"
	".hptf .end{text-anchor:end}.hptf .mid{text-anchor:middle}.hptf .num{font-variant-numeric:tabular-nums}"
	".hptf .grid{stroke:#e6e9ed;stroke:var(--grid)}.hptf .axis{stroke:#b4bcc4;stroke:var(--edge)}"
	".hptf .rule{stroke:#59636e;stroke:var(--soft);stroke-dasharray:2 3}"
	".hptf .s0{color:#0067a5;color:var(--c0)}.hptf .s1{color:#c24e00;color:var(--c1)}"
	".hptf .s2{color:#00795a;color:var(--c2)}.hptf .s3{color:#a8457c;color:var(--c3)}"
	".hptf .s4{color:#8a6500;color:var(--c4)}.hptf .s5{color:#3d8fc4;color:var(--c5)}"
	".hptf .s6{color:#59636e;color:var(--c6)}"
	".hptf text.ser{fill:currentColor}"
	".hptf .line{fill:none;stroke:currentColor;stroke-width:1.8;stroke-linejoin:round;stroke-linecap:round}"
	".hptf .thin{stroke-width:1;stroke-dasharray:4 3;opacity:.8}"
	".hptf .mark{stroke:currentColor;stroke-width:1.2}"
	".hptf .lead{fill:none;stroke:currentColor;opacity:.5}"
	".hptf .area{fill:currentColor;fill-opacity:.22;stroke:none}"
	".hptf .fill{fill:currentColor;fill-opacity:.7}"
	".hptf .dot{fill:currentColor;stroke:#fff;stroke:var(--bg);stroke-width:.8}"
	".hptf .peak{fill:currentColor;fill-opacity:.75}"
	"</style>\n";

/* Upper bound on the width of a character at 12 pixels: Verdana and DejaVu Sans are the widest common fonts. */
#define CHARACTER_WIDTH 7.0
#define LABEL_HEIGHT    15.0

struct hpt_svg_value hpt_svg_time(double ps)
{
	static const struct { const char *unit; double ps; } units[] = {
		{ "s", 1e12 }, { "ms", 1e9 }, { "us", 1e6 }, { "ns", 1e3 }, { "ps", 1 },
	};
	struct hpt_svg_value t;
	size_t u = 0;

	if (!isfinite(ps))
		ps = 0;
	/* A value that rounds to 1000 of a unit is 1 of the next. */
	while (u < 4 && fabs(ps) < units[u].ps * 0.9995)
		u++;
	if (ps == 0)
		u = 3;
	if (fabs(ps / units[u].ps) >= 999.5)
		snprintf(t.s, sizeof(t.s), "%.0f %s", ps / units[u].ps, units[u].unit);
	else
		snprintf(t.s, sizeof(t.s), "%.3g %s", ps / units[u].ps, units[u].unit);
	return t;
}

struct hpt_svg_value hpt_svg_share(double ppm)
{
	struct hpt_svg_value t;
	double percent = isfinite(ppm) ? ppm / 10000 : 0;

	if (fabs(percent) >= 100)
		snprintf(t.s, sizeof(t.s), "%.0f %%", percent);
	else if (fabs(percent) >= 0.0001 || percent == 0)
		snprintf(t.s, sizeof(t.s), "%.3g %%", percent);
	else
		snprintf(t.s, sizeof(t.s), "%.4f %%", percent);
	return t;
}

/* SVG has no NaN and no infinity. */
static double sane(double v)
{
	return isfinite(v) ? v : 0;
}

static void put_tip(struct hpt_svg *svg, const char *tip)
{
	fputs("<title>", svg->to);
	hpt_doc_escape(svg->to, tip);
	fputs("</title>", svg->to);
}

void hpt_svg_begin(struct hpt_svg *svg, const char *title, const char *subtitle)
{
	fprintf(svg->to, "<svg class=\"hptf\" xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
		"viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"", svg->width, svg->height, svg->width,
		svg->height);
	hpt_doc_escape(svg->to, title);
	fprintf(svg->to, "\">\n%s<rect class=\"bg\" width=\"%.0f\" height=\"%.0f\"/>\n", style, svg->width,
		svg->height);
	hpt_svg_text(svg, 20, 32, "big", "%s", title);
	hpt_svg_text(svg, 20, 51, "soft", "%s", subtitle);
}

void hpt_svg_end(struct hpt_svg *svg)
{
	fputs("</svg>\n", svg->to);
}

void hpt_svg_text(struct hpt_svg *svg, double x, double y, const char *classes, const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = hpt_vasprintf(fmt, ap);
	va_end(ap);
	fprintf(svg->to, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", sane(x), sane(y), classes);
	hpt_doc_escape(svg->to, text);
	fputs("</text>\n", svg->to);
	free(text);
}

/* Upper bound on the width of a text. */
static double text_width(const char *text)
{
	return CHARACTER_WIDTH * (double)strlen(text);
}

void hpt_svg_line(struct hpt_svg *svg, double x1, double y1, double x2, double y2, const char *classes)
{
	fprintf(svg->to, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", classes, sane(x1), sane(y1),
		sane(x2), sane(y2));
}

void hpt_svg_area(struct hpt_svg *svg, const double *x, const double *y, size_t n, unsigned series, const char *tip)
{
	if (!n)
		return;
	fprintf(svg->to, "<path class=\"fill s%u\" d=\"", series % HPT_SVG_SERIES);
	for (size_t i = 0; i < n; i++)
		fprintf(svg->to, "%c%.1f %.1f", i ? 'L' : 'M', sane(x[i]), sane(y[i]));
	fputs("Z\">", svg->to);
	if (tip)
		put_tip(svg, tip);
	fputs("</path>\n", svg->to);
}

void hpt_svg_marker(struct hpt_svg *svg, double x, double y, unsigned series, const char *tip)
{
	/* Of about equal area: disc, square, diamond, triangles, cross, pentagon. */
	static const char *const shapes[HPT_SVG_SERIES] = {
		"m-3.6 0a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0 -7.2 0z", "m-3.2 -3.2h6.4v6.4h-6.4z",
		"m0 -4.6l4.6 4.6l-4.6 4.6l-4.6 -4.6z", "m0 -4.4l4.2 7.4h-8.4z", "m0 4.4l4.2 -7.4h-8.4z",
		"m-1.4 -4.2h2.8v2.8h2.8v2.8h-2.8v2.8h-2.8v-2.8h-2.8v-2.8h2.8z",
		"m0 -4.2l4 2.9l-1.5 4.7h-5l-1.5 -4.7z",
	};

	fprintf(svg->to, "<path class=\"dot s%u\" d=\"M%.1f %.1f%s\">", series % HPT_SVG_SERIES, sane(x), sane(y),
		shapes[series % HPT_SVG_SERIES]);
	if (tip)
		put_tip(svg, tip);
	fputs("</path>\n", svg->to);
}

void hpt_svg_dot(struct hpt_svg *svg, double x, double y, unsigned series, const char *tip)
{
	fprintf(svg->to, "<circle class=\"peak s%u\" cx=\"%.1f\" cy=\"%.1f\" r=\"1.7\">", series % HPT_SVG_SERIES,
		sane(x), sane(y));
	put_tip(svg, tip);
	fputs("</circle>\n", svg->to);
}

static int compare_labels(const void *a, const void *b)
{
	double x = ((const struct hpt_svg_label *)a)->y, y = ((const struct hpt_svg_label *)b)->y;

	return (x > y) - (x < y);
}

/* Moves each label below the one before; then, from the bottom up, back into the panel. */
static void spread(const struct hpt_svg_label *labels, double *at, size_t n, double top, double bottom)
{
	double limit = top;

	for (size_t i = 0; i < n; i++) {
		at[i] = fmax(labels[i].y, limit);
		limit = at[i] + LABEL_HEIGHT;
	}
	limit = bottom;
	for (size_t i = n; i-- > 0;) {
		at[i] = fmin(at[i], limit);
		limit = at[i] - LABEL_HEIGHT;
	}
}

void hpt_svg_labels(struct hpt_svg *svg, double x, double top, double bottom, struct hpt_svg_label *labels, size_t n)
{
	double at[HPT_SVG_SERIES];

	if (n > HPT_SVG_SERIES)
		n = HPT_SVG_SERIES;
	qsort(labels, n, sizeof(labels[0]), compare_labels);
	spread(labels, at, n, top, bottom);
	for (size_t i = 0; i < n; i++) {
		unsigned series = labels[i].series % HPT_SVG_SERIES;
		char classes[16];

		fprintf(svg->to, "<path class=\"lead s%u\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1f\"/>\n", series, x + 6,
			sane(labels[i].y), x + 18, at[i], x + 22, at[i]);
		hpt_svg_marker(svg, x + 29, at[i], series, NULL);
		snprintf(classes, sizeof(classes), "ser s%u", series);
		hpt_svg_text(svg, x + 38, at[i] + 4, classes, "%s", labels[i].text);
	}
}

void hpt_svg_legend(struct hpt_svg *svg, double x, double y, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char classes[16];

		snprintf(classes, sizeof(classes), "ser s%u", (unsigned)(i % HPT_SVG_SERIES));
		hpt_svg_marker(svg, x + 5, y - 4, (unsigned)i, NULL);
		hpt_svg_text(svg, x + 14, y, classes, "%s", names[i]);
		x += 34 + text_width(names[i]);
	}
}
