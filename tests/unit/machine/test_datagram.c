// SPDX-License-Identifier: MIT
/* Datagrams to real sockets of this machine: addresses, answers, time-outs, and no leftovers. */
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "open_files.h"

#include "machine/datagram.h"
#include "machine/sys_clock.h"

#define NS_PER_MS INT64_C(1000000)

/* For what must not end a test by its time-out. */
#define LONG_NS (20 * INT64_C(1000000000))

static char folder[64];
static char at[128]; /* the server's address */

/* How the server answers. */
enum answer { ECHO, ONCE, SILENT, LONG, EMPTY, FOREIGN, LATE };

/* A late answer waits while this is set, too. */
static _Atomic bool is_held;

struct server {
	pthread_t thread;
	int fd;
	enum answer answer;
	struct sockaddr_un from; /* of the latest request */
	mode_t from_mode;        /* of that file */
	char got[64];
	ssize_t n_got;
	_Atomic uint32_t requests;
};

/* While this is set, a thread that has sent a request goes on when the answer lies there. */
static _Atomic bool waits_for_answers;

ssize_t send(int fd, const void *data, size_t size, int flags)
{
	ssize_t n = sendto(fd, data, size, flags, NULL, 0);
	struct pollfd ready = { .fd = fd, .events = POLLIN };

	if (n >= 0 && waits_for_answers)
		poll(&ready, 1, LONG_NS / NS_PER_MS);
	return n;
}

/* The length of the answer; -errno. */
static int ask_one(const char *address, const void *request, size_t length, void *ret, size_t size, int64_t timeout_ns)
{
	struct hpt_datagrams d = { 1, request, length, ret, size, { 0 } };
	int r = hpt_datagram_exchange(address, &d, timeout_ns);

	return r ? r : d.lengths[0];
}

static int64_t now_ns(void)
{
	int64_t ns = 0;

	assert_true(hpt_sys_clock_ns(CLOCK_MONOTONIC, &ns));
	return ns;
}

/* From a socket that was not asked. */
static void send_foreign(const struct sockaddr *to, socklen_t length)
{
	int fd = socket(to->sa_family, SOCK_DGRAM, 0);

	/* A connected Unix socket refuses it at once. */
	(void)!sendto(fd, "foreign", 7, 0, to, length);
	close(fd);
}

/* What cannot be sent is missing in the thread that asked. */
static void answer(struct server *s, const struct sockaddr *to, socklen_t length)
{
	static const char big[4096];

	if (s->answer == FOREIGN)
		send_foreign(to, length);
	if (s->answer == LATE) {
		usleep(20000);
		while (is_held)
			usleep(100);
	}
	if (s->answer == LONG)
		(void)!sendto(s->fd, big, sizeof(big), 0, to, length);
	else if (s->answer == EMPTY)
		(void)!sendto(s->fd, big, 0, 0, to, length);
	else if (s->answer != SILENT && !(s->answer == ONCE && s->requests > 1))
		(void)!sendto(s->fd, s->got, (size_t)s->n_got, 0, to, length);
}

static void *serve(void *arg)
{
	struct server *s = arg;
	union {
		struct sockaddr base;
		struct sockaddr_un un;
		struct sockaddr_in6 in6;
	} from;
	socklen_t length = sizeof(from);
	struct stat st;

	for (;;) {
		length = sizeof(from);
		memset(&from, 0, sizeof(from));
		s->n_got = recvfrom(s->fd, s->got, sizeof(s->got), 0, &from.base, &length);
		if (s->n_got == 4 && !memcmp(s->got, "stop", 4))
			return NULL;
		if (from.base.sa_family == AF_UNIX) {
			s->from = from.un;
			s->from_mode = stat(from.un.sun_path, &st) ? 0 : st.st_mode;
		}
		s->requests++;
		answer(s, &from.base, length);
	}
}

static void start_unix(struct server *s, enum answer how)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX };

	*s = (struct server){ .fd = socket(AF_UNIX, SOCK_DGRAM, 0), .answer = how };
	snprintf(at, sizeof(at), "%s/daemon.sock", folder);
	strcpy(un.sun_path, at);
	unlink(at);
	assert_int_equal(bind(s->fd, (struct sockaddr *)&un, sizeof(un)), 0);
	assert_int_equal(pthread_create(&s->thread, NULL, serve, s), 0);
}

