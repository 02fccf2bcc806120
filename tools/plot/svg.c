// SPDX-License-Identifier: MIT
/* Writes texts, lines, areas and marks as SVG: tools/plot/svg.h. */
#include "plot/svg.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/doc.h"
#include "cli/util.h"

/* Upper bound on the mean width of a character at 12 pixels: Verdana and DejaVu Sans are the widest common fonts. */
#define CHARACTER_WIDTH 7.0
#define BOLD_WIDTH      8.6     /* of a heading */
#define LINE_HEIGHT     17.0

/* A page shows the wide form as wide as 730 pixels and more, where 13 units are 10 pixels. */
#define WIDE   960.0
#define NARROW 360.0

/*
 * Plain colours, and the dark ones once more where a screen is dark. Converters to PDF take the last declaration of a
 * property even if they cannot compute its value: with var() all is black in CairoSVG 2.5. They pass over rules of
 * @media.
 */
#define BG(colour)    ".hptf .bg,.hptf .ring{fill:" colour "}"
#define INK(colour)   ".hptf text{fill:" colour "}"
#define SOFT(colour)  ".hptf .soft{fill:" colour "}.hptf .rule{stroke:" colour "}"
#define GRID(colour)  ".hptf .grid{stroke:" colour "}"
#define EDGE(colour)  ".hptf .axis{stroke:" colour "}"
#define OURS(colour)  ".hptf .ours{color:" colour "}"
#define OTHER(colour) ".hptf .other{color:" colour "}"

const char svg_style[] =
	".hptf{background:#fff;font:13px system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif}"
	".hptf.narrow{font-size:12px}\n"
	BG("#fff") INK("#1f2328") SOFT("#59636e") GRID("#e6e9ed") EDGE("#b4bcc4") OURS("#0067a5") OTHER("#59636e") "\n"
	"@media screen and (prefers-color-scheme:dark){.hptf{background:#14171a}"
	BG("#14171a") INK("#e6e9ec") SOFT("#a2abb4") GRID("#272c31") EDGE("#56606a") OURS("#5ab4f2") OTHER("#a9b2bb")
	"}\n"
	".hptf .big{font-size:20px;font-weight:650}.hptf .head{font-size:14px;font-weight:600}"
	".hptf .end{text-anchor:end}.hptf .mid{text-anchor:middle}.hptf .num{font-variant-numeric:tabular-nums}\n"
	".hptf .rule{stroke-dasharray:2 3}"
	".hptf text.ours{fill:currentColor;font-weight:600}\n"
	".hptf .line{fill:none;stroke:currentColor;stroke-width:1.6;stroke-linejoin:round}"
	".hptf .mark{stroke:currentColor;stroke-width:1.6}"
	".hptf .thin{stroke-width:1}"
	".hptf .range{stroke:currentColor;stroke-width:7;stroke-opacity:.3}\n"
	".hptf .area{fill:currentColor;fill-opacity:.22}.hptf .fill{fill:currentColor;fill-opacity:.65}"
	".hptf .dot{fill:currentColor}.hptf .ring{stroke:currentColor;stroke-width:1.7}\n";

/* SVG has no NaN and no infinity. */
static double sane(double v)
{
	return isfinite(v) ? v : 0;
}

static const char *owner(bool is_ours)
{
	return is_ours ? "ours" : "other";
}

static void put_tip(FILE *to, const char *tip)
{
	if (!tip)
		return;
	fputs("<title>", to);
	doc_escape(to, tip);
	fputs("</title>", to);
}

/* ---- The whole -------------------------------------------------------------------------------------------------- */

/* The height is known at the end only, and the drawing is kept until then. */
void svg_begin(struct svg *svg, enum plot_form form, FILE *to, const char *title, const char *subtitle)
{
	*svg = (struct svg){ .form = form, .is_narrow = form == PLOT_NARROW, .whole = to, .title = title };
	svg->width = svg->is_narrow ? NARROW : WIDE;
	svg->y = SVG_MARGIN;
	svg->to = xneed(open_memstream(&svg->text, &svg->size));
	if (form != PLOT_FILE)
		return;
	svg_text(svg, SVG_MARGIN, 32, "big", "%s", title);
	svg_text(svg, SVG_MARGIN, 52, "soft", "%s", subtitle);
	svg->y = 70;
}

void svg_end(struct svg *svg)
{
	static const char *const classes[] = { "hptf", "hptf wide", "hptf narrow" };

	fclose(svg->to);
	fprintf(svg->whole, "<svg class=\"%s\" xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
		"viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"", classes[svg->form], svg->width, svg->y,
		svg->width, svg->y);
	doc_escape(svg->whole, svg->title);
	fputs("\">\n", svg->whole);
	if (svg->form == PLOT_FILE)
		fprintf(svg->whole, "<style>%s</style>\n", svg_style);
	fprintf(svg->whole, "<rect class=\"bg\" width=\"%.0f\" height=\"%.0f\"/>\n%s</svg>\n", svg->width, svg->y,
		svg->text);
	free(svg->text);
}

