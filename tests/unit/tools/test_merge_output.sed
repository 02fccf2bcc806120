# SPDX-License-Identifier: MIT

#: tools/trace/merge_output.c
s/.clock = EVENT_REALTIME,/.clock = EVENT_RAW,/
s/.has_stamp = true,/.has_stamp = false,/
s/i + 1\([,)]\)/i\1/
s/out->inputs\[i\].bases.fields\[0\].boot_id/out->inputs[0].bases.fields[0].boot_id/
s/		error = sink_close(to);/		sink_close(to);/
s/		close(fd);/		;/
s/	out->n += is_good;/	out->n += 1;/
s/	if (!file_folder(out->folder))/	if (0)/
s/is_good = out->fd >= 0 \&\& write_manifest(out);/is_good = out->fd >= 0;/
s/	if (error \&\& fd >= 0)/	if (0)/
s/	if (has_manifest \&\& !is_good)/	if (0 \&\& has_manifest)/
s/	if (has_manifest \&\& !is_good)/	if (has_manifest >= is_good)/
s/	if (is_new \&\& !is_good)/	if (0 \&\& is_new)/
s/^	unlinkat(out->fd, manifest_name, 0);/	;/
s/^		unlinkat(out->fd, name, 0);/		;/
s/		is_good &= output_end(&out->outputs\[i\]);/		is_good = output_end(\&out->outputs[i]);/
s/&out->outputs\[events\[i\].process\]/\&out->outputs[0]/
s/		if (output_is_lost(&out->outputs\[i\]))/		if (output_is_lost(\&out->outputs[0]))/
s/		close(out->fd);/		;/