static bool start_udp(struct server *s, int family, enum answer how)
{
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct sockaddr *addr = family == AF_INET ? (struct sockaddr *)&in : (struct sockaddr *)&in6;
	socklen_t length = family == AF_INET ? sizeof(in) : sizeof(in6);

	*s = (struct server){ .fd = socket(family, SOCK_DGRAM, 0), .answer = how };
	if (s->fd < 0 || bind(s->fd, addr, length) || getsockname(s->fd, addr, &length)) {
		close(s->fd);
		return false;
	}
	if (family == AF_INET)
		snprintf(at, sizeof(at), "127.0.0.1:%d", ntohs(in.sin_port));
	else
		snprintf(at, sizeof(at), "[::1]:%d", ntohs(in6.sin6_port));
	assert_int_equal(pthread_create(&s->thread, NULL, serve, s), 0);
	return true;
}

static void stop(struct server *s)
{
	char reply[8];

	(void)ask_one(at, "stop", 4, reply, sizeof(reply), NS_PER_MS);
	pthread_join(s->thread, NULL);
	close(s->fd);
}

/* Files in the folder, other than the daemon's. */
static int leavings(void)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	int n = 0;

	while ((entry = readdir(dir)))
		n += entry->d_name[0] != '.' && strcmp(entry->d_name, "daemon.sock");
	closedir(dir);
	return n;
}

static void check_echo(void)
{
	char reply[64] = "";
	uint32_t files = open_files();

	for (int i = 0; i < 50; i++) {
		char text[16];
		int n = snprintf(text, sizeof(text), "question %d", i);

		assert_int_equal(ask_one(at, text, (size_t)n, reply, sizeof(reply), LONG_NS), n);
		assert_memory_equal(reply, text, (size_t)n);
	}
	assert_int_equal(open_files(), files);
}

static void answers_come_back_by_udp(void **state)
{
	static const int families[] = { AF_INET, AF_INET6 };
	struct server s;

	(void)state;
	for (size_t i = 0; i < COUNT(families); i++) {
		if (!start_udp(&s, families[i], ECHO)) {
			note("left out: family %d", families[i]);
			continue;
		}
		check_echo();
		stop(&s);
	}
}

/* The daemon may have another user, and this process any umask. */
static void answers_come_back_by_a_path(void **state)
{
	mode_t mask = umask(077);
	struct server s;

	(void)state;
	start_unix(&s, ECHO);
	umask(0777);
	check_echo();
	umask(mask);
	assert_int_equal(s.from_mode, S_IFSOCK | 0666);
	assert_memory_equal(s.from.sun_path, folder, strlen(folder));
	stop(&s);
	assert_int_equal(leavings(), 0);
}

static void time_out_ends_and_leaves_nothing(void **state)
{
	struct server s;
	char reply[8] = "kept";

	(void)state;
	for (int i = 0; i < 2; i++) {
		int files;
		int64_t before_ns;

		if (i)
			start_unix(&s, SILENT);
		else
			assert_true(start_udp(&s, AF_INET, SILENT));
		files = open_files();
		before_ns = now_ns();
		assert_int_equal(ask_one(at, "x", 1, reply, sizeof(reply), 20 * NS_PER_MS), -ETIMEDOUT);
		assert_true(now_ns() - before_ns >= 20 * NS_PER_MS);
		assert_int_equal(ask_one(at, "x", 1, reply, sizeof(reply), 0), -ETIMEDOUT);
		assert_int_equal(ask_one(at, "x", 1, reply, sizeof(reply), -1), -ETIMEDOUT);
		assert_string_equal(reply, "kept");
		assert_int_equal(open_files(), files);
		assert_int_equal(leavings(), 0);
		stop(&s);
	}
}

/* The thread may have been off its processor for longer than the time-out, and the answer came in time. */
static void answer_that_lies_there_is_taken_late(void **state)
{
	static const int64_t timeouts_ns[] = { 0, -1, -LONG_NS };
	struct server s;
	char reply[8];
	int r;

	(void)state;
	for (size_t i = 0; i < 2 * COUNT(timeouts_ns); i++) {
		if (i % 2)
			start_unix(&s, ECHO);
		else
			assert_true(start_udp(&s, AF_INET, ECHO));
		waits_for_answers = true;
		r = ask_one(at, "lies", 4, reply, sizeof(reply), timeouts_ns[i / 2]);
		waits_for_answers = false;
		assert_int_equal(r, 4);
		assert_memory_equal(reply, "lies", 4);
		assert_int_equal(leavings(), 0);
		stop(&s);
	}
}

static void nobody_there(void **state)
{
	struct server s;
	char reply[8], path[128];

	(void)state;
	assert_true(start_udp(&s, AF_INET, ECHO));
	stop(&s);
	assert_int_equal(ask_one(at, "x", 1, reply, sizeof(reply), LONG_NS), -ECONNREFUSED);
	start_unix(&s, ECHO);
	stop(&s);
	assert_int_equal(ask_one(at, "x", 1, reply, sizeof(reply), LONG_NS), -ECONNREFUSED);
	unlink(at);
	assert_int_equal(ask_one(at, "x", 1, reply, sizeof(reply), LONG_NS), -ENOENT);
	snprintf(path, sizeof(path), "%s/regular", folder);
	close(open(path, O_CREAT | O_WRONLY, 0600));
	assert_int_equal(ask_one(path, "x", 1, reply, sizeof(reply), LONG_NS), -ECONNREFUSED);
	unlink(path);
	assert_int_equal(leavings(), 0);
}

