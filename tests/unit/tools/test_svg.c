// SPDX-License-Identifier: MIT
/* A drawing that grows downward: its height, wrapped texts, keys, and its three forms. */
#include "captured_err.h"
#include "markup.h"

#include "plot/svg.h"

static char *drawn(enum plot_form form, void (*draw)(struct svg *svg))
{
	struct svg svg;
	struct markup m;

	markup_open(&m);
	svg_begin(&svg, form, m.to, "A <title>", "and what is below it");
	if (draw)
		draw(&svg);
	svg_end(&svg);
	return plot_close(&m);
}

static void only_a_file_has_title_and_style(void **state)
{
	(void)state;
	for (enum plot_form form = PLOT_FILE; form <= PLOT_NARROW; form++) {
		char *svg = drawn(form, NULL);

		assert_says(svg, "aria-label=\"A &lt;title&gt;\"");
		assert_int_equal(count_of(svg, "<style>"), form == PLOT_FILE);
		assert_int_equal(count_of(svg, ">A &lt;title&gt;</text>"), form == PLOT_FILE);
		assert_says(svg, form == PLOT_NARROW ? "viewBox=\"0 0 360 " : "viewBox=\"0 0 960 ");
		free(svg);
	}
}

static void put_long_note(struct svg *svg)
{
	double before = svg->y;

	svg_note(svg, "A note of a hundred characters or more has to be broken into lines on a screen that is as "
		     "narrow as %d units.", 360);
	assert_int_equal((int)(svg->y - before), svg->is_narrow ? 3 * 17 : 17);
}

static void long_notes_are_wrapped(void **state)
{
	char *svg = drawn(PLOT_NARROW, put_long_note);

	(void)state;
	assert_int_equal(count_of(svg, "<text "), 3);
	assert_says(svg, ">narrow as 360 units.</text>");
	free(svg);
	svg = drawn(PLOT_WIDE, put_long_note);
	assert_int_equal(count_of(svg, "<text "), 1);
	free(svg);
}

static void put_keys(struct svg *svg)
{
	double before = svg->y;

	for (enum svg_mark mark = SVG_DOT; mark <= SVG_LINE; mark++)
		svg_key(svg, mark, mark % 2, "of sixteen letters");
	svg_key_end(svg);
	assert_int_equal((int)(svg->y - before), svg->is_narrow ? 4 * 17 : 2 * 17);
}

static void keys_take_as_many_lines_as_they_need(void **state)
{
	(void)state;
	free(drawn(PLOT_WIDE, put_keys));
	free(drawn(PLOT_NARROW, put_keys));
}

/* The last of several declarations counts for converters, also one whose value they do not know. */
static void colours_are_plain_and_declared_once(void **state)
{
	static const char *const light[] = {
		".hptf .bg,.hptf .ring{fill:#fff}", ".hptf text{fill:#1f2328}", ".hptf .soft{fill:#59636e}",
		".hptf .grid{stroke:#e6e9ed}", ".hptf .axis{stroke:#b4bcc4}", ".hptf .ours{color:#0067a5}",
		".hptf .other{color:#59636e}",
	};
	const char *dark = strstr(svg_style, "@media screen and (prefers-color-scheme:dark){");

	(void)state;
	assert_null(strstr(svg_style, "var("));
	assert_null(strstr(svg_style, "--"));
	assert_non_null(dark);
	for (size_t i = 0; i < COUNT(light); i++) {
		const char *at = strstr(svg_style, light[i]);
		size_t selector = strcspn(light[i], "{") + 1;
		char start[64];

		/* The dark colour follows for the same selector: later, so that it counts. */
		assert_true(at && at < dark);
		snprintf(start, sizeof(start), "%.*s", (int)selector, light[i]);
		assert_non_null(strstr(dark, start));
		assert_null(strstr(dark, light[i]));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_a_file_has_title_and_style),
		cmocka_unit_test(colours_are_plain_and_declared_once),
		cmocka_unit_test(long_notes_are_wrapped),
		cmocka_unit_test(keys_take_as_many_lines_as_they_need),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
