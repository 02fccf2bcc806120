/* SPDX-License-Identifier: MIT */
/* hpt.c - a clock and interruptible sleeps of libhpt for Node, by Node-API; sleeps.js says how it is compiled. */
#include <errno.h>
#include <stdlib.h>

#include <hpt/hpt.h>
#include <node_api.h>
#include <uv.h>

/* It belongs to JavaScript's thread; run() alone is on one of libuv's pool. As in C, close() alone frees it. */
struct sleeper {
	hpt_waiter *waiter;
	napi_async_work work; /* the present sleep, or NULL */
	napi_deferred promise;
	int64_t ns;
	int result;
};

/* Makes an exception of a negative result. */
static napi_value check(napi_env env, int result)
{
	if (result < 0)
		napi_throw_error(env, uv_err_name(result), uv_strerror(result));
	return NULL;
}

/* The sleeper that is the first argument, and the second one; NULL after close(). */
static struct sleeper *sleeper_of(napi_env env, napi_callback_info call, napi_value *words)
{
	size_t count = 2;
	void *data = NULL;

	napi_get_cb_info(env, call, &count, words, NULL, NULL);
	return napi_unwrap(env, words[0], &data) == napi_ok ? data : NULL;
}

static napi_value now(napi_env env, napi_callback_info call)
{
	napi_value ret = NULL;

	napi_create_bigint_int64(env, hpt_now_ns(NULL), &ret);
	return ret;
}

static napi_value source(napi_env env, napi_callback_info call)
{
	struct hpt_clock_info info = { 0 };
	napi_value ret = NULL;

	check(env, hpt_clock_get_info(NULL, &info, sizeof(info)));
	napi_create_string_utf8(env, hpt_source_name(info.source), NAPI_AUTO_LENGTH, &ret);
	return ret;
}

static napi_value open_sleeper(napi_env env, napi_callback_info call)
{
	struct sleeper *s = calloc(1, sizeof(*s));
	napi_value ret = NULL;
	int result = s ? hpt_waiter_new(NULL, 0, &s->waiter) : -ENOMEM;

	if (result < 0)
		return free(s), check(env, result);
	napi_create_object(env, &ret);
	napi_wrap(env, ret, s, NULL, NULL, NULL);
	return ret;
}

static void run(napi_env env, void *data)
{
	struct sleeper *s = data;

	s->result = hpt_waiter_sleep_ns(s->waiter, s->ns);
}

/* Resolves the promise with 0, or with a state above 0 if the clocks moved; or rejects it. */
static void done(napi_env env, napi_status status, void *data)
{
	struct sleeper *s = data;
	napi_value value;

	napi_delete_async_work(env, s->work);
	s->work = NULL;
	if (s->result < 0) {
		check(env, s->result);
		napi_get_and_clear_last_exception(env, &value);
		napi_reject_deferred(env, s->promise, value);
	} else {
		napi_create_int32(env, s->result, &value);
		napi_resolve_deferred(env, s->promise, value);
	}
}

static napi_value sleep_ns(napi_env env, napi_callback_info call)
{
	napi_value words[2], name, promise = NULL;
	struct sleeper *s = sleeper_of(env, call, words);
	bool lossless = false;

	if (!s || s->work)
		return check(env, s ? -EBUSY : -EINVAL);
	if (napi_get_value_bigint_int64(env, words[1], &s->ns, &lossless) != napi_ok || !lossless)
		return check(env, -EINVAL);
	napi_create_string_utf8(env, "hpt", NAPI_AUTO_LENGTH, &name);
	if (napi_create_async_work(env, NULL, name, run, done, s, &s->work) != napi_ok)
		return check(env, -ENOMEM);
	napi_create_promise(env, &s->promise, &promise);
	napi_queue_async_work(env, s->work);
	return promise;
}

static napi_value interrupt(napi_env env, napi_callback_info call)
{
	napi_value words[2];
	struct sleeper *s = sleeper_of(env, call, words);

	return check(env, hpt_waiter_interrupt(s ? s->waiter : NULL));
}

static napi_value close_sleeper(napi_env env, napi_callback_info call)
{
	napi_value words[2];
	struct sleeper *s = sleeper_of(env, call, words);

	if (!s || s->work)
		return check(env, s ? -EBUSY : -EINVAL);
	napi_remove_wrap(env, words[0], NULL);
	hpt_waiter_free(s->waiter);
	free(s);
	return NULL;
}

NAPI_MODULE_INIT()
{
	const char *names[] = { "now", "source", "open", "sleep", "interrupt", "close" };
	napi_callback calls[] = { now, source, open_sleeper, sleep_ns, interrupt, close_sleeper };
	napi_value function;

	for (int i = 0; i < 6; i++) {
		napi_create_function(env, names[i], NAPI_AUTO_LENGTH, calls[i], NULL, &function);
		napi_set_named_property(env, exports, names[i], function);
	}
	return exports;
}
