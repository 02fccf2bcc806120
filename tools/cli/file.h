/* SPDX-License-Identifier: MIT */
/* Files that appear whole, or stay as they were. */
#ifndef HPT_TOOLS_FILE_H
#define HPT_TOOLS_FILE_H

#include <stdbool.h>
#include <stdio.h>

/*
 * A file being written: as a temporary one in the target's folder (that of a symbolic link's target), or in place if
 * the target is no regular file (/dev/stdout, a pipe). All functions return false after one line on standard error if
 * they fail, and then leave no temporary file.
 */
struct file {
	FILE *to;
	char *path;                     /* as the user wrote it */
	char *target, *temporary;       /* temporary NULL: written in place */
	bool replaces;                  /* a regular file was there */
};

bool file_open(struct file *f, const char *path);

/*
 * For results that are not whole: the file goes to its name with ".partial" appended, and the one that was there stays.
 * A file written in place stays as it is.
 */
void file_divert(struct file *f);

/* Moves the file into place, with the permissions of the file it replaces, or those of a new file. */
bool file_commit(struct file *f);

/* Drops the file: the target stays as it was. */
void file_abandon(struct file *f);

/* Makes the folder (the last part of its path) if it does not exist. False as above. */
bool file_folder(const char *path);

#endif
