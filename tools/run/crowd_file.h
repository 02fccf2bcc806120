/* SPDX-License-Identifier: MIT */
/* The memory by which programs under "hpt run" know of each other's sleeps. */
#ifndef HPT_TOOLS_CROWD_FILE_H
#define HPT_TOOLS_CROWD_FILE_H

/* Files there are memory. */
#define CROWD_FILE_FOLDER "/dev/shm"

/*
 * The path of the file that all programs of this user have which may use the same CPUs as this process; free() it. It
 * is made if it is not there, and stays: nobody is left to remove it. NULL: errno; EEXIST: there is something else, or
 * another user's.
 */
char *crowd_file_get(const char *folder);

#endif