static void long_and_empty_answers(void **state)
{
	char reply[17];
	struct server s;

	(void)state;
	memset(reply, 'x', sizeof(reply));
	assert_true(start_udp(&s, AF_INET, LONG));
	assert_int_equal(ask_one(at, "q", 1, reply, sizeof(reply) - 1, LONG_NS), 4096);
	assert_int_equal(reply[0], 0);
	assert_int_equal(reply[16], 'x');
	stop(&s);
	start_unix(&s, LONG);
	assert_int_equal(ask_one(at, "q", 1, reply, sizeof(reply) - 1, LONG_NS), 4096);
	assert_int_equal(reply[16], 'x');
	stop(&s);
	assert_true(start_udp(&s, AF_INET, EMPTY));
	assert_int_equal(ask_one(at, "q", 1, reply, sizeof(reply), LONG_NS), 0);
	stop(&s);
}

/* As many as fit an exchange, each answered by itself. */
static void several_are_sent_at_once(void **state)
{
	char requests[HPT_DATAGRAMS_MOST][3], replies[HPT_DATAGRAMS_MOST][4];
	struct server s;

	(void)state;
	for (int i = 0; i < 2 * HPT_DATAGRAMS_MOST; i++) {
		struct hpt_datagrams d = { 1 + i / 2, requests, 3, replies, 4, { 0 } };

		memset(replies, 'x', sizeof(replies));
		for (int k = 0; k < HPT_DATAGRAMS_MOST; k++)
			memcpy(requests[k], (char[]){ 'q', (char)('a' + i), (char)('a' + k) }, 3);
		if (i % 2)
			start_unix(&s, ECHO);
		else
			assert_true(start_udp(&s, AF_INET, ECHO));
		assert_int_equal(hpt_datagram_exchange(at, &d, LONG_NS), 0);
		assert_int_equal(s.requests, d.n);
		for (int k = 0; k < HPT_DATAGRAMS_MOST; k++) {
			assert_int_equal(d.lengths[k], k < d.n ? 3 : 0);
			assert_memory_equal(replies[k], k < d.n ? requests[k] : "xxx", 3);
			assert_int_equal(replies[k][3], 'x');
		}
		stop(&s);
	}
}

/* One answer of two is lost. */
static void one_that_is_missing_times_out(void **state)
{
	char replies[2][4] = { "", "" };
	struct hpt_datagrams d = { 2, "q1q2", 2, replies, 4, { 0 } };
	struct server s;

	(void)state;
	assert_true(start_udp(&s, AF_INET, ONCE));
	assert_int_equal(hpt_datagram_exchange(at, &d, 20 * NS_PER_MS), -ETIMEDOUT);
	assert_memory_equal(replies[0], "q1", 2);
	stop(&s);
}

/* Any process that learns the port or the path can send there. */
static void foreign_datagrams_are_not_taken(void **state)
{
	char reply[16];
	struct server s;

	(void)state;
	for (int i = 0; i < 2; i++) {
		if (i)
			start_unix(&s, FOREIGN);
		else
			assert_true(start_udp(&s, AF_INET, FOREIGN));
		for (int n = 0; n < 20; n++) {
			assert_int_equal(ask_one(at, "own", 3, reply, sizeof(reply), LONG_NS), 3);
			assert_memory_equal(reply, "own", 3);
		}
		stop(&s);
	}
}

static void address_forms(void **state)
{
	static const char *const wrong[] = {
		"", "127.0.0.1", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:99999999999",
		"127.0.0.1:65859", "127.0.0.1:4294967619", "127.0.0.1:32x", "127.0.0.1: 323", "127.0.0.1:+323",
		"127.0.0.1:-1", ":323", "localhost:323", "127.1:323", "[::1]", "[::1]:", "::1:323",
		"[::1:323", "::1]:323", "[]:323", "[127.0.0.1]:323", "127.0.0.1:323 ", "relative/path",
		"[0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000]:323", "256.0.0.1:323",
	};
	char reply[8], path[160];

	(void)state;
	for (size_t i = 0; i < COUNT(wrong); i++)
		if (ask_one(wrong[i], "x", 1, reply, sizeof(reply), NS_PER_MS) != -EINVAL)
			fail_msg("\"%s\"", wrong[i]);
	memset(path, 'p', sizeof(path));
	path[0] = '/';
	path[108] = '\0';
	assert_int_equal(ask_one(path, "x", 1, reply, sizeof(reply), NS_PER_MS), -EINVAL);
	path[107] = '\0';
	assert_int_equal(ask_one(path, "x", 1, reply, sizeof(reply), NS_PER_MS), -ENOENT);
}