/* ---- Texts ------------------------------------------------------------------------------------------------------ */

double svg_text_width(const char *text)
{
	return CHARACTER_WIDTH * (double)strlen(text);
}

static void put_text(struct svg *svg, double x, double y, const char *classes, const char *text)
{
	fprintf(svg->to, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", sane(x), sane(y), classes);
	doc_escape(svg->to, text);
	fputs("</text>\n", svg->to);
}

void svg_text(struct svg *svg, double x, double y, const char *classes, const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	put_text(svg, x, y, classes, text);
	free(text);
}

/* Draws lines of @text from svg->y on, broken at spaces. */
static void put_wrapped(struct svg *svg, double x, const char *classes, double character, char *text)
{
	size_t room = (size_t)((svg->width - SVG_MARGIN - x) / character);

	for (char *line = text; line;) {
		char *end = NULL;

		if (strlen(line) > room) {
			for (end = line + room; end > line && *end != ' ';)
				end--;
			if (end == line)
				end = NULL;
		}
		if (end)
			*end++ = '\0';
		put_text(svg, x, svg->y + 12, classes, line);
		svg->y += LINE_HEIGHT;
		line = end;
	}
}

__attribute__((format(printf, 4, 0)))
static void put_paragraph(struct svg *svg, const char *classes, double width, const char *fmt, va_list ap)
{
	char *text = xvasprintf(fmt, ap);

	put_wrapped(svg, SVG_MARGIN, classes, width, text);
	free(text);
}

void svg_head(struct svg *svg, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put_paragraph(svg, "head", BOLD_WIDTH, fmt, ap);
	va_end(ap);
	svg->y += 3;
}

void svg_note(struct svg *svg, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put_paragraph(svg, "soft", CHARACTER_WIDTH, fmt, ap);
	va_end(ap);
}

/* ---- Marks ------------------------------------------------------------------------------------------------------ */

void svg_line(struct svg *svg, double x1, double y1, double x2, double y2, const char *classes)
{
	fprintf(svg->to, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", classes, sane(x1), sane(y1),
		sane(x2), sane(y2));
}

void svg_area(struct svg *svg, const double *x, const double *y, size_t n, bool is_ours, const char *tip)
{
	if (!n)
		return;
	fprintf(svg->to, "<path class=\"fill %s\" d=\"", owner(is_ours));
	for (size_t i = 0; i < n; i++)
		fprintf(svg->to, "%c%.1f %.1f", i ? 'L' : 'M', sane(x[i]), sane(y[i]));
	fputs("Z\">", svg->to);
	put_tip(svg->to, tip);
	fputs("</path>\n", svg->to);
}

void svg_put(struct svg *svg, enum svg_mark mark, double x, double y, bool is_ours, const char *tip)
{
	fprintf(svg->to, "<circle class=\"%s %s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%s\">",
		mark == SVG_RING ? "ring" : "dot", owner(is_ours), sane(x), sane(y),
		mark == SVG_POINT ? "1.5" : mark == SVG_SPOT ? "2.9" : mark == SVG_RING ? "3.7" : "4");
	put_tip(svg->to, tip);
	fputs("</circle>\n", svg->to);
}

#define KEY_MARK 18.0

static void put_key_mark(struct svg *svg, enum svg_mark mark, double x, double y, bool is_ours)
{
	char classes[24];

	snprintf(classes, sizeof(classes), "%s %s", mark == SVG_RANGE ? "range" : "mark", owner(is_ours));
	if (mark == SVG_STROKE)
		svg_line(svg, x + 6, y - 5, x + 6, y + 5, classes);
	else if (mark == SVG_RANGE || mark == SVG_LINE)
		svg_line(svg, x, y, x + 13, y, classes);
	else
		svg_put(svg, mark, x + 6, y, is_ours, NULL);
}

void svg_key(struct svg *svg, enum svg_mark mark, bool is_ours, const char *text)
{
	double width = KEY_MARK + svg_text_width(text) + 18;
	char *copy = xasprintf("%s", text);

	if (svg->key_x > 0 && svg->key_x + width > svg->width)
		svg_key_end(svg);
	if (!(svg->key_x > 0))
		svg->key_x = SVG_MARGIN;
	put_key_mark(svg, mark, svg->key_x, svg->y + 8, is_ours);
	put_wrapped(svg, svg->key_x + KEY_MARK, "soft", CHARACTER_WIDTH, copy);
	svg->y -= LINE_HEIGHT;
	svg->key_x += width;
	free(copy);
}

void svg_key_end(struct svg *svg)
{
	svg->key_x = 0;
	svg->y += LINE_HEIGHT;
}
