/* SPDX-License-Identifier: MIT */
/* LD_PRELOAD for days of virtual time: lgpio's thread polls every millisecond, which is 86 million
 * wake-ups a day. Its short polls last 50 ms here; an edge still ends them at once. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <signal.h>
#include <time.h>

#define SHORT_NS 2000000
#define LONGER_NS 50000000

typedef int (*ppoll_t)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);

int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask)
{
	static ppoll_t libc_ppoll;
	const struct timespec longer = { .tv_sec = 0, .tv_nsec = LONGER_NS };

	if (!libc_ppoll)
		libc_ppoll = (ppoll_t)dlsym(RTLD_NEXT, "ppoll");
	if (timeout && timeout->tv_sec == 0 && timeout->tv_nsec <= SHORT_NS)
		timeout = &longer;
	return libc_ppoll(fds, count, timeout, mask);
}
