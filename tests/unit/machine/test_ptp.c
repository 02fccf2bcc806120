// SPDX-License-Identifier: MIT
/* PTP devices: the ioctls of old and new kernels by a fake of them, and paths that are no such device. */
#include <errno.h>
#include <fcntl.h>
#include <linux/ptp_clock.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "open_files.h"

#include "machine/env.h"
#include "machine/ptp.h"
#include "machine/sys_clock.h"

#define NS_PER_S  INT64_C(1000000000)
#define DEVICE_NS (INT64_C(1700000000) * NS_PER_S + 123456789)
#define FD        77

/* A kernel with one device. */
static struct kernel {
	int     caps_error, precise_error, extended_error; /* -errno; 0: it works */
	bool    is_precise, knows_clockid;
	int64_t namespace_ns;          /* CLOCK_MONOTONIC_RAW of this process less the kernel's own */
	int64_t slow_ns[8];            /* how long each extended offset takes */
	int64_t bad_sec, bad_nsec;     /* not 0: of the device's time */
	int     fails_from;            /* the extended offset from which on they fail; 0: none does */
	int     n_caps, n_precise, n_extended;
	int64_t raw_before_ns, raw_after_ns, raw_ns; /* of the latest offset, by the kernel */
	int64_t narrowest_ns;          /* of the extended ones; 0: there was none */
} kernel;

static int setup(void **state)
{
	(void)state;
	kernel = (struct kernel){ .knows_clockid = true };
	return 0;
}

static int64_t kernel_raw_ns(void)
{
	int64_t ns = 0;

	assert_true(hpt_sys_clock_ns(CLOCK_MONOTONIC_RAW, &ns));
	return ns - kernel.namespace_ns;
}

static void put(struct ptp_clock_time *t, int64_t ns)
{
	t->sec = ns / NS_PER_S;
	t->nsec = (uint32_t)(ns % NS_PER_S);
}

static void put_device(struct ptp_clock_time *t)
{
	put(t, DEVICE_NS + kernel.raw_ns);
	if (kernel.bad_sec)
		t->sec = kernel.bad_sec;
	if (kernel.bad_nsec)
		t->nsec = (uint32_t)kernel.bad_nsec;
}

static int precise(struct ptp_sys_offset_precise *o)
{
	kernel.n_precise++;
	if (kernel.precise_error)
		return kernel.precise_error;
	kernel.raw_ns = kernel.raw_before_ns = kernel.raw_after_ns = kernel_raw_ns();
	put_device(&o->device);
	put(&o->sys_realtime, 5);
	put(&o->sys_monoraw, kernel.raw_ns);
	return 0;
}

static int extended(struct ptp_sys_offset_extended *o)
{
	int64_t slow_ns = kernel.slow_ns[kernel.n_extended % 8];
	int32_t clockid;

	memcpy(&clockid, (char *)o + 4, 4);
	if (clockid && !kernel.knows_clockid)
		return -EINVAL;
	assert_true(clockid == CLOCK_REALTIME || clockid == CLOCK_MONOTONIC_RAW);
	assert_int_equal(o->n_samples, 1);
	kernel.n_extended++;
	if (kernel.extended_error && kernel.n_extended >= kernel.fails_from)
		return kernel.extended_error;
	kernel.raw_ns = kernel.raw_before_ns = kernel_raw_ns();
	put_device(&o->ts[0][1]);
	while (kernel_raw_ns() < kernel.raw_before_ns + slow_ns)
		;
	kernel.raw_after_ns = kernel_raw_ns();
	if (!kernel.narrowest_ns || kernel.raw_after_ns - kernel.raw_before_ns < kernel.narrowest_ns)
		kernel.narrowest_ns = kernel.raw_after_ns - kernel.raw_before_ns;
	put(&o->ts[0][0], clockid ? kernel.raw_before_ns : 5); /* CLOCK_REALTIME is set wrong */
	put(&o->ts[0][2], clockid ? kernel.raw_after_ns : 6);
	return 0;
}

static int fake_ioctl(int fd, unsigned long request, void *arg)
{
	assert_int_equal(fd, FD);
	if (request == PTP_CLOCK_GETCAPS) {
		kernel.n_caps++;
		memset(arg, 0, sizeof(struct ptp_clock_caps));
		((struct ptp_clock_caps *)arg)->cross_timestamping = kernel.is_precise;
		return kernel.caps_error;
	}
	if (request == PTP_SYS_OFFSET_PRECISE)
		return precise(arg);
	return request == PTP_SYS_OFFSET_EXTENDED ? extended(arg) : -ENOTTY;
}

