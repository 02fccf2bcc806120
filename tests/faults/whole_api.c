// SPDX-License-Identifier: MIT
/* Calls every public function on every source, for tools that watch memory. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <hpt/hpt.h>
#include <hpt/system.h>
#include <hpt/wait.h>
#include <hpt/wall.h>

#include "check.h"
#include "process.h"

static void use_sleeps(hpt_clock *clk)
{
	struct hpt_sleep_info info;

	for (uint32_t policy = HPT_SLEEP_BALANCED; policy <= HPT_SLEEP_SPIN; policy++) {
		CHECK(!hpt_sleep_set_policy(policy, 0), "policy %u", policy);
		CHECK(hpt_sleep_ns(clk, 2000000) >= 0 && hpt_sleep_ns(clk, 20000) >= 0, "sleeps");
		CHECK(hpt_sleep_until_ticks(clk, hpt_now(clk) + hpt_ns_to_ticks(clk, 3000000)) >= 0, "until a tick");
		CHECK(hpt_sleep_until_ns(clk, hpt_now_ns(clk) + 3000000) >= 0, "until a time of hpt_now_ns()");
		CHECK(hpt_sleep_until_unix_ns(clk, hpt_now_unix_ns(clk) + 3000000) >= 0, "until a Unix time");
		CHECK(!hpt_sleep_get_info(&info, sizeof(info)) && info.policy == policy, "info");
	}
	CHECK(!hpt_sleep_set_policy(HPT_SLEEP_BALANCED, 0), "policy");
}

static void wait_for_descriptors(hpt_waiter *w)
{
	struct pollfd set = { .fd = hpt_waiter_fd(w), .events = POLLIN };
	struct epoll_event event = { .events = EPOLLIN };
	int64_t at = hpt_now_ns(hpt_waiter_clock(w)) + 200000, margin_ns;
	int epfd = epoll_create1(0);

	CHECK(set.fd >= 0 && epfd >= 0 && !epoll_ctl(epfd, EPOLL_CTL_ADD, set.fd, &event), "descriptors");
	CHECK(!hpt_waiter_poll_until_ns(w, &set, 1, at) && !hpt_waiter_epoll_until_ns(w, epfd, &event, 1, at + 200000),
	      "waits for descriptors");
	CHECK(!hpt_waiter_interrupt(w) && poll(&set, 1, 0) == 1 &&
	      hpt_waiter_poll_until_ns(w, &set, 1, INT64_MAX) == -ECANCELED && !poll(&set, 1, 0),
	      "an interrupt by descriptor");
	CHECK(hpt_sleep_until_os_ns(hpt_waiter_clock(w), CLOCK_MONOTONIC, clock_ns(CLOCK_MONOTONIC) + 200000) >= 0 &&
	      hpt_waiter_sleep_until_os_ns(w, CLOCK_TAI, clock_ns(CLOCK_TAI) + 200000) >= 0,
	      "sleeps by the kernel's clocks");
	CHECK(!hpt_waiter_margin_ns(w, 1000000, &margin_ns) && margin_ns >= 0 &&
	      !hpt_waiter_learn_ns(w, at, at + 60000), "margin");
	close(epfd);
}

static void use_waiter(hpt_clock *clk)
{
	hpt_waiter *w = NULL;
	int64_t left_ns;

	CHECK(!hpt_waiter_new(clk, HPT_WAIT_EINTR, &w), "no waiter");
	clk = hpt_waiter_clock(w);
	CHECK(hpt_waiter_sleep_ns(w, 100000) >= 0 && hpt_waiter_sleep_until_ticks(w, hpt_now(clk) + 10) >= 0 &&
	      hpt_waiter_sleep_until_ns(w, hpt_now_ns(clk) + 200000) >= 0 &&
	      hpt_waiter_sleep_until_unix_ns(w, hpt_now_unix_ns(clk) + 200000) >= 0, "waiter");
	CHECK(!hpt_waiter_set_policy(w, HPT_SLEEP_SPIN, 1000) && !hpt_waiter_set_policy(w, HPT_SLEEP_INHERIT, 0) &&
	      !hpt_waiter_clear(w) && !hpt_waiter_interrupt(w) && hpt_waiter_sleep_ns(w, 1) == -ECANCELED &&
	      !hpt_waiter_remaining_ns(w, &left_ns) && left_ns >= 0, "interrupt");
	wait_for_descriptors(w);
	hpt_waiter_free(w);
}

static void use_gate(hpt_clock *clk)
{
	hpt_gate *g = NULL;
	uint32_t ticket;

	CHECK(!hpt_gate_new(clk, HPT_WAIT_EINTR, &g), "no gate");
	ticket = hpt_gate_ticket(g);
	CHECK(!hpt_gate_set_policy(g, HPT_SLEEP_FRUGAL, 0) &&
	      hpt_gate_wait_until_ticks(g, ticket, hpt_now(hpt_gate_clock(g)) + 10) == -ETIMEDOUT &&
	      hpt_gate_wait_until_ns(g, ticket, hpt_now_ns(hpt_gate_clock(g)) + 10) == -ETIMEDOUT &&
	      !hpt_gate_notify_all(g) && !hpt_gate_wait_until_ticks(g, ticket, INT64_MAX) &&
	      !hpt_gate_wait_until_ns(g, ticket, INT64_MAX), "gate");
	CHECK(!hpt_gate_shut(g) && hpt_gate_wait_until_ticks(g, ticket, INT64_MAX) == -ESHUTDOWN && !hpt_gate_reopen(g),
	      "shut gate");
	hpt_gate_free(g);
}

static void use_ticker(hpt_clock *clk)
{
	struct hpt_ticker_info info;
	hpt_ticker *t = NULL;
	uint64_t missed;
	int64_t next_ns;

	CHECK(!hpt_ticker_new(clk, 100000, HPT_WAIT_EINTR, &t), "no ticker");
	clk = hpt_ticker_clock(t);
	CHECK(hpt_ticker_wait(t, &missed) >= 0 && hpt_ticker_fd(t) >= 0 && hpt_ticker_wait(t, &missed) >= 0 &&
	      !hpt_ticker_interrupt(t) && hpt_ticker_wait(t, NULL) == -ECANCELED, "ticks");
	CHECK(!hpt_ticker_set_missed(t, HPT_TICKER_CATCH_UP, 3) && !hpt_ticker_set_policy(t, HPT_SLEEP_NOSPIN, 0) &&
	      !hpt_ticker_start_rational(t, hpt_now_ns(clk), 1, 44100) && hpt_ticker_wait(t, NULL) >= 0 &&
	      !hpt_ticker_next_ns(t, &next_ns), "rational ticks");
	CHECK(!hpt_ticker_start(t, hpt_now_ns(clk), 0) && hpt_ticker_wait(t, NULL) >= 0 &&
	      hpt_ticker_wait(t, NULL) == -ENODATA, "a single tick");
	CHECK(!hpt_ticker_get_info(t, &info, sizeof(info)) && info.ticks == 4, "%llu ticks",
	      (unsigned long long)info.ticks);
	hpt_ticker_free(t);
}

static void use_thread(void)
{
	int r = hpt_thread_set_slice_ns(1000000), fd = hpt_low_latency_open(1000);

	CHECK(r <= 0 && hpt_thread_set_slice_ns(0) <= 0, "slice: %d", r);
	if (fd >= 0)
		close(fd);
}

static void use_objects(hpt_clock *clk)
{
	use_waiter(clk);
	use_gate(clk);
	use_ticker(clk);
}

static void use_timebase(hpt_clock *clk)
{
	int64_t t = hpt_now(clk), ns;
	struct hpt_timebase base;

	CHECK(!hpt_clock_get_timebase(clk, &base, sizeof(base)) && !hpt_timebase_to_ns(&base, NULL, &t, &ns, 1) &&
	      !hpt_timebase_to_unix_ns(&base, NULL, &t, &ns, 1), "a time base");
}

/* Of samples that CLOCK_REALTIME stands for. */
static void feed_wall(hpt_wall *w, hpt_clock *clk)
{
	struct hpt_wall_sample s = { .before = hpt_now(clk) };
	int64_t ns = clock_ns(CLOCK_REALTIME);

	s.after = hpt_now(clk);
	s.earliest_ns = ns - 1000000;
	s.latest_ns = ns + 1000000;
	CHECK(!hpt_wall_feed(w, &s, sizeof(s)), "feed");
}

