// SPDX-License-Identifier: MIT
/* Reads CPUID dumps as AIDA64, InstLatX64 and libcpuid write them, and believes nothing else. */
#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dump.h"

bool hpt_dump_fail(struct hpt_dump *dump, size_t line, const char *fmt, ...)
{
	va_list ap;

	dump->line = line;
	va_start(ap, fmt);
	vsnprintf(dump->wrong, sizeof(dump->wrong), fmt, ap);
	va_end(ap);
	return false;
}

static const struct hpt_dump_entry *find(const struct hpt_dump *dump, uint32_t leaf, uint32_t subleaf)
{
	for (size_t i = 0; i < dump->n; i++)
		if (dump->entries[i].leaf == leaf && dump->entries[i].subleaf == subleaf)
			return &dump->entries[i];
	return NULL;
}

void hpt_dump_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t regs[4], void *ctx)
{
	const struct hpt_dump_entry *e = find(ctx, leaf, subleaf);

	for (int i = 0; i < 4; i++)
		regs[i] = e ? e->regs[i] : 0;
}

/* Old AIDA64 wrote sub-leaves one after the other without their numbers. One pass: a file may be all one leaf. */
static uint32_t next_subleaf(const struct hpt_dump *dump, uint32_t leaf)
{
	bool used[HPT_DUMP_ENTRIES + 1] = { false };
	uint32_t free = 0;

	for (size_t i = 0; i < dump->n; i++)
		if (dump->entries[i].leaf == leaf && dump->entries[i].subleaf < HPT_DUMP_ENTRIES)
			used[dump->entries[i].subleaf] = true;
	while (used[free])
		free++;
	return free;
}

static bool add(struct hpt_dump *dump, size_t line, const struct hpt_dump_entry *e)
{
	if (find(dump, e->leaf, e->subleaf))
		return true; /* the first value wins */
	if (dump->n == HPT_DUMP_ENTRIES)
		return hpt_dump_fail(dump, line, "more than %d leaves", HPT_DUMP_ENTRIES);
	dump->entries[dump->n++] = *e;
	return true;
}

/* Eight digits: with fewer the line was cut; what may follow is the caller's to say. */
static const char *hex8(const char *p, uint32_t *ret)
{
	uint32_t value = 0;

	for (int i = 0; i < 8; i++, p++) {
		if (!isxdigit((unsigned char)*p))
			return NULL;
		value = value << 4 | (uint32_t)(isdigit((unsigned char)*p) ? *p - '0' : (*p | 32) - 'a' + 10);
	}
	*ret = value;
	return p;
}

static const char *skip_blanks(const char *p)
{
	while (*p == ' ' || *p == '\t')
		p++;
	return p;
}

/* "00000001: 000206A6-00100800-1F9AE3BF-BFEBFBFF", as far as the last register. */
static const char *parse_registers(const char *p, struct hpt_dump_entry *ret)
{
	const char *start;

	p = hex8(p, &ret->leaf);
	if (!p)
		return NULL;
	start = p += *p == ':';
	p = skip_blanks(p);
	if (p == start)
		return NULL;
	for (int i = 0; i < 4; i++) {
		if (i && *p++ != '-')
			return NULL;
		p = hex8(p, &ret->regs[i]);
		if (!p)
			return NULL;
	}
	return p;
}

/* What follows the registers: nothing, a remark in brackets, or the sub-leaf. */
static bool parse_tail(const char *p, bool *ret_has_subleaf, uint32_t *ret_subleaf)
{
	char *end;

	*ret_has_subleaf = false;
	if (*p && *p != ' ' && *p != '\t' && *p != '[')
		return false;
	p = skip_blanks(p);
	if (*p == '[' && !strchr(p, ']'))
		return false;
	if (strncmp(p, "[SL ", 4) != 0)
		return true;
	p += 4;
	if (!isxdigit((unsigned char)*p))
		return false;
	*ret_subleaf = (uint32_t)strtoul(p, &end, 16);
	*ret_has_subleaf = true;
	return *end == ']' && end - p <= 8;
}

/* The registers' part of a line, or NULL: reports also have lines like "CPUID Manufacturer". */
static const char *register_line(const char *text)
{
	size_t digits;

	text = skip_blanks(text);
	if (strncmp(text, "CPUID ", 6) != 0)
		return NULL;
	text = skip_blanks(text + 6);
	digits = strspn(text, "0123456789ABCDEFabcdef");
	if (isdigit((unsigned char)*text) || (digits && (!text[digits] || strchr(" \t:", text[digits]))))
		return text;
	return NULL;
}

