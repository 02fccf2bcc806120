# SPDX-License-Identifier: MIT

#: tools/plot/svg.c
s/		if (strlen(line) > room) {/		if (0) {/
s/	if (form != PLOT_FILE)/	if (0)/
s/	if (svg->key_x > 0 \&\& svg->key_x + width > svg->width)/	if (0)/
s/BG("#fff") INK("#1f2328")/BG("var(--bg)") INK("#1f2328")/
s/	BG("#14171a") INK("#e6e9ec") /	INK("#e6e9ec") /
s/@media screen and (prefers-color-scheme:dark){/@media print{/