/* The daemon's path fits, the own one in the same folder does not. */
static void folder_of_too_long_a_name(void **state)
{
	char reply[8], deep[105];
	struct sockaddr_un un = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM, 0);

	(void)state;
	snprintf(deep, sizeof(deep), "%s/", folder);
	while (strlen(deep) < 104)
		strcat(deep, "d");
	assert_int_equal(mkdir(deep, 0700), 0);
	snprintf(un.sun_path, sizeof(un.sun_path), "%s/s", deep);
	assert_int_equal(bind(fd, (struct sockaddr *)&un, sizeof(un)), 0);
	assert_int_equal(ask_one(un.sun_path, "x", 1, reply, sizeof(reply), LONG_NS), -ENAMETOOLONG);
	unlink(un.sun_path);
	assert_int_equal(rmdir(deep), 0);
	close(fd);
}

static _Atomic uint32_t signals;

static void count_signal(int sig)
{
	(void)sig;
	signals++;
}

static void *disturb(void *arg)
{
	for (int i = 0; i < 10; i++) {
		usleep(1000);
		pthread_kill(*(pthread_t *)arg, SIGUSR1);
	}
	is_held = false;
	return NULL;
}

static void signals_do_not_end_it(void **state)
{
	struct sigaction on = { .sa_handler = count_signal };
	pthread_t self = pthread_self(), other;
	struct server s;
	char reply[8];

	(void)state;
	sigaction(SIGUSR1, &on, NULL);
	is_held = true;
	assert_true(start_udp(&s, AF_INET, LATE));
	pthread_create(&other, NULL, disturb, &self);
	assert_int_equal(ask_one(at, "late", 4, reply, sizeof(reply), LONG_NS), 4);
	pthread_join(other, NULL);
	assert_true(signals > 0);
	stop(&s);
}

static _Atomic bool has_begun;

static void *ask_late(void *arg)
{
	char reply[8];

	has_begun = true;
	*(int *)arg = ask_one(at, "late", 4, reply, sizeof(reply), LONG_NS);
	pthread_testcancel();
	return NULL;
}

static void cancelled_thread_leaves_nothing(void **state)
{
	int files, r = 0;
	pthread_t thread;
	struct server s;
	void *result;

	(void)state;
	start_unix(&s, LATE);
	is_held = true;
	files = open_files();
	assert_int_equal(pthread_create(&thread, NULL, ask_late, &r), 0);
	while (!has_begun)
		usleep(100);
	pthread_cancel(thread);
	is_held = false;
	pthread_join(thread, &result);
	assert_ptr_equal(result, PTHREAD_CANCELED);
	assert_int_equal(open_files(), files);
	assert_int_equal(leavings(), 0);
	stop(&s);
}

/* A daemon that reads nothing: its queue fills, and then sending waits too. */
static void full_queue_times_out(void **state)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM, 0), r = 0;
	char reply[8];

	(void)state;
	snprintf(un.sun_path, sizeof(un.sun_path), "%s/full", folder);
	assert_int_equal(bind(fd, (struct sockaddr *)&un, sizeof(un)), 0);
	for (int i = 0; i < 600; i++) {
		r = ask_one(un.sun_path, "x", 1, reply, sizeof(reply), NS_PER_MS / 10);
		assert_int_equal(r, -ETIMEDOUT);
	}
	unlink(un.sun_path);
	close(fd);
	assert_int_equal(leavings(), 0);
}

static int make_folder(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/hpt-datagram-XXXXXX");
	return !mkdtemp(folder);
}

static int remove_folder(void **state)
{
	(void)state;
	snprintf(at, sizeof(at), "%s/daemon.sock", folder);
	unlink(at);
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_come_back_by_udp),
		cmocka_unit_test(answers_come_back_by_a_path),
		cmocka_unit_test(time_out_ends_and_leaves_nothing),
		cmocka_unit_test(answer_that_lies_there_is_taken_late),
		cmocka_unit_test(nobody_there),
		cmocka_unit_test(long_and_empty_answers),
		cmocka_unit_test(several_are_sent_at_once),
		cmocka_unit_test(one_that_is_missing_times_out),
		cmocka_unit_test(foreign_datagrams_are_not_taken),
		cmocka_unit_test(address_forms),
		cmocka_unit_test(folder_of_too_long_a_name),
		cmocka_unit_test(signals_do_not_end_it),
		cmocka_unit_test(cancelled_thread_leaves_nothing),
		cmocka_unit_test(full_queue_times_out),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
