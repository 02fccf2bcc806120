/* SPDX-License-Identifier: MIT */
/* Files that are there whole, or as they were before. */
#ifndef HPT_BENCH_FILE_H
#define HPT_BENCH_FILE_H

#include <stdbool.h>
#include <stdio.h>

/*
 * A file to be: a temporary one beside where it is to go (beside what a symbolic link points to), or what is there itself
 * if that is no regular file (/dev/stdout, a pipe). All: false and one line on standard error if it does not work; then
 * nothing is left behind.
 */
struct hpt_file {
	FILE *to;
	char *path;                     /* as the user wrote it */
	char *target, *temporary;       /* temporary NULL: written as it is */
};

bool hpt_file_open(struct hpt_file *f, const char *path);

/* Into place, with the permissions of what was there, or those that a new file gets. */
bool hpt_file_commit(struct hpt_file *f);

/* As if it had never been opened. */
void hpt_file_abandon(struct hpt_file *f);

/* The folder is there, or is made (its last part). False as above. */
bool hpt_file_folder(const char *path);

#endif
