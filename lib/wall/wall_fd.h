/* SPDX-License-Identifier: MIT */
/* News of a wall, and its descriptor, by which event loops learn of them. */
#ifndef HPT_WALL_FD_H
#define HPT_WALL_FD_H

#include "wall/wall_object.h"

/*
 * After an update or a feed: makes all threads that wait for the wall look at it again. Where this process has made a
 * descriptor, makes that readable if the bound was lost or gained since the program last looked, and sets its timer by
 * the present record. Keeps errno. Callable from signal handlers.
 */
void hpt_wall_ring(struct hpt_wall *w);

/* As the last holder closes the wall. */
void hpt_wall_fd_close(struct hpt_wall *w);

#endif
