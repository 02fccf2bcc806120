# SPDX-License-Identifier: MIT

#: lib/wall/wall_keeper.c
s/		lose(w, rec, seen);/		;/
s/	(void)publish_next(w, rec, seen);/	;/
s/		is_known = !publish_next(w, &rec, seen);/		is_known = true;/
s/	for (int tries = 0; r == LOST \&\& tries < KEEPER_TRIES; tries++)/	for (int tries = 0; r == LOST \&\& tries < 1; tries++)/

#: lib/wall/wall_fd.c
s/	hpt_eventcount_notify(hpt_bell(w->bell), 1, env);/	hpt_eventcount_notify(hpt_bell(1), 1, env);/
