// SPDX-License-Identifier: MIT
/* Parses the first logical CPU of a CPUID dump, and refuses a dump that is cut or damaged. */
#include "info/dump.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "info/dump_line.h"

bool dump_fail(struct dump *dump, size_t line, const char *fmt, ...)
{
	va_list ap;

	dump->line = line;
	va_start(ap, fmt);
	vsnprintf(dump->wrong, sizeof(dump->wrong), fmt, ap);
	va_end(ap);
	return false;
}

static const struct dump_entry *find(const struct dump *dump, uint32_t leaf, uint32_t subleaf)
{
	for (size_t i = 0; i < dump->n; i++)
		if (dump->entries[i].leaf == leaf && dump->entries[i].subleaf == subleaf)
			return &dump->entries[i];
	return NULL;
}

void dump_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t regs[4], void *ctx)
{
	const struct dump_entry *e = find(ctx, leaf, subleaf);

	for (int i = 0; i < 4; i++)
		regs[i] = e ? e->regs[i] : 0;
}

/* Keeps sub-leaf 0 only: no other one is needed, and a report may have thousands. */
static bool add(struct dump *dump, size_t line, const struct dump_entry *e)
{
	if (e->subleaf || find(dump, e->leaf, 0))
		return true; /* the first value wins */
	if (dump->n == DUMP_ENTRIES)
		return dump_fail(dump, line, "more than %d leaves", DUMP_ENTRIES);
	dump->entries[dump->n++] = *e;
	return true;
}

static bool parse_line(struct dump *dump, size_t line, const char *text)
{
	struct dump_entry e;

	switch (dump_line(text, &e)) {
	case DUMP_ENTRY:
		return add(dump, line, &e);
	case DUMP_BROKEN:
		return dump_fail(dump, line, "broken CPUID line");
	default:
		return true;
	}
}

/*
 * Not iscntrl(): in some locales it takes letters of other character sets for control characters. DEL is text: the
 * brand string of one Athlon XP contains it.
 */
static bool is_text(unsigned char c)
{
	return c >= ' ' || c == '\t' || c == '\r' || c == '\f';
}

/* Copies a line as a string, without its end. */
static bool take_line(struct dump *dump, size_t line, const char *text, size_t n, char *ret)
{
	if (n > DUMP_LINE_BYTES)
		return dump_fail(dump, line, "longer than %d bytes: not a CPUID dump", DUMP_LINE_BYTES);
	for (size_t i = 0; i < n; i++)
		if (!is_text((unsigned char)text[i]))
			return dump_fail(dump, line, "byte %02Xh: binary, not a CPUID dump",
					     (unsigned char)text[i]);
	while (n && text[n - 1] == '\r')
		n--;
	memcpy(ret, text, n);
	ret[n] = '\0';
	return true;
}

/* A leaf that the verdict needs and that the processor advertises must be present, or the dump was cut. */
static bool check_whole(struct dump *dump, size_t line)
{
	static const uint32_t needed[] = { 0x80000001, 0x80000007 };
	const struct dump_entry *basic = find(dump, 0, 0), *signature = find(dump, 1, 0);
	const struct dump_entry *ext = find(dump, 0x80000000, 0);

	if (!dump->n)
		return dump_fail(dump, line, "not a CPUID dump: no line like 'CPUID 00000000: ...' up to here");
	if (!basic)
		return dump_fail(dump, line, "truncated: leaf 00000000h is missing");
	if (basic->regs[0] >= 1 && !signature)
		return dump_fail(dump, line, "truncated: leaf 00000001h is advertised but missing");
	/*
	 * EDX bit 26, SSE2, is younger than the extended leaves. Without these the verdict would be a guess by family.
	 */
	if (signature && signature->regs[3] >> 26 & 1 && !ext)
		return dump_fail(dump, line, "truncated: leaf 80000000h is missing, which every CPU with SSE2 has");
	if (!ext || (ext->regs[0] & 0xffff0000) != 0x80000000)
		return true;
	for (int i = 0; i < 2; i++)
		if (ext->regs[0] >= needed[i] && !find(dump, needed[i], 0))
			return dump_fail(dump, line, "truncated: leaf %08" PRIX32 "h is advertised but missing",
					     needed[i]);
	return true;
}

static bool fail_large(struct dump *dump, size_t line)
{
	return dump_fail(dump, line, "file larger than %u MiB: not a CPUID dump", DUMP_FILE_BYTES >> 20);
}

bool dump_parse(struct dump *dump, const char *text, size_t n)
{
	char buf[DUMP_LINE_BYTES + 1];
	bool first_cpu = true;
	size_t line = 1, len;

	dump->n = 0;
	if (n >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) { /* the mark that Windows editors write before UTF-8 */
		text += 3;
		n -= 3;
	}
	if (!n)
		return dump_fail(dump, 1, "empty");
	for (size_t at = 0; at < n; at += len + 1, line++) {
		const char *end = memchr(text + at, '\n', n - at);

		if (!end && n > DUMP_FILE_BYTES)
			return fail_large(dump, line); /* the read limit cut this line */
		len = end ? (size_t)(end - (text + at)) : n - at;
		if (!take_line(dump, line, text + at, len, buf))
			return false;
		if (dump->n && dump_is_cpu_header(buf))
			first_cpu = false;
		if (first_cpu && !parse_line(dump, line, buf))
			return false;
	}
	return n > DUMP_FILE_BYTES ? fail_large(dump, line - 1) : check_whole(dump, line - 1);
}
