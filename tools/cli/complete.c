// SPDX-License-Identifier: MIT
/* The words that can follow on a command line, by the tables that parse it: tools/cli/complete.h. */
#include "cli/complete.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "hpt/hpt.h"
#include "hpt/wall.h"

#include "cli/args.h"
#include "cli/format.h"

static const struct opt help_opt = { .name = "help", .letter = 'h', .help = "show this help" };

/* ---- Offers: what begins as the word typed does ------------------------------------------------------------------ */

/* @before: what stands before the value in the same word, as "--source=", and is part of the word offered. */
struct typed {
	const char *before, *word;
	int n_before;
};

static void offer(const struct typed *t, const char *word, const char *help)
{
	if (!strncmp(word, t->word, strlen(t->word)))
		printf("%.*s%s\t%s\n", t->n_before, t->before, word, help);
}

static void offer_opt(const struct typed *t, const struct opt *o)
{
	char name[64];

	snprintf(name, sizeof(name), "--%s%s", o->name, args_needs_value(o) ? "=" : "");
	offer(t, name, o->help);
}

static void offer_opts(const struct typed *t, const struct cmd *cmd)
{
	for (const struct opt *o = cmd->opts; o->name; o++)
		offer_opt(t, o);
	offer_opt(t, &help_opt);
}

static void offer_subs(const struct typed *t, const struct cmd *cmd)
{
	for (const struct cmd *const *sub = cmd->subs; sub && *sub; sub++)
		offer(t, args_word(*sub), (*sub)->help);
}

static void offer_sources(const struct typed *t)
{
	for (uint32_t id = HPT_SOURCE_TSC; id < HPT_SOURCE_MANUAL; id++)
		offer(t, hpt_source_name(id), "source");
}

static void offer_policies(const struct typed *t)
{
	for (uint32_t id = 0; strcmp(format_policy(id), "unknown") != 0; id++)
		offer(t, format_policy(id), "policy");
}

/* What follows the last comma of a list is completed. */
static void offer_bounds(const struct typed *t)
{
	const char *comma = strrchr(t->word, ',');
	int n = comma ? (int)(comma + 1 - t->word) : 0;
	struct typed last = { t->n_before ? t->before : t->word, t->word + n, t->n_before + n };

	for (uint32_t id = HPT_WALL_SOURCE_CLOCKBOUND; id <= HPT_WALL_SOURCE_FBCLOCK; id <<= 1)
		offer(&last, hpt_wall_source_name(id), "source of bounds");
}

static void offer_timescales(const struct typed *t)
{
	offer(t, "utc", "time scale");
	offer(t, "tai", "time scale");
}

static void offer_waits(const struct typed *t)
{
	offer(t, "all", "waits");
	offer(t, "ms", "waits");
	offer(t, "none", "waits");
}

static void offer_coarse(const struct typed *t)
{
	offer(t, "fine", "coarse clocks");
	offer(t, "keep", "coarse clocks");
}

static void offer_all(const struct typed *t, const char *const *words, const char *help)
{
	for (; *words; words++)
		offer(t, *words, help);
}

static void offer_formats(const struct typed *t)
{
	static const char *const words[] = { "perfetto", "chrome", "ctf", "otlp", NULL };

	offer_all(t, words, "format");
}

static void offer_tools(const struct typed *t)
{
	static const char *const words[] = { "lines", "perf", "ftrace", "lttng", NULL };

	offer_all(t, words, "text");
}

static void offer_clocks(const struct typed *t)
{
	static const char *const words[] = { "ticks", "raw", "monotonic", "boottime", "realtime", "tai", NULL };

	offer_all(t, words, "clock");
}