static struct hpt_ptp_reading asked(void)
{
	struct hpt_ptp_reading r = { .major = 1, .minor = 2 };
	int64_t before_ns = kernel_raw_ns() + kernel.namespace_ns, after_ns;

	assert_int_equal(hpt_ptp_ask(FD, fake_ioctl, &r), 0);
	after_ns = kernel_raw_ns() + kernel.namespace_ns;
	assert_int_equal(r.major, 1);
	assert_int_equal(r.minor, 2);
	/* The window is of this process' clock and contains the moment of the device's time. */
	assert_true(before_ns <= r.raw_before_ns && r.raw_after_ns <= after_ns + 1);
	assert_true(r.raw_before_ns < r.raw_after_ns);
	assert_in_range(r.device_ns - DEVICE_NS + kernel.namespace_ns, r.raw_before_ns, r.raw_after_ns - 1);
	return r;
}

static void refused(int error)
{
	struct hpt_ptp_reading r, before;

	memset(&r, 0x5a, sizeof(r));
	memcpy(&before, &r, sizeof(r));
	assert_int_equal(hpt_ptp_ask(FD, fake_ioctl, &r), error);
	assert_memory_equal(&r, &before, sizeof(r));
}

static void hardware_gives_one_moment(void **state)
{
	struct hpt_ptp_reading r;

	(void)state;
	kernel.is_precise = true;
	r = asked();
	assert_int_equal(r.raw_after_ns - r.raw_before_ns, 1);
	assert_int_equal(kernel.n_precise, 1);
	assert_int_equal(kernel.n_extended, 0);
}

static void without_hardware_the_driver_brackets(void **state)
{
	struct hpt_ptp_reading r = asked();

	(void)state;
	assert_int_equal(kernel.n_precise, 0);
	assert_int_equal(r.raw_after_ns - r.raw_before_ns, kernel.raw_after_ns - kernel.raw_before_ns + 1);
	/* The device can, the system cannot. */
	setup(NULL);
	kernel.is_precise = true;
	kernel.precise_error = -ENODEV;
	(void)asked();
	assert_int_equal(kernel.n_precise, 1);
	assert_true(kernel.n_extended > 0);
}

static void old_kernels_are_bracketed_from_outside(void **state)
{
	struct hpt_ptp_reading r;

	(void)state;
	kernel.knows_clockid = false;
	r = asked();
	assert_true(r.raw_after_ns - r.raw_before_ns > kernel.raw_after_ns - kernel.raw_before_ns);
}

/* The kernel's times have no offset of a time namespace, this process' times have. */
static void times_of_another_namespace_are_not_mixed(void **state)
{
	static const int64_t offsets_ns[] = { 5 * NS_PER_S, -5 * NS_PER_S, 1000000, -1000000 };

	(void)state;
	for (size_t i = 0; i < COUNT(offsets_ns) * 2; i++) {
		setup(NULL);
		kernel.namespace_ns = offsets_ns[i / 2];
		kernel.is_precise = i & 1;
		(void)asked();
		assert_true(kernel.n_extended > 0);
	}
}

