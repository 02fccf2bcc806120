# SPDX-License-Identifier: MIT

#: lib/wall/wall_update.c
s/&hpt_wall_fbclock, &hpt_wall_kernel, &hpt_wall_phc, &hpt_wall_chrony,/\&hpt_wall_chrony, \&hpt_wall_fbclock, \&hpt_wall_kernel, \&hpt_wall_phc,/
s/		if (asked\[i\]->id == source)/		if (1)/
s/		if (w->sources \& asked\[i\]->id)/		if (1)/
s/		hpt_wall_note_answer(w, ops->id, reason, question.error);/		;/
s/		hpt_wall_note_answer(w, ops->id, reason, question.error);/		hpt_wall_note_answer(w, ops->id, reason, 0);/
s/		if (reason == HPT_WALL_REASON_UNSYNCED)/		if (0)/
s/	reading.sample.source = ops->id;/	reading.sample.source = HPT_WALL_SOURCE_FEED;/
s/	if (r == -EINVAL || r == -EBUSY)/	if (r == -EINVAL)/
s/	if (r == -EINVAL || r == -EBUSY)/	if (r == -EBUSY)/
s/	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);/	cancel = PTHREAD_CANCEL_ENABLE;/
s/	pthread_setcancelstate(cancel, NULL);/	;/
s/	hpt_wall_ring(w);/	;/
s/	errno = saved;/	(void)saved;/
s/	(void)hpt_wall_present(w, &rec, &tick);/	(void)tick;/
s/	if (!w)$/	if (0)/

#: lib/wall/wall_record.c
s/	set_state(rec, state_without_sample(rec));/	;/

#: lib/wall/wall_keeper.c
s/hpt_wall_note_answer(w, reading->sample.source, reason, 0);/hpt_wall_note_answer(w, reading->sample.source, 0, 0);/
