/* SPDX-License-Identifier: MIT */
/*
 * hpt.hpp - libhpt for C++11 and later: clocks of std::chrono, times, and sleeps that end on time; see hpt.hpp(3).
 *
 * Header-only, over hpt.h, which the program links with (pkg-config libhpt). C++14 to C++23 add what their standard
 * library has: [[nodiscard]], the operator <=>, std::stop_token.
 *
 * All of it is in inline namespace v1, so that parts of a program that were compiled with different major versions do
 * not share code. The young headers <hpt/wall.hpp>, <hpt/wait.hpp>, <hpt/system.hpp> and <hpt/highpertimer.hpp> are
 * included by themselves.
 *
 * Errors are thrown: hpt::error with the errno value of the C function, std::overflow_error where a result does not
 * fit. Sleeps throw for wrong use alone, never because they were interrupted: they return hpt::wake. Where exceptions
 * are disabled (-fno-exceptions), std::abort() is called instead of a throw.
 *
 * Threads: as for the C functions. Any thread may call const members and interrupt() at any time; an object that is
 * moved, assigned or destroyed must not be in use. A moved-from clock is the default clock. Another moved-from object
 * refuses sleeps with EINVAL and ignores the rest.
 */
#ifndef LIBHPT_HPT_HPP
#define LIBHPT_HPT_HPP

#include <hpt/cpp/base.hpp>
#include <hpt/cpp/chrono.hpp>
#include <hpt/cpp/clock.hpp>
#include <hpt/cpp/gate.hpp>
#include <hpt/cpp/sleeper.hpp>
#include <hpt/cpp/ticker.hpp>
#include <hpt/cpp/timer.hpp>

#endif