static void use_timestamps(hpt_wall *w)
{
	struct hpt_hlc_info info;
	hpt_hlc *h = NULL;
	int64_t ns, later_ns;

	CHECK(!hpt_hlc_new(w, 1000000000, 0, &h), "no hybrid clock");
	CHECK(!hpt_hlc_now(h, &ns) && !hpt_hlc_receive(h, ns + 1000, &later_ns) && later_ns > ns + 1000 &&
	      !hpt_hlc_set_floor(h, later_ns + 1000) && !hpt_hlc_now(h, &ns) && ns > later_ns + 1000, "timestamps");
	CHECK(!hpt_hlc_get_info(h, &info, sizeof(info)) && info.incarnation, "incarnation");
	hpt_hlc_free(h);
}

/* Sources that this machine may have would contradict the sample, where CLOCK_REALTIME is being slewed. */
static const struct hpt_wall_config no_sources = {
	.clockbound_path = "/nonexistent/shm", .vmclock_path = "/nonexistent/vmclock", .phc_path = "/nonexistent/ptp",
	.chrony_address = "/nonexistent/chronyd",
};

static void use_wall(hpt_clock *clk)
{
	struct hpt_wall_time now, then;
	struct hpt_wall_info info;
	hpt_waiter *waiter = NULL;
	hpt_wall *w = NULL;
	int64_t error_ns = 0;

	CHECK(!hpt_wall_open(clk, &no_sources, sizeof(no_sources), HPT_WALL_OPEN_LEAP_COVER, &w) &&
	      hpt_wall_ref(w) == w,
	      "no wall");
	CHECK(!hpt_waiter_new(clk, 0, &waiter), "no waiter");
	CHECK(hpt_wall_update(w) >= 0, "update");
	CHECK(hpt_wall_fd(w) >= 0, "no descriptor");
	feed_wall(w, clk);
	CHECK(!hpt_wall_wait_ready(w, 0, 0) && !hpt_wall_now(w, &now) && !hpt_wall_at(w, now.tick, &then) &&
	      hpt_wall_after(w, now.earliest_ns - 1) == 1 && hpt_wall_before(w, now.earliest_ns) == 0, "interval");
	CHECK(!hpt_wall_wait_after(w, now.latest_ns, INT64_MAX) && hpt_wall_after(w, now.latest_ns) == 1 &&
	      !hpt_wall_wait_after_on(w, waiter, now.latest_ns, 0), "waits");
	CHECK(!hpt_wall_sleep_until_ns(w, now.latest_ns + 100000, 0, &error_ns) && error_ns > 0 &&
	      !hpt_wall_sleep_until_ns_on(w, waiter, now.latest_ns, 0, &error_ns), "sleeps until a moment of UTC");
	CHECK(!hpt_wall_at_os_ns(w, CLOCK_MONOTONIC, clock_ns(CLOCK_MONOTONIC), &then, sizeof(then)), "stamp");
	CHECK(hpt_wall_fd_clear(w) == HPT_WALL_STATE_SYNCED, "news");
	CHECK(!hpt_wall_get_info(w, &info, sizeof(info)) && hpt_wall_to_tai_ns(w, 0, &now.earliest_ns) == -ENODATA &&
	      *hpt_wall_state_name(info.state), "info");
	for (uint32_t i = HPT_WALL_SOURCE_FEED; i <= HPT_WALL_SOURCE_FBCLOCK; i <<= 1) {
		struct hpt_wall_source_info source;

		CHECK(!hpt_wall_source_get_info(w, i, &source, sizeof(source)) &&
		      !strcmp(source.name, hpt_wall_source_name(i)) && *hpt_wall_reason_text(source.reason),
		      "source %u", i);
	}
	use_timestamps(w);
	hpt_waiter_free(waiter);
	hpt_wall_close(w);
	hpt_wall_close(w);
}

