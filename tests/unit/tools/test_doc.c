// SPDX-License-Identifier: MIT
/* One document as text and as HTML. */
#include "markup.h"
#include "captured_err.h"

#include "cli/doc.h"

static struct libscols_table *a_table(void)
{
	static const struct out_column columns[] = { { "Call <a>", 0 }, { "Cost & co", SCOLS_FL_RIGHT }, { NULL, 0 } };
	struct libscols_table *tb = out_table_new(columns);
	struct libscols_line *ln = out_table_line(tb);

	out_table_cell(ln, 0, "\"quoted\"");
	out_table_cell(ln, 1, "%d", 42);
	out_table_line(tb); /* an empty line */
	return tb;
}

static char *written_as(bool is_html)
{
	struct doc doc = { .is_html = is_html };
	struct markup m;

	markup_open(&m);
	doc.to = m.to;
	doc_heading(&doc, "Heading <%d>", 1);
	doc_note(&doc, "Note & %s", "'more'");
	doc_table(&doc, a_table());
	if (is_html)
		return markup_close(&m);
	assert_int_equal(fclose(m.to), 0);
	return m.text;
}

static void text_is_text(void **state)
{
	char *text = written_as(false);

	(void)state;
	assert_says(text, "\nHeading <1>\nNote & 'more'\n");
	assert_says(text, "Call <a>");
	assert_says(text, "\"quoted\"");
	assert_never_says(text, "&lt;");
	assert_never_says(text, "<td");
	free(text);
}

static void html_is_escaped_and_well_formed(void **state)
{
	char *text = written_as(true);

	(void)state;
	assert_says(text, "<h3>Heading &lt;1&gt;</h3>\n<p>Note &amp; &#39;more&#39;</p>\n");
	assert_says(text, "<thead><tr><th scope=\"col\">Call &lt;a&gt;</th>"
		    "<th scope=\"col\" class=\"n\">Cost &amp; co</th></tr></thead>");
	assert_says(text, "<tr><th scope=\"row\">&quot;quoted&quot;</th><td class=\"n\">42</td></tr>");
	assert_says(text, "<tr><td></td><td class=\"n\"></td></tr>");
	free(text);
}

static void facts_have_no_head(void **state)
{
	struct libscols_table *tb = out_table_new_facts();
	struct doc doc = { .is_html = true };
	struct markup m;
	char *text;

	(void)state;
	out_table_fact(tb, "Source", "%s", "tsc");
	markup_open(&m);
	doc.to = m.to;
	doc_table(&doc, tb);
	text = markup_close(&m);
	assert_never_says(text, "thead");
	assert_says(text, "<tr><th scope=\"row\">Source</th><td>tsc</td></tr>");
	free(text);
}

static void columns_are_explained_in_html_only(void **state)
{
	static const struct doc_column columns[] = {
		{ "WAY", 0, NULL }, { "P50", SCOLS_FL_RIGHT, "in us" }, { 0 },
	};
	static const char *const cells[] = { "hpt_now(a_b)", "1_us", "bus", "+-2 user" };

	(void)state;
	for (int is_html = 0; is_html < 2; is_html++) {
		struct doc doc = { .is_html = is_html };
		struct markup m;
		char *text;

		markup_open(&m);
		doc.to = m.to;
		doc_texts(&doc, columns, cells, COUNT(cells));
		assert_int_equal(fclose(m.to), 0);
		text = m.text;
		assert_int_equal(count_of(text, "<small>in \302\265s</small></th>"), is_html);
		assert_int_equal(count_of(text, "hpt_<wbr>now(<wbr>a_<wbr>b)</th><td class=\"n\">1_us<"), is_html);
		assert_int_equal(count_of(text, ">bus</th>"), is_html);
		assert_int_equal(count_of(text, "\302\2612 user"), is_html);
		free(text);
	}
}

static void a_fold_is_a_heading_in_text(void **state)
{
	(void)state;
	for (int is_html = 0; is_html < 2; is_html++) {
		struct doc doc = { .is_html = is_html };
		struct markup m;

		markup_open(&m);
		doc.to = m.to;
		doc_fold(&doc, "More");
		doc_note(&doc, "note");
		doc_fold_end(&doc);
		assert_int_equal(fclose(m.to), 0);
		assert_string_equal(m.text, is_html ? "<details><summary>More</summary>\n<p>note</p>\n</details>\n" :
				    "\nMore\nnote\n");
		free(m.text);
	}
}

static void all_that_means_something_is_escaped(void **state)
{
	struct markup m;
	char *text;

	(void)state;
	markup_open(&m);
	doc_escape(m.to, "a<b>c&d\"e'f\303\274");
	text = markup_close(&m);
	assert_string_equal(text, "a&lt;b&gt;c&amp;d&quot;e&#39;f\303\274");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_text),
		cmocka_unit_test(html_is_escaped_and_well_formed),
		cmocka_unit_test(facts_have_no_head),
		cmocka_unit_test(columns_are_explained_in_html_only),
		cmocka_unit_test(a_fold_is_a_heading_in_text),
		cmocka_unit_test(all_that_means_something_is_escaped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
