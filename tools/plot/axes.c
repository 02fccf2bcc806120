// SPDX-License-Identifier: MIT
/* Fits axes to ranges, names their ticks, and draws panels, lines and bands: tools/plot/axes.h. */
#include "plot/axes.h"

#include <math.h>
#include <string.h>

#include "cli/amount.h"
#include "cli/doc.h"
#include "plot/svg.h"

/* Room for a label: its width on a horizontal axis, its height on a vertical one. */
#define GAP_ACROSS 62.0
#define GAP_UPWARD 22.0

/* Tolerance for the rounding of logarithms. */
#define NEARLY 1e-9

/* ---- Ranges ----------------------------------------------------------------------------------------------------- */

/* The nearest 1, 2 or 5 of a decade that is not above (step_down), or not below (step_up), a positive value. */
static double step_down(double v)
{
	double decade = pow(10, floor(log10(v) + NEARLY)), digit = v / decade + NEARLY;

	return decade * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

static double step_up(double v)
{
	double decade = pow(10, floor(log10(v) + NEARLY)), digit = v / decade - NEARLY;

	return decade * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

static void fit_log(struct axis *axis, double low, double high)
{
	if (!(low > 0))
		low = high > 0 ? high : 1000;
	if (!(high > low))
		high = low;
	axis->from = step_down(low);
	axis->to = step_up(high);
	if (axis->to < axis->from * 4.9) {
		axis->from = step_down(low / 2);
		axis->to = step_up(high * 2);
	}
}

/* The distance of ticks, 1, 2 or 5 of a decade, for about @wanted ticks in the range. */
static double linear_step(double range, double wanted)
{
	return step_up(range / wanted);
}

static void fit_linear(struct axis *axis, double low, double high)
{
	double step;

	if (!isfinite(low) || !isfinite(high) || !(high > low)) {
		low = isfinite(low) ? low : 0;
		high = low + (low != 0 ? fabs(low) : 1);
	}
	step = linear_step(high - low, 10);
	axis->from = step * floor(low / step + NEARLY);
	axis->to = step * ceil(high / step - NEARLY);
}

void axis_fit(struct axis *axis, double low, double high)
{
	if (axis->is_log)
		fit_log(axis, low, high);
	else
		fit_linear(axis, low, high);
}

double axis_at(const struct axis *axis, double v)
{
	double at;

	if (axis->is_log)
		at = v > 0 ? log(v / axis->from) / log(axis->to / axis->from) : 0;
	else
		at = (v - axis->from) / (axis->to - axis->from);
	return at > 0 ? fmin(at, 1) : 0;
}

/* ---- Ticks ------------------------------------------------------------------------------------------------------ */

/* All labels of a linear axis have the unit of its end. */
static void name_linear_time(const struct axis *axis, double v, char *text, size_t size)
{
	static const struct { const char *unit; double ps; } units[] = {
		{ "s", 1e12 }, { "ms", 1e9 }, { "us", 1e6 }, { "ns", 1e3 }, { "ps", 1 },
	};
	double end = fmax(fabs(axis->from), fabs(axis->to));
	size_t u = 0;

	while (u < 4 && end < units[u].ps)
		u++;
	snprintf(text, size, "%.6g %s", v / units[u].ps, units[u].unit);
}

static void name(const struct axis *axis, double v, char *text, size_t size)
{
	if (axis->unit == AXIS_SHARE)
		snprintf(text, size, "%.6g %%", v / 10000);
	else if (axis->unit == AXIS_COUNT)
		snprintf(text, size, "%.*s", (int)size - 1, amount_count((size_t)fmax(v, 0)).s);
	else if (axis->is_log)
		snprintf(text, size, "%.*s", (int)size - 1, amount_length(v).s);
	else
		name_linear_time(axis, v, text, size);
}

/* Does this line of a decade have a label? Every @every decades have one. */
static bool is_named(int decade, int digit, double decade_length, double gap, int every)
{
	if (digit == 1)
		return decade % every == 0;
	return (digit == 2 || digit == 5) && decade_length * 0.3 > gap; /* log10 2 */
}

static size_t log_ticks(const struct axis *axis, double length, double gap, struct axis_tick *ret)
{
	double decade_length = length / log10(axis->to / axis->from);
	int every = (int)fmax(1, ceil(gap / decade_length));
	size_t n = 0;

	for (int d = (int)floor(log10(axis->from) + NEARLY); d <= (int)ceil(log10(axis->to) - NEARLY); d++) {
		for (int digit = 1; digit <= 9 && n < AXIS_TICKS_MAX; digit++) {
			double v = digit * pow(10, d);

			if (v < axis->from * (1 - NEARLY) || v > axis->to * (1 + NEARLY))
				continue;
			if (digit > 1 && decade_length < 24) /* finer lines would merge */
				continue;
			ret[n] = (struct axis_tick){ .value = v };
			ret[n].is_major = is_named(d, digit, decade_length, gap, every);
			if (ret[n].is_major)
				name(axis, v, ret[n].text, sizeof(ret[n].text));
			n++;
		}
	}
	return n;
}

static size_t linear_ticks(const struct axis *axis, double length, double gap, struct axis_tick *ret)
{
	double step = linear_step(axis->to - axis->from, fmax(1, length / gap));
	double first = ceil(axis->from / step - NEARLY);
	size_t n = 0;

	for (; n < AXIS_TICKS_MAX && (first + (double)n) * step <= axis->to + step * NEARLY; n++) {
		ret[n] = (struct axis_tick){ .value = (first + (double)n) * step, .is_major = true };
		name(axis, ret[n].value, ret[n].text, sizeof(ret[n].text));
	}
	return n;
}

size_t axis_ticks(const struct axis *axis, double length, bool is_across,
		      struct axis_tick ret[AXIS_TICKS_MAX])
{
	double gap = is_across ? GAP_ACROSS : GAP_UPWARD;

	return axis->is_log ? log_ticks(axis, length, gap, ret) : linear_ticks(axis, length, gap, ret);
}

/* ---- Panels ----------------------------------------------------------------------------------------------------- */

double panel_x(const struct panel *p, double v)
{
	return p->left + p->width * axis_at(&p->x, v);
}

double panel_y(const struct panel *p, double v)
{
	return p->top + p->height * (1 - axis_at(&p->y, v));
}

/* The middle of a label at @x that is within the drawing. */
static double middle_of(const struct panel *p, const char *text, double x)
{
	double half = svg_text_width(text) / 2 + 2;

	return fmax(half, fmin(x, p->svg->width - half));
}

void panel_frame_x(const struct panel *p)
{
	struct axis_tick ticks[AXIS_TICKS_MAX];
	size_t n = axis_ticks(&p->x, p->width, true, ticks);
	double foot = p->top + p->height;

	for (size_t i = 0; i < n; i++) {
		double x = panel_x(p, ticks[i].value);

		if (ticks[i].is_major)
			svg_line(p->svg, x, p->top, x, foot, "grid");
		svg_line(p->svg, x, foot, x, foot + (ticks[i].is_major ? 5 : 3), "axis");
		if (!p->hides_x && ticks[i].text[0])
			svg_text(p->svg, middle_of(p, ticks[i].text, x), foot + 18, "soft mid num", "%s",
				     ticks[i].text);
	}
	if (!p->hides_x && p->x.label)
		svg_text(p->svg, p->left + p->width / 2, foot + 35, "soft mid", "%s", p->x.label);
}

static void frame_y(const struct panel *p)
{
	struct axis_tick ticks[AXIS_TICKS_MAX];
	size_t n = axis_ticks(&p->y, p->height, false, ticks);

	for (size_t i = 0; i < n; i++) {
		double y = panel_y(p, ticks[i].value);

		if (ticks[i].is_major)
			svg_line(p->svg, p->left, y, p->left + p->width, y, "grid");
		svg_line(p->svg, p->left - (ticks[i].is_major ? 5 : 3), y, p->left, y, "axis");
		if (!p->hides_y && ticks[i].text[0])
			svg_text(p->svg, p->left - 8, y + 4, "soft end num", "%s", ticks[i].text);
	}
}

void panel_frame(const struct panel *p)
{
	panel_frame_x(p);
	frame_y(p);
	svg_line(p->svg, p->left, p->top + p->height, p->left + p->width, p->top + p->height, "axis");
	svg_line(p->svg, p->left, p->top, p->left, p->top + p->height, "axis");
	if (p->title)
		svg_text(p->svg, p->left, p->top - 8, "head", "%s", p->title);
}

static void end_path(const struct panel *p, const char *tip)
{
	fputs("\">", p->svg->to);
	if (tip) {
		fputs("<title>", p->svg->to);
		doc_escape(p->svg->to, tip);
		fputs("</title>", p->svg->to);
	}
	fputs("</path>\n", p->svg->to);
}

/* The end of the run of finite values that begins at @from. */
static size_t run_from(const double *x, const double *y, size_t n, size_t from)
{
	while (from < n && isfinite(x[from]) && isfinite(y[from]))
		from++;
	return from;
}

void panel_line(const struct panel *p, const struct panel_points *at, const double *y, const char *tip)
{
	bool is_drawing = false;

	fprintf(p->svg->to, "<path class=\"line %s\" d=\"M%.1f %.1f", at->is_ours ? "ours" : "other", p->left,
		p->top + p->height);
	for (size_t i = 0; i < at->n; i++) {
		bool is_there = isfinite(at->x[i]) && isfinite(y[i]);

		if (is_there)
			fprintf(p->svg->to, "%c%.1f %.1f", is_drawing ? 'L' : 'M', panel_x(p, at->x[i]),
				panel_y(p, y[i]));
		is_drawing = is_there;
	}
	end_path(p, tip);
}

static void band_run(const struct panel *p, const double *x, const double *low, const double *high, size_t n)
{
	for (size_t i = 0; i < n; i++)
		fprintf(p->svg->to, "%c%.1f %.1f", i ? 'L' : 'M', panel_x(p, x[i]), panel_y(p, high[i]));
	for (size_t i = n; i-- > 0;)
		fprintf(p->svg->to, "L%.1f %.1f", panel_x(p, x[i]), panel_y(p, low[i]));
	putc('Z', p->svg->to);
}

void panel_band(const struct panel *p, const struct panel_points *at, const double *low, const double *high,
		const char *tip)
{
	fprintf(p->svg->to, "<path class=\"area %s\" d=\"M%.1f %.1f", at->is_ours ? "ours" : "other", p->left,
		p->top + p->height);
	for (size_t i = 0, end; i < at->n; i = end + 1) {
		end = run_from(low, high, at->n, i);
		if (end > i)
			band_run(p, at->x + i, low + i, high + i, end - i);
	}
	end_path(p, tip);
}
