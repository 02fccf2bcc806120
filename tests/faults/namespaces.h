/* SPDX-License-Identifier: MIT */
/* Namespaces of this process's own, so that its faults are nobody else's. */
#ifndef HPT_FAULTS_NAMESPACES_H
#define HPT_FAULTS_NAMESPACES_H

/*
 * By unshare(2), as root; for anybody else as root of a new user namespace. May be called before constructors.
 * 0, or a negative errno value: not permitted here.
 */
int enter_namespaces(int clone_flags);

/* The right to chroot(2), by a new user namespace if it takes that. As above. */
int gain_chroot(void);

/*
 * A mount namespace with an empty /dev that is ours to fill, but for zero and null. May be called before constructors.
 * 0, or a negative errno value: not permitted here.
 */
int enter_own_dev(void);

/* One write(2) of the text. 0, or a negative errno value. */
int write_text(const char *path, const char *text);

#endif