static void use_source(uint32_t id)
{
	struct hpt_source_info info;
	hpt_clock *clk = NULL;
	int r = hpt_clock_open(id, 0, &clk);

	CHECK(!r == !!clk, "open: %d", r);
	CHECK(!hpt_source_get_info(id, &info, sizeof(info)) && info.usable == !r, "info of source %u", id);
	CHECK(*hpt_source_name(id) && *hpt_reason_text(info.reason), "no name or no reason of source %u", id);
	if (clk) {
		failures += check_clock(clk);
		use_sleeps(clk);
		use_objects(clk);
		use_timebase(clk);
		use_wall(clk);
	}
	hpt_clock_close(clk);
	CHECK(hpt_clock_set_default_source(id, 0) == (info.chosen ? 0 : -EBUSY), "as the default, which is in use");
}

static void use_facts(void)
{
	struct hpt_cpu_info cpu;

	memset(&cpu, 0xff, sizeof(cpu));
	if (!hpt_cpu_get_info(&cpu, sizeof(cpu)))
		CHECK(strlen(cpu.vendor_id) <= 12 && *cpu.vendor && strlen(cpu.brand) < sizeof(cpu.brand) &&
		      cpu.cores_online, "the processor");
	CHECK(hpt_kernel_hz() < 100000, "%u Hz", hpt_kernel_hz());
	CHECK(!strcmp(hpt_version(), HPT_VERSION_STRING), "version %s", hpt_version());
	CHECK(hpt_version_number() == HPT_VERSION_NUMBER, "version %u", hpt_version_number());
	CHECK(hpt_clock_open(HPT_SOURCE_MANUAL + 1, 0, &(hpt_clock *){ NULL }) == -EINVAL, "an unknown source");
}

/* Before the first use of the default each source that can be opened can be asked for. The last request counts. */
static void ask_for_defaults(void)
{
	struct hpt_source_info info;

	for (uint32_t id = HPT_SOURCE_TSC; id <= HPT_SOURCE_MMIO; id++) {
		int r = hpt_clock_set_default_source(id, 0);

		CHECK(!hpt_source_get_info(id, &info, sizeof(info)) && info.usable == !r, "source %u: %d", id, r);
		CHECK(info.chosen == !r, "source %u is not the default", id);
	}
	CHECK(!hpt_clock_set_default_source(HPT_SOURCE_AUTO, 0), "AUTO");
}

int main(void)
{
	ask_for_defaults();
	CHECK(hpt_clock_default() != NULL, "no default");
	failures += check_clock(NULL);
	use_sleeps(NULL);
	use_objects(NULL);
	use_thread();
	for (uint32_t id = HPT_SOURCE_TSC; id <= HPT_SOURCE_MMIO; id++)
		use_source(id);
	use_source(HPT_SOURCE_AUTO);
	use_facts();
	return failures != 0;
}
