// SPDX-License-Identifier: MIT
/*
 * A library that has functions of the C library of its own. Each is there if its name is defined after OWN_, and ends
 * at once, as with fibres or time that is skipped. nap() sleeps as a library does that calls its own, or thinks so.
 */
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

int __nanosleep(const struct timespec *length, struct timespec *rem);
int __select(int n, fd_set *in, fd_set *out, fd_set *other, struct timeval *length);
int __poll(struct pollfd *fds, nfds_t n, int ms);
int __poll_chk(struct pollfd *fds, nfds_t n, int ms, size_t fds_bytes);
int __ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *length, const sigset_t *mask, size_t fds_bytes);
int nap(void);

static int skipped;

static inline __attribute__((unused)) int skip(void)
{
	skipped++;
	return 0;
}

#ifdef OWN_nanosleep
int nanosleep(const struct timespec *length, struct timespec *rem) { (void)length, (void)rem; return skip(); }
#endif
#ifdef OWN___nanosleep
int __nanosleep(const struct timespec *length, struct timespec *rem) { (void)length, (void)rem; return skip(); }
#endif
#ifdef OWN_clock_nanosleep
int clock_nanosleep(clockid_t id, int flags, const struct timespec *time, struct timespec *rem)
{
	(void)id, (void)flags, (void)time, (void)rem;
	return skip();
}
#endif
#ifdef OWN_usleep
int usleep(useconds_t us) { (void)us; return skip(); }
#endif
#ifdef OWN_sleep
unsigned sleep(unsigned s) { (void)s; return (unsigned)skip(); }
#endif
#ifdef OWN_thrd_sleep
int thrd_sleep(const struct timespec *length, struct timespec *rem) { (void)length, (void)rem; return skip(); }
#endif
#ifdef OWN_select
int select(int n, fd_set *in, fd_set *out, fd_set *other, struct timeval *length)
{
	(void)n, (void)in, (void)out, (void)other, (void)length;
	return skip();
}
#endif
#ifdef OWN___select
int __select(int n, fd_set *in, fd_set *out, fd_set *other, struct timeval *length)
{
	(void)n, (void)in, (void)out, (void)other, (void)length;
	return skip();
}
#endif
#ifdef OWN_pselect
int pselect(int n, fd_set *in, fd_set *out, fd_set *other, const struct timespec *length, const sigset_t *mask)
{
	(void)n, (void)in, (void)out, (void)other, (void)length, (void)mask;
	return skip();
}
#endif
#ifdef OWN_poll
int poll(struct pollfd *fds, nfds_t n, int ms) { (void)fds, (void)n, (void)ms; return skip(); }
#endif
#ifdef OWN___poll
int __poll(struct pollfd *fds, nfds_t n, int ms) { (void)fds, (void)n, (void)ms; return skip(); }
#endif
#ifdef OWN___poll_chk
int __poll_chk(struct pollfd *fds, nfds_t n, int ms, size_t fds_bytes)
{
	(void)fds, (void)n, (void)ms, (void)fds_bytes;
	return skip();
}
#endif
#ifdef OWN_ppoll
int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *length, const sigset_t *mask)
{
	(void)fds, (void)n, (void)length, (void)mask;
	return skip();
}
#endif
#ifdef OWN___ppoll_chk
int __ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *length, const sigset_t *mask, size_t fds_bytes)
{
	(void)fds, (void)n, (void)length, (void)mask, (void)fds_bytes;
	return skip();
}
#endif

#ifdef OWN_epoll_wait
int epoll_wait(int epfd, struct epoll_event *events, int max, int ms)
{
	(void)epfd, (void)events, (void)max, (void)ms;
	return skip();
}
#endif
#ifdef OWN_epoll_pwait
int epoll_pwait(int epfd, struct epoll_event *events, int max, int ms, const sigset_t *mask)
{
	(void)epfd, (void)events, (void)max, (void)ms, (void)mask;
	return skip();
}
#endif
#ifdef OWN_epoll_pwait2
int epoll_pwait2(int epfd, struct epoll_event *events, int max, const struct timespec *length, const sigset_t *mask);

int epoll_pwait2(int epfd, struct epoll_event *events, int max, const struct timespec *length, const sigset_t *mask)
{
	(void)epfd, (void)events, (void)max, (void)length, (void)mask;
	return skip();
}
#endif
#ifdef OWN_sem_timedwait
int sem_timedwait(sem_t *sem, const struct timespec *until) { (void)sem, (void)until; return skip(); }
#endif
#ifdef OWN_sem_clockwait
int sem_clockwait(sem_t *sem, clockid_t id, const struct timespec *until);

int sem_clockwait(sem_t *sem, clockid_t id, const struct timespec *until)
{
	(void)sem, (void)id, (void)until;
	return skip();
}
#endif
#ifdef OWN_pthread_cond_timedwait
int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *until)
{
	(void)cond, (void)mutex, (void)until;
	return skip();
}
#endif
#ifdef OWN_pthread_cond_clockwait
int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t id, const struct timespec *until);

int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t id, const struct timespec *until)
{
	(void)cond, (void)mutex, (void)id, (void)until;
	return skip();
}
#endif
#ifdef OWN_cnd_timedwait
int cnd_timedwait(cnd_t *cnd, mtx_t *mtx, const struct timespec *until)
{
	(void)cnd, (void)mtx, (void)until;
	return skip();
}
#endif
#ifdef OWN_syscall
long syscall(long number, ...) { (void)number; return skip(); }
#endif

/* The time of another day. */
#ifdef OWN_clock_gettime
int clock_gettime(clockid_t id, struct timespec *ret)
{
	(void)id;
	*ret = (struct timespec){ .tv_sec = 86400 };
	return skip();
}
#endif

/* Those that are no waits have another result than the C library's. */
#define ANOTHER 77

#ifdef OWN_pthread_cond_signal
int pthread_cond_signal(pthread_cond_t *cond) { (void)cond; return ANOTHER; }
#endif
#ifdef OWN_prctl
int prctl(int option, ...);

int prctl(int option, ...) { (void)option; return ANOTHER; }
#endif

/* In the other direction: a sleep by another function, which the program gets from another object. */
#ifdef OWN_through_nanosleep
int clock_nanosleep(clockid_t id, int flags, const struct timespec *time, struct timespec *rem)
{
	struct timespec now, length = *time;

	if (flags & TIMER_ABSTIME) {
		clock_gettime(id, &now);
		length.tv_sec -= now.tv_sec;
		length.tv_nsec -= now.tv_nsec;
		if (length.tv_nsec < 0) {
			length.tv_nsec += 1000000000;
			length.tv_sec--;
		}
		if (length.tv_sec < 0)
			return 0;
	}
	return nanosleep(&length, rem) ? errno : 0;
}
#endif

/* Passes calls on, as preloaded objects do. */
#ifdef OWN_forwarding
int nanosleep(const struct timespec *length, struct timespec *rem)
{
	int (*next)(const struct timespec *length, struct timespec *rem);
	void *found = dlsym(RTLD_NEXT, "nanosleep");

	memcpy(&next, &found, sizeof(next));
	return next(length, rem);
}
#endif

/* How many sleeps were skipped. */
int nap(void)
{
	struct timespec ms = { .tv_nsec = 1000000 };

	nanosleep(&ms, NULL);
	return skipped;
}
