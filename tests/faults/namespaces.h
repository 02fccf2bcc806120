/* SPDX-License-Identifier: MIT */
/* Namespaces of this process's own, so that its faults affect no other process. */
#ifndef HPT_FAULTS_NAMESPACES_H
#define HPT_FAULTS_NAMESPACES_H

/*
 * Uses unshare(2) as root; any other user becomes root of a new user namespace. May be called before constructors.
 * Returns 0, or a negative errno value: not permitted here.
 */
int enter_namespaces(int clone_flags);

/* Gains the right to chroot(2), by a new user namespace if necessary. Returns as above. */
int gain_chroot(void);

/*
 * Enters a mount namespace whose /dev holds only zero and null, and is ours to fill. May be called before constructors.
 * Returns 0, or a negative errno value: not permitted here.
 */
int enter_own_dev(void);

/* Writes the text by one write(2). Returns 0 or a negative errno value. */
int write_text(const char *path, const char *text);

#endif
