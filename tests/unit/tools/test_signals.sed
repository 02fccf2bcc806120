# SPDX-License-Identifier: MIT

#: tools/cli/signals.c
s/	caught = signal;/	caught = SIGINT;/
s/	if (stop_it)$/	if (0)/
s/	if (stop_it)$/	if (1)/
s/, .sa_flags = SA_RESTART };/ };/
s/	caught = 0;/	;/
s/	stop_it = stop;/	stop_it = stop ? stop : stop_it;/
s/ \&\& ret->before\[i\].sa_handler != SIG_IGN)/)/
/^void signals_release/,/^}/s/sigaction(signals_all\[i\], .*/;/
