/* SPDX-License-Identifier: MIT */
/*
 * highpertimer.hpp - the class of the HighPerTimer papers by its own names, over hpt.hpp: hpt.hpp(3), "The papers'
 * class". For programs that were written for it; new ones use hpt::timer.
 *
 * As in the papers the value of a HighPerTimer is a number of tics: a time since 1970 or a duration. A tic is a
 * nanosecond here. Ticks of the counter would need one rate for both, measured once and wrong for good: at the 50 ppm
 * of a young process the time since 1970 would be wrong by a day. So a timer keeps its meaning while the rate is
 * refined, and when the source is changed.
 *
 * Young, as <hpt/system.h>: an incompatible change in a minor release gives it another inline namespace.
 */
#ifndef LIBHPT_HIGHPERTIMER_HPP
#define LIBHPT_HIGHPERTIMER_HPP

#include <hpt/cpp/papers.hpp>
#include <hpt/system.hpp>

#include <cctype>
#include <cstdio>
#include <ctime>

namespace HPTimer {
inline namespace young1 {

/* ---- The class ------------------------------------------------------------------------------------------ */

class HighPerTimer : public detail::extremes<HighPerTimer> {
public:
	constexpr HighPerTimer() noexcept : tics_(0)
	{
	}
	/* One sign for both: that of the seconds, or where these are 0 of the nanoseconds, or Sign, which is minus. */
	HighPerTimer(detail::seconds Seconds, detail::nseconds NSeconds, bool Sign = false) :
		tics_(signed_sum(Seconds.tics(), NSeconds.tics(), Sign))
	{
	}
	/* Tics of CPU_Tics(), to which UnixZeroShift is added unless Shift is false. */
	template <class N, typename std::enable_if<detail::is_whole<N>::value, int>::type = 0>
	explicit HighPerTimer(N HPTics) :
		tics_(detail::sum(detail::nseconds(HPTics).tics(), GetUnixZeroShift()))
	{
	}
	template <class B, typename std::enable_if<std::is_same<B, bool>::value, int>::type = 0>
	HighPerTimer(detail::nseconds HPTics, B Shift) :
		tics_(detail::sum(HPTics.tics(), Shift ? GetUnixZeroShift() : 0))
	{
	}
	HighPerTimer(const ::timeval &TV) :
		tics_(detail::sum(detail::seconds(TV.tv_sec).tics(), detail::useconds(TV.tv_usec).tics()))
	{
	}
	HighPerTimer(const ::timespec &TS) :
		tics_(detail::sum(detail::seconds(TS.tv_sec).tics(), detail::nseconds(TS.tv_nsec).tics()))
	{
	}
	explicit constexpr HighPerTimer(detail::exact t) noexcept : tics_(t.tics)
	{
	}
	/* The time alone: sleeps on the other timer go on. */
	HighPerTimer(const HighPerTimer &Timer) noexcept : detail::extremes<HighPerTimer>(), tics_(Timer.tics_)
	{
	}
	HighPerTimer &operator=(const HighPerTimer &Timer) noexcept
	{
		tics_ = Timer.tics_;
		return *this;
	}

	/* ---- Now ---- */

	static HighPerTimer Now() noexcept
	{
		HighPerTimer t;

		t.SetNow();
		return t;
	}
	static void Now(HighPerTimer &HPTimer) noexcept
	{
		HPTimer.SetNow();
	}
	void SetNow() noexcept
	{
		detail::line &on = detail::current();
		const std::int64_t shift = on.shift();

		tics_ = on.now() + shift;
	}
	/* Without the shift: tics of this class, which are no ticks of the TSC. */
	static std::int64_t CPU_Tics() noexcept
	{
		return detail::current().now();
	}
	static void CPU_Tics(std::int64_t &tsc) noexcept
	{
		tsc = CPU_Tics();
	}
	/* The system's own clock, in nanoseconds and as text. */
	static std::int64_t GetSysTime() noexcept
	{
		return system_time().tics_;
	}
	static std::string SysNow()
	{
		return system_time().PrintTime();
	}

	/* ---- Values ---- */

	std::int64_t HPTics() const noexcept
	{
		return tics_;
	}
	bool Negative() const noexcept
	{
		return tics_ < 0;
	}
	bool IsNil() const noexcept
	{
		return tics_ == 0;
	}
	static HighPerTimer Nil() noexcept
	{
		return HighPerTimer();
	}
	/* Parts without the sign. */
	std::uint64_t Seconds() const noexcept
	{
		return size() / 1000000000;
	}
	std::uint64_t USeconds() const noexcept
	{
		return size() % 1000000000 / 1000;
	}
	std::uint64_t NSeconds() const noexcept
	{
		return size() % 1000000000;
	}
	/* Seconds rounded down, so that a negative time comes back from them too. */
	void SetTV(::timeval &TV) const
	{
		set(TV.tv_sec, floor_seconds());
		set(TV.tv_usec, floor_rest() / 1000);
	}
	void SetTS(::timespec &TS) const
	{
		set(TS.tv_sec, floor_seconds());
		set(TS.tv_nsec, floor_rest());
	}

	void SetTimer(detail::seconds Seconds, detail::nseconds NSeconds, bool Sign = false)
	{
		*this = HighPerTimer(Seconds, NSeconds, Sign);
	}
	void SetTimer(const ::timeval &TV)
	{
		*this = TV;
	}
	void SetTimer(const ::timespec &TS)
	{
		*this = TS;
	}
	/* Each sets the whole value. */
	void SetSeconds(detail::seconds Seconds)
	{
		tics_ = Seconds.tics();
	}
	void SetUSeconds(detail::useconds USeconds)
	{
		tics_ = USeconds.tics();
	}
	void SetNSeconds(detail::nseconds NSeconds)
	{
		tics_ = NSeconds.tics();
	}
	void SetTics(detail::nseconds HPTics)
	{
		tics_ = HPTics.tics();
	}
	HighPerTimer &InvertSign() noexcept
	{
		tics_ = -tics_;
		return *this;
	}

	static HighPerTimer DtoHPTimer(double Time)
	{
		return HighPerTimer() += Time;
	}
	static double HPTimertoD(const HighPerTimer &HPTimer) noexcept
	{
		return TictoD(HPTimer.tics_);
	}
	static double TictoD(std::int64_t HPTic) noexcept
	{
		return static_cast<double>(HPTic) / 1e9;
	}
	static HighPerTimer NSectoHPTimer(detail::nseconds NSeconds)
	{
		return HighPerTimer().NSecAdd(NSeconds);
	}
	static std::int64_t HPTimertoNSec(const HighPerTimer &Timer) noexcept
	{
		return Timer.tics_;
	}

	/* Seconds, in ten places or more, and nanoseconds. HPTimer_only: tics. No UnixTime: a date of UTC, and tics. */
	std::string PrintTime(bool HPTimer_only = false, bool UnixTime = true) const
	{
		return HPTimer_only ? std::to_string(tics_) : UnixTime ? seconds_text() : date_text();
	}
	friend std::ostream &operator<<(std::ostream &out, const HighPerTimer &Timer)
	{
		return out << Timer.PrintTime();
	}

	/* ---- Arithmetic: throws OutOfRange, and leaves the timer as it was ---- */

	HighPerTimer &operator+=(const HighPerTimer &Timer)
	{
		return add(Timer.tics_);
	}
	HighPerTimer &operator-=(const HighPerTimer &Timer)
	{
		return add(-Timer.tics_);
	}
	HighPerTimer &operator+=(detail::any_seconds Seconds)
	{
		return add(Seconds.tics());
	}
	HighPerTimer &operator-=(detail::any_seconds Seconds)
	{
		return add(-Seconds.tics());
	}
	HighPerTimer &SecAdd(detail::seconds Seconds)
	{
		return add(Seconds.tics());
	}
	HighPerTimer &USecAdd(detail::useconds USeconds)
	{
		return add(USeconds.tics());
	}
	HighPerTimer &NSecAdd(detail::nseconds NSeconds)
	{
		return add(NSeconds.tics());
	}
	HighPerTimer &TicAdd(detail::nseconds Tics)
	{
		return add(Tics.tics());
	}
	HighPerTimer &SecSub(detail::seconds Seconds)
	{
		return add(-Seconds.tics());
	}
	HighPerTimer &USecSub(detail::useconds USeconds)
	{
		return add(-USeconds.tics());
	}
	HighPerTimer &NSecSub(detail::nseconds NSeconds)
	{
		return add(-NSeconds.tics());
	}
	HighPerTimer &TicSub(detail::nseconds Tics)
	{
		return add(-Tics.tics());
	}
	friend HighPerTimer operator+(HighPerTimer a, const HighPerTimer &b)
	{
		return a += b;
	}
	friend HighPerTimer operator-(HighPerTimer a, const HighPerTimer &b)
	{
		return a -= b;
	}
	friend HighPerTimer operator+(HighPerTimer a, detail::any_seconds Seconds)
	{
		return a += Seconds;
	}
	friend HighPerTimer operator-(HighPerTimer a, detail::any_seconds Seconds)
	{
		return a -= Seconds;
	}
	HighPerTimer operator-() const noexcept
	{
		return HighPerTimer(*this).InvertSign();
	}

	friend bool operator==(const HighPerTimer &a, const HighPerTimer &b) noexcept
	{
		return a.tics_ == b.tics_;
	}
	friend bool operator!=(const HighPerTimer &a, const HighPerTimer &b) noexcept
	{
		return a.tics_ != b.tics_;
	}
	friend bool operator<(const HighPerTimer &a, const HighPerTimer &b) noexcept
	{
		return a.tics_ < b.tics_;
	}
	friend bool operator>(const HighPerTimer &a, const HighPerTimer &b) noexcept
	{
		return a.tics_ > b.tics_;
	}
	friend bool operator<=(const HighPerTimer &a, const HighPerTimer &b) noexcept
	{
		return a.tics_ <= b.tics_;
	}
	friend bool operator>=(const HighPerTimer &a, const HighPerTimer &b) noexcept
	{
		return a.tics_ >= b.tics_;
	}

	/* ---- Sleeps: never early, unless interrupted ---- */

	void USecSleep(detail::useconds USeconds) const
	{
		bed_.sleep_for(USeconds.clamped());
	}
	void NSecSleep(detail::nseconds NSeconds) const
	{
		bed_.sleep_for(NSeconds.clamped());
	}
	void TicsSleep(detail::nseconds HPTics) const
	{
		bed_.sleep_for(HPTics.clamped());
	}
	/* For the time that this timer is set to. */
	void Sleep() const
	{
		bed_.sleep_for(tics_);
	}
	void SleepTo(detail::nseconds WakeHPTimer) const
	{
		bed_.sleep_to(WakeHPTimer.clamped());
	}
	void SleepTo(const HighPerTimer &WaitTo) const
	{
		bed_.sleep_to(WaitTo.tics_);
	}
	void SleepToThis() const
	{
		bed_.sleep_to(tics_);
	}
	/* Ends all sleeps on this timer, or else the next one. Also in a signal handler. */
	void Interrupt() noexcept
	{
		bed_.ask();
		bed_.ring();
	}

	/* ---- The clock ---- */

	/* Of all timers; those that have slept go on sleeping by the old one. Returns the source in use. */
	static TimeSource SetTimerSource(TimeSource UserSource)
	{
		const std::uint32_t i = static_cast<std::uint32_t>(UserSource) - HPT_SOURCE_TSC;
		detail::line *const on = i < 3 ? detail::line_on(UserSource, detail::shared<void>::opened[i]) : nullptr;

		if (on)
			detail::shared<void>::current.store(on, std::memory_order_release);
		return GetHPSource();
	}
	static TimeSource GetHPSource()
	{
		return detail::source_of(detail::current().clk.load(std::memory_order_acquire));
	}
	static std::string GetSourceString()
	{
		std::string text = hpt_source_name(static_cast<std::uint32_t>(GetHPSource()));

		for (char &c : text)
			c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
		return text;
	}
	/* Tics a microsecond, nanoseconds a tic: by what a tic is. */
	static constexpr std::int64_t GetHPFrequency() noexcept
	{
		return 1000;
	}
	static constexpr double GetNsecPerTic() noexcept
	{
		return 1;
	}
	static std::int64_t GetUnixZeroShift() noexcept
	{
		return detail::current().shift();
	}
	/* Takes the shift again: after a step of the system's clock, or a suspend. */
	static void InitUnixZeroShift() noexcept
	{
		/* Timers may sleep by sources of before. */
		detail::shared<void>::by_default.renew_shift();
		for (detail::line &other : detail::shared<void>::opened)
			other.renew_shift();
	}
	/* Measures the rate over the time: 0.02, 0.1, 1 or 10 s. Not needed, since use refines it. */
	static bool SetClockSkew(double DelayTime)
	{
		hpt_clock *const clk = detail::current().clk.load(std::memory_order_acquire);
		std::int64_t ns = 0;

		for (const double allowed : { 0.02, 0.1, 1.0, 10.0 })
			if (!(DelayTime < allowed) && !(DelayTime > allowed))
				ns = detail::any_seconds(DelayTime).clamped();
		if (!ns)
			return false;
		hpt::detail::check(hpt_sleep_ns(clk, ns), "hpt_sleep_ns");
		hpt_clock_check(clk, nullptr);
		return true;
	}

private:
	static std::int64_t signed_sum(std::int64_t sec, std::int64_t nsec, bool is_minus)
	{
		if ((is_minus && (sec < 0 || nsec < 0)) || (nsec < 0 && sec != 0))
			detail::refuse("HPTimer: seconds and nanoseconds with two signs");
		const std::int64_t size = detail::sum(sec < 0 ? -sec : sec, nsec);

		return is_minus || sec < 0 ? -size : size;
	}
	static HighPerTimer system_time() noexcept
	{
		::timespec now;

		clock_gettime(CLOCK_REALTIME, &now);
		return HighPerTimer(now);
	}
	std::uint64_t size() const noexcept
	{
		return static_cast<std::uint64_t>(tics_ < 0 ? -tics_ : tics_);
	}
	std::int64_t floor_rest() const noexcept
	{
		const std::int64_t rest = tics_ % 1000000000;

		return rest < 0 ? rest + 1000000000 : rest;
	}
	std::int64_t floor_seconds() const noexcept
	{
		return tics_ / 1000000000 - (tics_ % 1000000000 < 0);
	}
	/* A part of a C type. */
	template <class Part> static void set(Part &ret, std::int64_t part)
	{
		detail::checked(static_cast<Part>(part) == part, part);
		ret = static_cast<Part>(part);
	}
	HighPerTimer &add(std::int64_t tics)
	{
		tics_ = detail::sum(tics_, tics);
		return *this;
	}
	std::string seconds_text() const
	{
		const std::string seconds = (Negative() ? "-" : "") + std::to_string(Seconds());
		char nanoseconds[16];

		std::snprintf(nanoseconds, sizeof(nanoseconds), ".%09u", static_cast<unsigned>(NSeconds()));
		return std::string(seconds.size() < 10 ? 10 - seconds.size() : 0, ' ') + seconds + nanoseconds;
	}
	std::string date_text() const
	{
		::timespec t;
		std::tm date;
		char day[64], rest[64];

		SetTS(t);
		gmtime_r(&t.tv_sec, &date);
		std::strftime(day, sizeof(day), "%Y-%m-%d %H:%M:%S", &date);
		std::snprintf(rest, sizeof(rest), ".%09u UTC, ", static_cast<unsigned>(t.tv_nsec));
		return std::string(day) + rest + std::to_string(tics_) + " tics";
	}

	std::int64_t tics_;
	mutable detail::bed bed_;
};

/* ---- The hardware --------------------------------------------------------------------------------------- */

/* What CPUID states, and why the HPET cannot be used. Where the processor has no CPUID: false and "". */
class AccessTimeHardware {
public:
	AccessTimeHardware() = delete;

	static bool IsRDTSCPSupported() noexcept
	{
		return cpu().rdtscp != 0;
	}
	static bool IsConstantTSC() noexcept
	{
		return cpu().tsc_class == HPT_CPU_CONSTANT_BY_FAMILY || cpu().tsc_class == HPT_CPU_INVARIANT;
	}
	static bool IsInvariantTSC() noexcept
	{
		return cpu().tsc_class == HPT_CPU_INVARIANT;
	}
	static std::string GetBrandString()
	{
		return cpu().brand;
	}
	static HPETFail HpetFailReason()
	{
		const hpt_source_info hpet = hpt::source_info(hpt::source::hpet);

		if (hpet.reason >= HPT_REASON_HPET_ACCESS && hpet.reason <= HPT_REASON_HPET_UNKNOWN)
			return static_cast<HPETFail>(hpet.reason);
		return hpet.usable || hpet.stage == HPT_STAGE_UNTRIED ? HPETFail::NONE : HPETFail::UNKNOWN;
	}

private:
	static hpt_cpu_info cpu() noexcept
	{
		hpt_cpu_info info;

		if (hpt_cpu_get_info(&info, sizeof(info)) < 0)
			info = hpt_cpu_info();
		return info;
	}
};

} // namespace young1
} // namespace HPTimer

#endif
