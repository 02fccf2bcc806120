/* SPDX-License-Identifier: MIT */
/* ClockBound's own libraries and writers, as "build" has built them, and statements for both versions. */
#ifndef HPT_TEST_CLOCKBOUND_H
#define HPT_TEST_CLOCKBOUND_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <hpt/hpt.h>
#include <hpt/wall.h>

/* As in writer/lib.rs. */
struct statement {
	int64_t  as_of_ns, void_after_ns, bound_ns;
	uint64_t as_of_tick;
	double   period_s, period_error;
	uint64_t marker;
	uint32_t drift_ppb;
	int32_t  status, has_marker;
};

/* clockbound.h of both versions of clock-bound-ffi: in C enums are int. */
struct clockbound_now_result {
	struct timespec earliest, latest;
	int clock_status;
};
enum { UNKNOWN, SYNCHRONIZED, FREE_RUNNING, DISRUPTED };

/* The error of version 2 is smaller than that of version 3. */
struct clockbound_err {
	int  kind, error;
	char detail[128];
};

struct clockbound {
	int   version;
	char  path[112]; /* of the shared memory */
	void *writer, *reader;
	void (*write)(void *writer, const struct statement *s);
	void *(*open)(const char *shm, const char *vmclock, void *err);
	const void *(*now_2)(void *reader, struct clockbound_now_result *ret);
	const void *(*now_3)(void *reader, struct clockbound_now_result *ret, void *err);
};

static inline void must(bool is_so, const char *what)
{
	if (is_so)
		return;
	printf("FAILED: %s\n", what);
	exit(1);
}

static inline void *must_find(const char *folder, const char *library, const char *symbol)
{
	char path[256];
	void *found;

	snprintf(path, sizeof(path), "%s/%s", folder, library);
	found = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (found)
		found = dlsym(found, symbol);
	if (!found)
		printf("%s: %s\n", symbol, dlerror());
	must(found, "a library of ClockBound's");
	return found;
}

static inline int64_t ns_of(struct timespec ts)
{
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static inline int64_t clock_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return ns_of(ts);
}

/* True now: version 2 by CLOCK_REALTIME, version 3 by the clock's own rate. */
static inline struct statement true_statement(int version)
{
	struct statement s = { .bound_ns = 50000, .drift_ppb = 1000, .status = SYNCHRONIZED };
	struct hpt_clock_info info;

	if (version == 2) {
		s.as_of_ns = clock_ns(CLOCK_MONOTONIC_COARSE);
	} else {
		must(!hpt_clock_get_info(NULL, &info, sizeof(info)), "hpt_clock_get_info");
		s.as_of_tick = (uint64_t)hpt_now(NULL);
		s.as_of_ns = clock_ns(CLOCK_REALTIME);
		s.period_s = 1e6 / (double)info.frequency_uhz;
		s.period_error = 1e-7;
	}
	s.void_after_ns = s.as_of_ns + INT64_C(1000000000000);
	return s;
}

/* False: their library refuses the file; it prints why. */
static inline bool clockbound_open(struct clockbound *cb)
{
	struct clockbound_err err = { 0 };

	cb->reader = cb->open(cb->path, "/nonexistent", &err);
	if (!cb->reader)
		printf("clockbound %d: kind %d, errno %d\n", cb->version, err.kind, err.error);
	return cb->reader;
}

/* Finds the functions that read; path and reader are the caller's. */
static inline void clockbound_load(struct clockbound *cb, const char *libraries, int version)
{
	const char *library = version == 2 ? "libclockbound2.so" : "libclockbound3.so";

	cb->version = version;
	cb->open = (void *(*)(const char *, const char *, void *))
		must_find(libraries, library, version == 2 ? "clockbound_vmclock_open" : "clockbound_open_with");
	cb->now_2 = (const void *(*)(void *, struct clockbound_now_result *))
		must_find(libraries, library, "clockbound_now");
	cb->now_3 = (const void *(*)(void *, struct clockbound_now_result *, void *))
		must_find(libraries, library, "clockbound_now");
}

/* Writes a first statement, without which their library opens no file. */
static inline void clockbound_make(struct clockbound *cb, const char *libraries, const char *folder, int version)
{
	void *(*open_writer)(const char *path, int version);
	struct statement first = true_statement(version);

	clockbound_load(cb, libraries, version);
	snprintf(cb->path, sizeof(cb->path), "%s/shm%d", folder, version - 2);
	open_writer = (void *(*)(const char *, int))must_find(libraries, "libwriter.so", "writer_open");
	cb->write = (void (*)(void *, const struct statement *))must_find(libraries, "libwriter.so", "writer_write");
	cb->writer = open_writer(cb->path, version);
	must(cb->writer, "their writer");
	cb->write(cb->writer, &first);
	must(clockbound_open(cb), "their reader");
}

static inline void clockbound_write(struct clockbound *cb, const struct statement *s)
{
	cb->write(cb->writer, s);
}

/* True: there was no error, whatever the status. */
static inline bool clockbound_now(struct clockbound *cb, struct clockbound_now_result *ret)
{
	struct clockbound_err err;

	return cb->version == 2 ? !cb->now_2(cb->reader, ret) : !cb->now_3(cb->reader, ret, &err);
}

static inline hpt_wall *wall_of(const char *path)
{
	struct hpt_wall_config config = { .sources = HPT_WALL_SOURCE_CLOCKBOUND };
	hpt_wall *wall;

	snprintf(config.clockbound_path, sizeof(config.clockbound_path), "%s", path);
	must(!hpt_wall_open(NULL, &config, sizeof(config), 0, &wall), "hpt_wall_open");
	return wall;
}

/* True where version 3 can be used: ClockBound reads this counter itself. */
static inline bool has_their_counter(void)
{
	struct hpt_clock_info info;
	uint32_t source;

	must(!hpt_clock_get_info(NULL, &info, sizeof(info)), "hpt_clock_get_info");
	source = info.source;
	return source == HPT_SOURCE_TSC || source == HPT_SOURCE_ARCH;
}

/* A folder in memory, whose name the caller prints if it stays. */
static inline void make_folder(char ret[64])
{
	strcpy(ret, "/tmp/hpt-clockbound-XXXXXX");
	must(mkdtemp(ret), "a temporary folder");
}

static inline void remove_folder(const char *folder)
{
	char path[128];

	for (int i = 0; i < 4; i++) {
		static const char *const names[] = { "shm0", "shm1", "own0", "own1" };

		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		unlink(path);
	}
	rmdir(folder);
}

#endif
