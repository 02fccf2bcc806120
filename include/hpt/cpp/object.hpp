/* SPDX-License-Identifier: MIT */
/* The common part of sleeper, gate and ticker. Included by hpt.hpp. */
#ifndef LIBHPT_CPP_OBJECT_HPP
#define LIBHPT_CPP_OBJECT_HPP

#include <hpt/cpp/timer.hpp>

#include <memory>

#if defined(__cpp_lib_jthread)
#include <stop_token>
#endif

namespace hpt {
inline namespace v1 {

namespace detail {

template <class T, void (*Free)(T *)> struct freer {
	void operator()(T *object) const noexcept
	{
		Free(object);
	}
};

/* Owns an object of the C API. Times of sleeper, gate and ticker are those of their own clock. */
template <class T, void (*Free)(T *), hpt_clock *(*Clock)(T *), int (*Policy)(T *, std::uint32_t, std::int64_t)>
class object {
public:
	/* For the C functions; NULL after a move. */
	LIBHPT_NODISCARD T *native_handle() const noexcept
	{
		return held_.get();
	}

	LIBHPT_NODISCARD hpt::clock on_clock() const noexcept
	{
		return hpt::clock::share(Clock(held_.get()));
	}

	template <class Rep = std::int64_t, class Period = std::nano>
	void set_policy(policy p, const std::chrono::duration<Rep, Period> &max_spin = {})
	{
		check(Policy(held_.get(), static_cast<std::uint32_t>(p), ns_up(max_spin)), "hpt: set_policy");
	}

protected:
	explicit object(T *made) noexcept : held_(made)
	{
	}

private:
	std::unique_ptr<T, freer<T, Free>> held_;
};

/* An object of the C API by its function that makes one. */
template <class T>
T *made(int (*make)(hpt_clock *, std::uint32_t, T **), const hpt::clock &on, on_signal then, const char *what)
{
	T *object = nullptr;

	check(make(on.native_handle(), static_cast<std::uint32_t>(then), &object), what);
	return object;
}

} // namespace detail

} // namespace v1
} // namespace hpt

#endif
