# SPDX-License-Identifier: MIT

#: tools/bench/plot/svg.c
s/		if (strlen(line) > room) {/		if (0) {/
s/	if (form != HPT_PLOT_FILE)/	if (0)/
s/	if (svg->key_x > 0 \&\& svg->key_x + width > svg->width)/	if (0)/
