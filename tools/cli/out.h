/* SPDX-License-Identifier: MIT */
/* Output on stdout: JSON for programs, tables for people. Without memory these functions end the command. */
#ifndef HPT_TOOLS_OUT_H
#define HPT_TOOLS_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>
#include <libsmartcols/libsmartcols.h>

/* Flushes and closes stdout. False, and reported on stderr: some output was lost. */
bool out_close(void);

/*
 * Raises the signal again with its default action, so that the parent sees the command killed by it; exits 1 if output
 * was lost.
 */
void out_end_by(int signal) __attribute__((noreturn));

/* Returns an object that starts with "hpt_json": 1. */
json_t *out_json_new(void);

/* Each adds one member. */
void out_json_int(json_t *object, const char *key, uint64_t value);
void out_json_sint(json_t *object, const char *key, int64_t value);
void out_json_bool(json_t *object, const char *key, bool value);
void out_json_add(json_t *object, const char *key, json_t *value);

/* Text of any origin: UTF-8 stays, other bytes are taken as Latin-1. NULL becomes null. */
void out_json_text(json_t *object, const char *key, const char *value);

/* Bytes from the processor: each is one character of Latin-1, NULs included. */
void out_json_latin1(json_t *object, const char *key, const char *bytes, size_t n);

/* Prints the object as one line and releases it. */
void out_json_print(json_t *object);

/* A column; the last of a table has no name. */
struct out_column {
	const char *name;
	int         flags;      /* SCOLS_FL_ */
};

/* Two columns without headings: label and value. */
struct libscols_table *out_table_new_facts(void);
struct libscols_table *out_table_new(const struct out_column *columns);
void out_table_fact(struct libscols_table *tb, const char *label, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
struct libscols_line *out_table_line(struct libscols_table *tb);
void out_table_cell(struct libscols_line *ln, size_t column, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Prints the table and releases it. */
void out_table_print(struct libscols_table *tb);

#endif
