# SPDX-License-Identifier: MIT

#: tools/trace/encoder.c
s/&encoder_perfetto, &encoder_chrome, /\&encoder_perfetto, /
s/if (!strcmp(all\[i\]->name, name))/if (!strncmp(all[i]->name, name, 3))/
s/"MONOTONIC_RAW", \[/"MONOTONIC", [/
s/clock > EVENT_TICKS \&\& //
s/clock < EVENT_CLOCKS ? names\[clock\] : "unknown"/1 ? names[clock] : "unknown"/
#: tools/trace/otlp.c
s/\.needs_unix = true, //
#: tools/trace/ctf.c
s/\.needs_folder = true, //
#: tools/trace/perfetto.c
s/\.lacks_tai = true, //
