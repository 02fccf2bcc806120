# SPDX-License-Identifier: MIT

#: tools/trace/chrome.c
s/c->has_event = true;/c->has_event = false;/
s/sink_decimal(c->sink, (int64_t)i + 1);/sink_decimal(c->sink, (int64_t)i);/
s/sink_json(c->sink, c->about->processes\[i\], strlen(c->about->processes\[i\]));/sink_text(c->sink, c->about->processes[i]);/
s/	if (about->has_unix) {/	if (1) {/
s/sink_decimal(sink, about->first_unix_ns);/sink_decimal(sink, about->first_ns);/
s/encoder_clock_name(about->clock)/encoder_clock_name(EVENT_RAW)/
s/	if (has_error) {/	if (1) {/
s/	if (c->about->has_stamp) {/	if (1) {/
s/has_error ? ",/1 ? ",/
s/sink_decimal(c->sink, e->stamp);/sink_decimal(c->sink, e->ns);/
s/\\"s\\":\\"t\\",//
s/\[EVENT_END\] = "\\",\\"ph\\":\\"E/[EVENT_END] = "\\",\\"ph\\":\\"B/
s/sink_json(c->sink, e->name, e->name_length);/sink_bytes(c->sink, e->name, e->name_length);/
s/sink_us(c->sink, e->ns);/sink_decimal(c->sink, e->ns \/ 1000);/
/^static void write_event/,/^}/s/(int64_t)e->process + 1/(int64_t)e->process/
/^static void name_thread/,/^}/s/(int64_t)e->process + 1/(int64_t)e->process/
/^static void name_thread/,/^}/s/sink_decimal(c->sink, e->track);/sink_decimal(c->sink, 0);/
s/if (!e->thread || !tracks_is_new(&c->tracks, e))/if (!e->thread)/
s/if (!e->thread || !tracks_is_new(&c->tracks, e))/if (!tracks_is_new(\&c->tracks, e))/
s/sink_json(c->sink, e->thread, e->thread_length);/sink_bytes(c->sink, e->thread, e->thread_length);/