static void offer_kind(const struct typed *t, enum kind kind)
{
	switch (kind) {
	case KIND_SOURCE:
		offer_sources(t);
		break;
	case KIND_POLICY:
		offer_policies(t);
		break;
	case KIND_BOUNDS:
		offer_bounds(t);
		break;
	case KIND_TIMESCALE:
		offer_timescales(t);
		break;
	case KIND_WAITS:
		offer_waits(t);
		break;
	case KIND_COARSE:
		offer_coarse(t);
		break;
	case KIND_FORMAT:
		offer_formats(t);
		break;
	case KIND_TOOL:
		offer_tools(t);
		break;
	case KIND_CLOCK:
		offer_clocks(t);
		break;
	case KIND_FILE:
		puts(":files");
		break;
	case KIND_FOLDER:
		puts(":folders");
		break;
	case KIND_PROGRAM:
		puts(":programs");
		break;
	default: /* numbers and times have no list */
		break;
	}
}

/* ---- The word typed ---------------------------------------------------------------------------------------------- */

static const struct cmd *find_sub(const struct cmd *of, const char *name)
{
	for (const struct cmd *const *sub = of->subs; sub && *sub; sub++)
		if (!strcmp(args_word(*sub), name))
			return *sub;
	return NULL;
}

/* The option with a value that these @len bytes name, as "--source" or "-s". NULL: no such option. */
static const struct opt *find_opt(const struct cmd *cmd, const char *word, size_t len)
{
	for (const struct opt *o = cmd->opts; o->name; o++) {
		if (!o->value || len < 2 || *word != '-')
			continue;
		if (len == 2 && word[1] == o->letter)
			return o;
		if (strlen(o->name) == len - 2 && !strncmp(o->name, word + 2, len - 2))
			return o;
	}
	return NULL;
}

/* True if one of these words is an operand: those after it are not this command's. */
static bool has_operand(const struct cmd *cmd, int n, char *words[])
{
	for (int i = 0; i < n; i++) {
		const struct opt *o = find_opt(cmd, words[i], strlen(words[i]));

		if (!strcmp(words[i], "--"))
			return i + 1 < n;
		if (*words[i] != '-')
			return true;
		i += o && args_needs_value(o);
	}
	return false;
}

/* @before: the word before it, or "". */
static void complete_option(const struct cmd *cmd, const char *before, const char *word)
{
	const char *equals = *word == '-' ? strchr(word, '=') : NULL;
	const struct opt *o = find_opt(cmd, before, strlen(before));

	if (o && args_needs_value(o)) {
		offer_kind(&(struct typed){ .before = "", .word = word }, o->kind);
	} else if (equals) {
		o = find_opt(cmd, word, (size_t)(equals - word));
		if (o)
			offer_kind(&(struct typed){ word, equals + 1, (int)(equals + 1 - word) }, o->kind);
	} else if (*word == '-') {
		offer_opts(&(struct typed){ .before = "", .word = word }, cmd);
	} else {
		offer_kind(&(struct typed){ .before = "", .word = word }, cmd->operands);
	}
}

const struct cmd *complete_words(const struct cmd *top, int n, char *words[])
{
	const char *word = n ? words[n - 1] : "";
	const struct cmd *cmd = top;
	bool is_help = false;
	int i = 0;

	/* Options before the command take no value. */
	while (i < n - 1 && *words[i] == '-')
		i++;
	/* Commands and their sub-commands; those of "help" are the words after it. */
	while (i < n - 1 && *words[i] != '-' && cmd->subs) {
		const struct cmd *next = find_sub(cmd, words[i++]);

		if (!next)
			return NULL;
		if (!is_help && !strcmp(next->name, "help"))
			is_help = true;
		else
			cmd = next;
	}
	if (cmd->program)
		return cmd;
	if (i >= n - 1 && cmd->subs && *word != '-')
		offer_subs(&(struct typed){ .before = "", .word = word }, cmd);
	else if (!is_help && cmd->operands == KIND_PROGRAM && has_operand(cmd, n - 1 - i, words + i))
		puts(":files");
	else if (!is_help)
		complete_option(cmd, i < n - 1 ? words[n - 2] : "", word);
	return NULL;
}
