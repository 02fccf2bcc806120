-- SPDX-License-Identifier: MIT
--[=[
A clock and an interruptible sleep of libhpt, by FFI. LuaJIT 2.1:

	luajit sleeps.lua

Expect reads that cost a little less than clock_gettime(), and half of the sleeps late by a few microseconds, where
nanosleep() is late by 50 or more (Lua's own clock counts whole seconds). A sleep blocks all coroutines of its state.
]=]
local ffi = require("ffi")
ffi.cdef [[
typedef struct hpt_waiter hpt_waiter;
struct timespec { long sec, nsec; };
int64_t hpt_now_ns(void *);
int hpt_clock_get_info(void *, uint32_t *, size_t);
const char *hpt_source_name(uint32_t);
int hpt_waiter_new(void *, uint32_t, hpt_waiter **);
void hpt_waiter_free(hpt_waiter *);
int hpt_waiter_sleep_ns(hpt_waiter *, int64_t);
int clock_gettime(int, struct timespec *);
int nanosleep(const struct timespec *, struct timespec *);
int getpid(void);
char *strerror(int);
]]
local hpt, C, MS = ffi.load("libhpt.so.1"), ffi.C, 1000000

-- Makes an error of a negative result.
local function check(result)
  return result >= 0 and result or error(ffi.string(C.strerror(-result)), 0)
end

local function now()
  return hpt.hpt_now_ns(nil)
end

local waiter = ffi.new("hpt_waiter *[1]")
check(hpt.hpt_waiter_new(nil, 1, waiter)) -- HPT_WAIT_EINTR: signals end its sleeps

local function sleep(ns)
  local start = now()
  local state = check(hpt.hpt_waiter_sleep_ns(waiter[0], ns)) -- above 0: the clocks moved against each other
  return state > 0 or now() - start >= ns or error("a sleep ended early", 0)
end

-- As in C, no sleep may be on it. A later one is an error, since the library answers EINVAL to NULL.
local function close()
  hpt.hpt_waiter_free(waiter[0])
  waiter[0] = nil
end

local function cost(count, call, argument)
  local start = now()
  for _ = 1, count do call(argument) end
  return tonumber(now() - start) / count
end

local time, ms, found = ffi.new("struct timespec"), ffi.new("struct timespec", 0, MS), { {}, {}, {}, {} }
for i = 1, 100 do
  found[1][i] = cost(1000, now)
  found[2][i] = cost(1000, function() C.clock_gettime(1, time) end) -- CLOCK_MONOTONIC
  found[3][i] = cost(1, sleep, MS) / 1e3 - 1000
  found[4][i] = cost(1, function() C.nanosleep(ms, nil) end) / 1e3 - 1000
end
for i = 1, 4 do table.sort(found[i]) end
local info = ffi.new("uint32_t[64]") -- struct hpt_clock_info, and room: the source is the second word
check(hpt.hpt_clock_get_info(nil, info, 256))
print("source: " .. ffi.string(hpt.hpt_source_name(info[1])))
print(("read: hpt %.1f ns, clock_gettime %.1f ns"):format(found[1][51], found[2][51]))
local line = "late: %s %.3f us in the median, 90 %% within %.3f us"
print(line:format("hpt", found[3][51], found[3][91]))
print(line:format("nanosleep", found[4][51], found[4][91]))

-- A signal from elsewhere, as Ctrl-C sends it: check() makes an error of EINTR, or luajit of the signal. It may come
-- as soon as the command runs; os.execute() would ignore it until its own return.
local start = now()
local good, message = pcall(function()
  local killer = io.popen(("sleep 0.02; kill -INT %d"):format(C.getpid()))
  sleep(10000 * MS)
  killer:close()
end)
assert(not good and message:find("[Ii]nterrupted"), message)
print(("interrupted after %.1f ms of 10000"):format(tonumber(now() - start) / 1e6))
close()
assert(not pcall(sleep, MS), "a sleep after close() is no error")
