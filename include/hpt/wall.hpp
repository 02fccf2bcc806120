/* SPDX-License-Identifier: MIT */
/*
 * wall.hpp - intervals that contain UTC, and timestamps that strictly increase: hpt_wall(7), hpt.hpp(3).
 *
 * Young, as <hpt/wall.h>: an incompatible change in a minor release gives it another inline namespace.
 */
#ifndef LIBHPT_WALL_HPP
#define LIBHPT_WALL_HPP

#include <hpt/hpt.hpp>
#include <hpt/wall.h>

#include <memory>

namespace hpt {
inline namespace young1 {

enum class wall_source : std::uint32_t {
	feed = HPT_WALL_SOURCE_FEED,
	clockbound = HPT_WALL_SOURCE_CLOCKBOUND,
	chrony = HPT_WALL_SOURCE_CHRONY,
	kernel = HPT_WALL_SOURCE_KERNEL,
	vmclock = HPT_WALL_SOURCE_VMCLOCK,
	phc = HPT_WALL_SOURCE_PHC,
	fbclock = HPT_WALL_SOURCE_FBCLOCK
};

enum class wall_state : std::uint32_t {
	none = HPT_WALL_STATE_NONE,
	synced = HPT_WALL_STATE_SYNCED,
	holdover = HPT_WALL_STATE_HOLDOVER,
	unsynced = HPT_WALL_STATE_UNSYNCED,
	stale = HPT_WALL_STATE_STALE,
	disrupted = HPT_WALL_STATE_DISRUPTED,
	contradicted = HPT_WALL_STATE_CONTRADICTED,
	leap = HPT_WALL_STATE_LEAP
};

LIBHPT_NODISCARD inline const char *name(wall_source s) noexcept
{
	return hpt_wall_source_name(static_cast<std::uint32_t>(s));
}

LIBHPT_NODISCARD inline const char *name(wall_state s) noexcept
{
	return hpt_wall_state_name(static_cast<std::uint32_t>(s));
}

/* For hpt_wall_config::sources and trusted, of which the latter is within the former: several by |. */
LIBHPT_NODISCARD constexpr std::uint32_t mask(wall_source s) noexcept
{
	return static_cast<std::uint32_t>(s);
}

/* UTC was in [earliest, latest] as the clock showed the tick. */
struct wall_time {
	system_clock::time_point earliest, latest;
	hpt_time_t tick;
	std::uint64_t generation; /* within one, earliest never decreases */
	wall_state state;         /* synced or holdover */
	std::uint32_t flags;      /* sum of HPT_WALL_FLAG_ASSUMED_RATE ... */

	LIBHPT_NODISCARD nanoseconds width() const noexcept
	{
		return latest - earliest;
	}
};

/*
 * A holder of a wall: hpt_wall_open(3). Copies hold the same wall, which lives until its last holder is gone. A
 * moved-from one throws EINVAL.
 */
class wall {
public:
	using time_point = system_clock::time_point;

	explicit wall(const clock &on = clock(), const hpt_wall_config &config = hpt_wall_config(),
		      std::uint32_t flags = 0) :
		w_(nullptr)
	{
		detail::check(hpt_wall_open(on.native_handle(), &config, sizeof(config), flags, &w_), "hpt_wall_open");
	}

	/* One more holder of a wall of the C API. */
	LIBHPT_NODISCARD static wall share(hpt_wall *w) noexcept
	{
		return wall(hpt_wall_ref(w), 0);
	}

	wall(const wall &other) noexcept : w_(hpt_wall_ref(other.w_))
	{
	}
	wall(wall &&other) noexcept : w_(other.w_)
	{
		other.w_ = nullptr;
	}
	wall &operator=(wall other) noexcept
	{
		std::swap(w_, other.w_);
		return *this;
	}
	~wall()
	{
		hpt_wall_close(w_);
	}

	/* NULL after a move. */
	LIBHPT_NODISCARD hpt_wall *native_handle() const noexcept
	{
		return w_;
	}

	/* An interval now. Throws EAGAIN: there is no bound; ERANGE: it would be wider than max_width_ns. */
	LIBHPT_NODISCARD wall_time now() const
	{
		hpt_wall_time t;

		detail::check_plain(hpt_wall_now(w_, &t), "hpt_wall_now");
		return made(t);
	}
	/* The same at a tick; ERANGE also if that is in the future or before the generation. */
	LIBHPT_NODISCARD wall_time at(hpt_time_t tick) const
	{
		hpt_wall_time t;

		detail::check_plain(hpt_wall_at(w_, tick, &t), "hpt_wall_at");
		return made(t);
	}
	/* The same when a clock of the kernel showed ns, such as a packet's stamp; ERANGE also if it was set since. */
	LIBHPT_NODISCARD wall_time at_os(std::int32_t clockid, nanoseconds ns) const
	{
		hpt_wall_time t;

		detail::check_plain(hpt_wall_at_os_ns(w_, clockid, ns.count(), &t, sizeof(t)), "hpt_wall_at_os_ns");
		return made(t);
	}
	/* Does not throw: returns false, and leaves ret untouched, if there is no interval. */
	LIBHPT_NODISCARD bool try_now(wall_time &ret) const noexcept
	{
		hpt_wall_time t;

		if (hpt_wall_now(w_, &t))
			return false;
		ret = made(t);
		return true;
	}
	LIBHPT_NODISCARD bool try_at(hpt_time_t tick, wall_time &ret) const noexcept
	{
		hpt_wall_time t;

		if (hpt_wall_at(w_, tick, &t))
			return false;
		ret = made(t);
		return true;
	}

	/* True: UTC is surely after t, or before it. False: it may not be, or there is no bound. */
	LIBHPT_NODISCARD bool after(time_point t) const noexcept
	{
		return hpt_wall_after(w_, t.time_since_epoch().count()) == 1;
	}
	LIBHPT_NODISCARD bool before(time_point t) const noexcept
	{
		return hpt_wall_before(w_, t.time_since_epoch().count()) == 1;
	}

	/* Commit wait: until after(t). wake::reached, timed_out, or no_bound if the wall has no bound or loses it. */
	LIBHPT_NODISCARD wake wait_after(time_point t) const
	{
		return detail::woke(hpt_wall_wait_after(w_, t.time_since_epoch().count(), detail::most),
				    "hpt_wall_wait_after");
	}
	template <class Rep, class Period>
	LIBHPT_NODISCARD wake wait_after(time_point t, const std::chrono::duration<Rep, Period> &timeout) const
	{
		return detail::woke(hpt_wall_wait_after(w_, t.time_since_epoch().count(), detail::ns_up(timeout)),
				    "hpt_wall_wait_after");
	}

	/* The same on a sleeper, which may be interrupted. It must be on the wall's clock. */
	LIBHPT_NODISCARD wake wait_after(const sleeper &s, time_point t) const
	{
		return wait_after(s, t, nanoseconds(detail::most));
	}
	template <class Rep, class Period>
	LIBHPT_NODISCARD wake wait_after(const sleeper &s, time_point t,
					 const std::chrono::duration<Rep, Period> &timeout) const
	{
		return detail::woke(hpt_wall_wait_after_on(w_, s.native_handle(), t.time_since_epoch().count(),
							   detail::ns_up(timeout)),
				    "hpt_wall_wait_after_on");
	}
#if defined(__cpp_lib_jthread)
	LIBHPT_NODISCARD wake wait_after(const std::stop_token &stop, sleeper &s, time_point t) const
	{
		return s.stoppable(stop, [&] { return wait_after(s, t); });
	}
#endif

	/*
	 * Until a moment of UTC, as the middle of the interval reaches it: the same on machines that do not talk to each
	 * other. Returns by how much UTC may have been off it. Throws EAGAIN: there is no bound, or it was lost; ERANGE: the
	 * error is larger than max_error, if that is not 0.
	 */
	nanoseconds sleep_until(time_point t, nanoseconds max_error = nanoseconds(0)) const
	{
		std::int64_t error_ns = 0;

		detail::check_plain(hpt_wall_sleep_until_ns(w_, t.time_since_epoch().count(), max_error.count(),
							    &error_ns),
				    "hpt_wall_sleep_until_ns");
		return nanoseconds(error_ns);
	}
	/* The same on a sleeper, which may be interrupted; the error is set if wake::reached is returned. */
	LIBHPT_NODISCARD wake sleep_until(const sleeper &s, time_point t, nanoseconds &error,
					  nanoseconds max_error = nanoseconds(0)) const
	{
		std::int64_t error_ns = 0;
		const int result = hpt_wall_sleep_until_ns_on(w_, s.native_handle(), t.time_since_epoch().count(),
							      max_error.count(), &error_ns);

		if (!result)
			error = nanoseconds(error_ns);
		if (result == -ERANGE)
			detail::check_plain(result, "hpt_wall_sleep_until_ns_on");
		return detail::woke(result, "hpt_wall_sleep_until_ns_on");
	}

	/* Until there is an interval, no wider than max_width if that is not 0. wake::reached or timed_out. */
	LIBHPT_NODISCARD wake wait_ready() const
	{
		return detail::woke(hpt_wall_wait_ready(w_, 0, detail::most), "hpt_wall_wait_ready");
	}
	template <class Rep, class Period>
	LIBHPT_NODISCARD wake wait_ready(const std::chrono::duration<Rep, Period> &timeout,
					 nanoseconds max_width = nanoseconds(0)) const
	{
		return detail::woke(hpt_wall_wait_ready(w_, max_width.count(), detail::ns_up(timeout)),
				    "hpt_wall_wait_ready");
	}

	/* Asks all sources: about once a second. */
	wall_state update() const
	{
		return static_cast<wall_state>(detail::check(hpt_wall_update(w_), "hpt_wall_update"));
	}

	/* A sample of the program's own. False: refused, as too old, contradicting others or near a leap second. */
	bool feed(const hpt_wall_sample &sample) const
	{
		const int result = hpt_wall_feed(w_, &sample, sizeof(sample));

		if (result == -EAGAIN || result == -ERANGE || result == -EBUSY)
			return false;
		detail::check(result, "hpt_wall_feed");
		return true;
	}
	/* At some moment from one tick to the other, UTC was in [earliest, latest]. */
	bool feed(hpt_time_t from, hpt_time_t to, time_point earliest, time_point latest) const
	{
		hpt_wall_sample sample = hpt_wall_sample();

		sample.before = from;
		sample.after = to;
		sample.earliest_ns = earliest.time_since_epoch().count();
		sample.latest_ns = latest.time_since_epoch().count();
		return feed(sample);
	}

	/* For poll(2) and the like, readable as the bound is lost or gained: hpt_wall_fd(3). The wall owns it. */
	LIBHPT_NODISCARD int fd() const
	{
		return detail::check(hpt_wall_fd(w_), "hpt_wall_fd");
	}
	/* Looks, and makes it unreadable until then. */
	wall_state fd_clear() const
	{
		return static_cast<wall_state>(detail::check(hpt_wall_fd_clear(w_), "hpt_wall_fd_clear"));
	}
	LIBHPT_NODISCARD hpt_wall_info info() const
	{
		hpt_wall_info info;

		detail::check(hpt_wall_get_info(w_, &info, sizeof(info)), "hpt_wall_get_info");
		return info;
	}
	LIBHPT_NODISCARD hpt_wall_source_info info(wall_source s) const
	{
		hpt_wall_source_info info;

		detail::check(hpt_wall_source_get_info(w_, static_cast<std::uint32_t>(s), &info, sizeof(info)),
			      "hpt_wall_source_get_info");
		return info;
	}
	/* TAI since 1970-01-01 00:00:00 TAI. Throws ENODATA: it is not known. */
	LIBHPT_NODISCARD nanoseconds to_tai(time_point t) const
	{
		std::int64_t ns = 0;

		detail::check(hpt_wall_to_tai_ns(w_, t.time_since_epoch().count(), &ns), "hpt_wall_to_tai_ns");
		return nanoseconds(ns);
	}

	friend bool operator==(const wall &a, const wall &b) noexcept
	{
		return a.w_ == b.w_;
	}
	friend bool operator!=(const wall &a, const wall &b) noexcept
	{
		return !(a == b);
	}

private:
	wall(hpt_wall *held, int) noexcept : w_(held)
	{
	}
	static wall_time made(const hpt_wall_time &t) noexcept
	{
		return wall_time{ time_point(nanoseconds(t.earliest_ns)), time_point(nanoseconds(t.latest_ns)), t.tick,
				  t.generation, static_cast<wall_state>(t.state), t.flags };
	}

	hpt_wall *w_;
};

/* A hybrid logical clock: hpt_hlc_new(3). Timestamps strictly increase, on any threads. */
class hlc {
public:
	using time_point = system_clock::time_point;

	/* max_ahead: how far one that comes, or a floor, may be beyond the wall's latest. */
	hlc(const wall &on, nanoseconds max_ahead) : held_(made(on, max_ahead))
	{
	}

	LIBHPT_NODISCARD hpt_hlc *native_handle() const noexcept
	{
		return held_.get();
	}

	/* Throws as wall::now(), and ESTALE in a forked child or a clone of the virtual machine, until set_floor(). */
	LIBHPT_NODISCARD time_point now()
	{
		std::int64_t ns = 0;

		detail::check_plain(hpt_hlc_now(held_.get(), &ns), "hpt_hlc_now");
		return time_point(nanoseconds(ns));
	}
	/* Above a timestamp of another machine too. Throws EBADMSG: that is too far in the future, and is forgotten. */
	time_point receive(time_point remote)
	{
		std::int64_t ns = 0;

		detail::check_plain(hpt_hlc_receive(held_.get(), remote.time_since_epoch().count(), &ns),
				    "hpt_hlc_receive");
		return time_point(nanoseconds(ns));
	}
	/* Does not throw: returns false, and leaves ret untouched, if there is no timestamp. */
	LIBHPT_NODISCARD bool try_now(time_point &ret) noexcept
	{
		std::int64_t ns = 0;

		if (hpt_hlc_now(held_.get(), &ns))
			return false;
		ret = time_point(nanoseconds(ns));
		return true;
	}
	LIBHPT_NODISCARD bool try_receive(time_point remote, time_point &ret) noexcept
	{
		std::int64_t ns = 0;

		if (hpt_hlc_receive(held_.get(), remote.time_since_epoch().count(), &ns))
			return false;
		ret = time_point(nanoseconds(ns));
		return true;
	}
	/* All further timestamps are above it. */
	void set_floor(time_point floor)
	{
		detail::check(hpt_hlc_set_floor(held_.get(), floor.time_since_epoch().count()), "hpt_hlc_set_floor");
	}

	LIBHPT_NODISCARD hpt_hlc_info info() const
	{
		hpt_hlc_info info;

		detail::check(hpt_hlc_get_info(held_.get(), &info, sizeof(info)), "hpt_hlc_get_info");
		return info;
	}

private:
	struct freer {
		void operator()(hpt_hlc *h) const noexcept
		{
			hpt_hlc_free(h);
		}
	};

	static hpt_hlc *made(const wall &on, nanoseconds max_ahead)
	{
		hpt_hlc *h = nullptr;

		detail::check(hpt_hlc_new(on.native_handle(), max_ahead.count(), 0, &h), "hpt_hlc_new");
		return h;
	}

	std::unique_ptr<hpt_hlc, freer> held_;
};

} // namespace young1
} // namespace hpt

#endif