static bool parse_line(struct hpt_dump *dump, size_t line, const char *text, bool store)
{
	const char *p = register_line(text);
	struct hpt_dump_entry e;
	bool has_subleaf;

	if (!p)
		return true;
	p = parse_registers(p, &e);
	if (!p || !parse_tail(p, &has_subleaf, &e.subleaf))
		return hpt_dump_fail(dump, line, "broken CPUID line");
	if (!store)
		return true;
	if (!has_subleaf)
		e.subleaf = next_subleaf(dump, e.leaf);
	return add(dump, line, &e);
}

/* The line above the registers of a logical CPU, as the various programs write it. */
static bool is_cpu_header(const char *text)
{
	const char *p = strstr(text, "CPU#");

	if (strstr(text, "Logical CPU #") || strstr(text, "CPUID Registers (CPU #"))
		return true;
	if (!p)
		return false;
	p += 4;
	p += strspn(p, "0123456789");
	return !strncmp(p, " AffMask", 8);
}

/* Not iscntrl(): in some locales that takes letters of other character sets for control characters. */
static bool is_text(unsigned char c)
{
	return (c >= ' ' && c != 0x7f) || c == '\t' || c == '\r' || c == '\f';
}

/* Copies a line out as a string, without its end. */
static bool take_line(struct hpt_dump *dump, size_t line, const char *text, size_t n, char *ret)
{
	if (n > HPT_DUMP_LINE_BYTES)
		return hpt_dump_fail(dump, line, "longer than %d bytes: not a CPUID dump", HPT_DUMP_LINE_BYTES);
	for (size_t i = 0; i < n; i++)
		if (!is_text((unsigned char)text[i]))
			return hpt_dump_fail(dump, line, "byte %02Xh: binary, not a CPUID dump",
					     (unsigned char)text[i]);
	while (n && text[n - 1] == '\r')
		n--;
	memcpy(ret, text, n);
	ret[n] = '\0';
	return true;
}

/* What the verdict needs and the processor says it has must be there, or the dump was cut. */
static bool check_whole(struct hpt_dump *dump, size_t line)
{
	static const uint32_t needed[] = { 0x80000001, 0x80000007 };
	const struct hpt_dump_entry *basic = find(dump, 0, 0), *signature = find(dump, 1, 0);
	const struct hpt_dump_entry *ext = find(dump, 0x80000000, 0);

	if (!dump->n)
		return hpt_dump_fail(dump, line, "not a CPUID dump: no line 'CPUID 00000000: ...' up to here");
	if (!basic)
		return hpt_dump_fail(dump, line, "truncated: leaf 00000000h is missing");
	if (basic->regs[0] >= 1 && !signature)
		return hpt_dump_fail(dump, line, "truncated: leaf 00000001h is advertised but missing");
	/* EDX bit 26, SSE2: younger than the extended leaves. Without them a guess by family would be made. */
	if (signature && signature->regs[3] >> 26 & 1 && !ext)
		return hpt_dump_fail(dump, line, "truncated: leaf 80000000h is missing, which every CPU with SSE2 has");
	if (!ext || (ext->regs[0] & 0xffff0000) != 0x80000000)
		return true;
	for (int i = 0; i < 2; i++)
		if (ext->regs[0] >= needed[i] && !find(dump, needed[i], 0))
			return hpt_dump_fail(dump, line, "truncated: leaf %08" PRIX32 "h is advertised but missing",
					     needed[i]);
	return true;
}

static bool fail_large(struct hpt_dump *dump, size_t line)
{
	return hpt_dump_fail(dump, line, "file larger than %u MiB: not a CPUID dump", HPT_DUMP_FILE_BYTES >> 20);
}

bool hpt_dump_parse(struct hpt_dump *dump, const char *text, size_t n)
{
	char buf[HPT_DUMP_LINE_BYTES + 1];
	bool first_cpu = true;
	size_t line = 1, len;

	dump->n = 0;
	if (n >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) { /* Windows editors mark UTF-8 so */
		text += 3;
		n -= 3;
	}
	if (!n)
		return hpt_dump_fail(dump, 1, "empty");
	for (size_t at = 0; at < n; at += len + 1, line++) {
		const char *end = memchr(text + at, '\n', n - at);

		if (!end && n > HPT_DUMP_FILE_BYTES)
			return fail_large(dump, line); /* this line was cut by us */
		len = end ? (size_t)(end - (text + at)) : n - at;
		if (!take_line(dump, line, text + at, len, buf))
			return false;
		if (dump->n && is_cpu_header(buf))
			first_cpu = false;
		if (!parse_line(dump, line, buf, first_cpu))
			return false;
	}
	return n > HPT_DUMP_FILE_BYTES ? fail_large(dump, line - 1) : check_whole(dump, line - 1);
}
