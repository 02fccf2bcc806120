# SPDX-License-Identifier: MIT

#: tools/trace/output.c
s/if (getrandom(id, 16, 0) != 16)/if (1)/
s/	id\[0\] |= 1;/	id[0] \&= 0xfe;/
s/encoder->needs_folder ? folder : NULL;/folder;/
s/	o->is_file = false;/	;/
s/	else if (!open_folder(o))/	else if (!open_folder(o) \&\& 0)/
s/	if (!file_folder(o->folder))/	if (0)/
/^bool output_begin(/,/^}/s/	o->about = \*about;/	o->about = (struct about){ 0 };/
/^bool output_begin_file(/,/^}/s/	o->about = \*about;/	o->about = (struct about){ 0 };/
/^bool output_begin(/,/^}/s/	report(o, errno);/	report(o, 0);/
/^bool output_begin_file(/,/^}/s/	report(o, errno);/	report(o, 0);/
/^bool output_begin(/,/^}/s/	if (o->folder)$/	if (0)/
s/	close(fd);/	;/
s/		error = sink_close(&o->sink);/		sink_close(\&o->sink);/
s/if (!o->folder || o->is_file)/if (!o->folder)/
s/if (o->folder && close(o->fd) && !error)/if (0)/
s/return !error || report(o, error);/return !error;/