/* How long one really takes is up to the scheduler. Three are taken at most, of which the narrowest counts. */
static void slow_reads_are_repeated(void **state)
{
	static const int64_t rows[][3] = {
		{ 2000000, 0, 0 }, { 8000000, 200000, 8000000 }, { 200000, 8000000, 8000000 },
		{ 400000, 300000, 200000 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct hpt_ptp_reading r = { 0 };

		setup(NULL);
		memcpy(kernel.slow_ns, rows[i], sizeof(rows[i]));
		assert_int_equal(hpt_ptp_ask(FD, fake_ioctl, &r), 0);
		assert_true(kernel.n_extended == 3 || (!i && kernel.n_extended == 2));
		assert_int_equal(r.raw_after_ns - r.raw_before_ns, kernel.narrowest_ns + 1);
	}
	/* A later one that fails takes nothing back: ENA refuses too many. */
	setup(NULL);
	kernel.slow_ns[0] = 1000000;
	kernel.extended_error = -EBUSY;
	kernel.fails_from = 2;
	(void)asked();
	assert_int_equal(kernel.n_extended, 2);
}

static void errors_are_passed_on(void **state)
{
	(void)state;
	kernel.caps_error = -ENOTTY;
	refused(-HPT_ENOTDEVICE);
	kernel.caps_error = -EINVAL;
	refused(-HPT_ENOTDEVICE);
	kernel.caps_error = -ENODEV; /* unplugged */
	refused(-ENODEV);
	assert_int_equal(kernel.n_extended, 0);
	kernel.caps_error = 0;
	kernel.extended_error = -EBUSY;
	refused(-EBUSY);
	kernel.extended_error = -EINVAL;
	refused(-EINVAL);
	kernel.extended_error = -EOPNOTSUPP;
	refused(-EOPNOTSUPP);
}

static void impossible_times_are_refused(void **state)
{
	static const int64_t secs[] = { -1, INT64_MIN, INT64_MAX, INT64_MAX / NS_PER_S };
	struct hpt_ptp_reading r = { 0 };

	(void)state;
	for (size_t i = 0; i < COUNT(secs) * 2; i++) {
		setup(NULL);
		kernel.is_precise = i & 1;
		kernel.bad_sec = secs[i / 2];
		refused(-ERANGE);
	}
	setup(NULL);
	kernel.bad_nsec = 1000000000;
	refused(-ERANGE);
	kernel.bad_nsec = 999999999;
	assert_int_equal(hpt_ptp_ask(FD, fake_ioctl, &r), 0);
	assert_int_equal(r.device_ns % NS_PER_S, 999999999);
}

static void other_files_are_no_device(void **state)
{
	static const struct {
		const char *path;
		int error;
	} rows[] = {
		{ "/nonexistent/ptp0", -ENOENT },
		{ "/dev/null/ptp0", -ENOTDIR },
		{ "/dev/null", -HPT_ENOTDEVICE },
		{ "/dev/zero", -HPT_ENOTDEVICE },
		{ "/tmp", -HPT_ENOTDEVICE },
		{ "/proc/self/exe", -HPT_ENOTDEVICE },
	};
	struct hpt_ptp_reading r, before;
	uint32_t files = open_files();

	(void)state;
	memset(&r, 0x5a, sizeof(r));
	memcpy(&before, &r, sizeof(r));
	for (size_t i = 0; i < COUNT(rows); i++) {
		int error = hpt_ptp_read(rows[i].path, &r);

		/* QEMU does not pass on ioctls that it does not know. */
		if (error != -ENOSYS || !is_emulated())
			assert_int_equal(error, rows[i].error);
		assert_memory_equal(&r, &before, sizeof(r));
	}
	assert_int_equal(open_files(), files);
}

/* A FIFO would block open(2). */
static void fifo_does_not_block(void **state)
{
	char path[] = "/tmp/hpt-ptp-XXXXXX";
	struct hpt_ptp_reading r;

	(void)state;
	close(mkstemp(path));
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(hpt_ptp_read(path, &r), -HPT_ENOTDEVICE);
	unlink(path);
}

static void live_device(void **state)
{
	struct hpt_ptp_reading r = { 0 };
	int64_t before_ns = kernel_raw_ns();
	struct stat st;
	int error;

	(void)state;
	if (stat("/dev/ptp0", &st))
		leave_out("no /dev/ptp0");
	error = hpt_ptp_read("/dev/ptp0", &r);
	if (error == -EACCES || error == -EPERM || error == -EOPNOTSUPP)
		leave_out("/dev/ptp0 cannot be read");
	assert_int_equal(error, 0);
	assert_true(before_ns <= r.raw_before_ns && r.raw_before_ns <= r.raw_after_ns);
	assert_true(r.raw_after_ns <= kernel_raw_ns() + 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(hardware_gives_one_moment, setup),
		cmocka_unit_test_setup(without_hardware_the_driver_brackets, setup),
		cmocka_unit_test_setup(old_kernels_are_bracketed_from_outside, setup),
		cmocka_unit_test_setup(times_of_another_namespace_are_not_mixed, setup),
		cmocka_unit_test_setup(slow_reads_are_repeated, setup),
		cmocka_unit_test_setup(errors_are_passed_on, setup),
		cmocka_unit_test_setup(impossible_times_are_refused, setup),
		cmocka_unit_test_setup(other_files_are_no_device, setup),
		cmocka_unit_test_setup(fifo_does_not_block, setup),
		cmocka_unit_test_setup(live_device, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
