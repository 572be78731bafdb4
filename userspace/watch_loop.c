// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sleeps until the kernel tells of something, a signal comes, the reader of the output goes,
 * or a moment has come that was set before. Without a stall none is set, but for --for.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "clock.h"
#include "listen.h"
#include "say.h"
#include "source.h"
#include "units.h"
#include "watch.h"

enum { NETLINK, SIGNALS, OUTPUT, FDS };

struct loop {
	struct watch *watch;
	struct follow *follow;
	struct following following;
	struct listener *listener;
	struct pollfd fds[FDS];
	__u64 end_ns;		/* of the monotonic clock */
	bool stop;		/* a signal, or the time is over */
	bool missed;
	bool came;
};

static void go_away(struct loop *loop)
{
	source_close(loop->following.source);
	loop->following.source = NULL;
	loop->follow->due_ns = FOLLOW_NEVER;
}

/* a module that goes while it is asked will be told of as gone */
static int unless_gone(struct loop *loop, int ret)
{
	if (ret != FOLLOW_GONE)
		return ret;
	go_away(loop);
	return EXIT_DONE;
}

/* finds the module that is loaded now, joins its group, and then asks */
static int find_again(struct loop *loop)
{
	int ret;

	go_away(loop);
	if (source_open(&loop->following.source))
		return EXIT_DONE;
	ret = listen_join(loop->listener, loop->following.source);
	if (!ret)
		ret = unless_gone(loop, follow_begin(loop->follow, clock_monotonic_ns()));
	return ret;
}

static int hear(struct loop *loop)
{
	struct wake wake;
	enum heard heard;

	while ((heard = listen_next(loop->listener, &wake))) {
		switch (heard) {
		case HEARD_WAKE:
			follow_wake(loop->follow, &wake, clock_monotonic_ns());
			break;
		case HEARD_CAME:
			loop->came = true;
			break;
		case HEARD_WENT:
			loop->came = false;
			go_away(loop);
			watch_gone(loop->watch);
			break;
		case HEARD_MISSED:
			loop->missed = true;
			break;
		default:
			return EXIT_FAILED;
		}
		free(wake.news);
	}
	if (!loop->came && !loop->missed)
		return EXIT_DONE;
	/* what was missed may be that the module went and came */
	loop->came = false;
	loop->missed = false;
	return find_again(loop);
}

static void take_signals(struct loop *loop)
{
	struct signalfd_siginfo info;

	while (read(loop->fds[SIGNALS].fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			hook_ended(&loop->watch->hook);
		else
			loop->stop = true;
	}
}

/* nobody reads what is printed any more: that is an end like others */
static void lose_output(struct loop *loop)
{
	loop->watch->done = true;
	if (!freopen("/dev/null", "w", stdout))
		clearerr(stdout);
}

static int timeout_ms(const struct loop *loop, __u64 now_ns)
{
	__u64 at_ns = loop->follow->due_ns < loop->end_ns ? loop->follow->due_ns : loop->end_ns;
	__u64 ms;

	if (at_ns == FOLLOW_NEVER)
		return -1;
	if (at_ns <= now_ns)
		return 0;
	ms = (at_ns - now_ns + NSEC_PER_MSEC - 1) / NSEC_PER_MSEC;
	return ms < 1000000000 ? ms : 1000000000;
}

static int wait_once(struct loop *loop)
{
	if (poll(loop->fds, FDS, timeout_ms(loop, clock_monotonic_ns())) < 0 && errno != EINTR)
		return failed("could not wait for stalls: %s", strerror(errno));
	if (loop->fds[SIGNALS].revents)
		take_signals(loop);
	/* a descriptor that is none is nobody's */
	if (loop->fds[OUTPUT].revents & POLLNVAL)
		loop->fds[OUTPUT].fd = -1;
	else if (loop->fds[OUTPUT].revents)
		lose_output(loop);
	if (loop->fds[NETLINK].revents)
		return hear(loop);
	return EXIT_DONE;
}

static int go_on(struct loop *loop)
{
	__u64 now_ns = clock_monotonic_ns();
	bool last;
	int ret;

	loop->stop |= now_ns >= loop->end_ns;
	last = loop->stop;
	if (!last && now_ns < loop->follow->due_ns)
		return EXIT_DONE;
	ret = loop->following.source ? follow_read(loop->follow, now_ns, last) : EXIT_DONE;
	if (ferror(stdout) && errno == EPIPE)
		lose_output(loop);
	else if (ferror(stdout))
		return failed("could not write the output: %s", strerror(errno));
	loop->watch->done |= last;
	return unless_gone(loop, ret);
}

static int catch_signals(struct loop *loop)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGCHLD);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	signal(SIGPIPE, SIG_IGN);
	loop->fds[SIGNALS] = (struct pollfd){
		.fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK),
		.events = POLLIN,
	};
	if (loop->fds[SIGNALS].fd < 0)
		return failed("could not wait for signals: %s", strerror(errno));
	return EXIT_DONE;
}

/* the moment at which it ends by itself */
static __u64 end_of(const struct watch *watch)
{
	__u64 now_ns = clock_monotonic_ns(), wall_ns = watch->filter.now_ns;
	__u64 end_ns = watch->for_ns ? now_ns + watch->for_ns : FOLLOW_NEVER;

	if (watch->until_ns != ~0ULL && now_ns + (watch->until_ns - wall_ns) < end_ns)
		end_ns = now_ns + (watch->until_ns - wall_ns);
	return end_ns;
}

static int begin(struct loop *loop)
{
	int ret = source_open(&loop->following.source);

	if (!ret)
		ret = listen_open(&loop->listener, loop->following.source);
	if (!ret)
		ret = catch_signals(loop);
	if (ret)
		return ret;
	loop->fds[NETLINK] = (struct pollfd){ .fd = listen_fd(loop->listener), .events = POLLIN };
	loop->fds[OUTPUT] = (struct pollfd){ .fd = STDOUT_FILENO };
	loop->end_ns = end_of(loop->watch);
	loop->follow->source = source_follow(&loop->following);
	loop->watch->hidden = &loop->following.names;
	watch_head(loop->watch);
	return unless_gone(loop, follow_begin(loop->follow, clock_monotonic_ns()));
}

/**
 * watch_loop() - follow the module until there is a reason to end
 * @watch: what is wanted
 * @follow: its sink is @watch; its source is set here
 *
 * Return: an exit status.
 */
int watch_loop(struct watch *watch, struct follow *follow)
{
	struct loop loop = { .watch = watch, .follow = follow, .fds[SIGNALS] = { .fd = -1 } };
	int ret = begin(&loop);

	while (!ret && !watch->done) {
		ret = wait_once(&loop);
		if (!ret && !watch->done)
			ret = go_on(&loop);
	}
	listen_close(loop.listener);
	source_close(loop.following.source);
	if (loop.fds[SIGNALS].fd >= 0)
		close(loop.fds[SIGNALS].fd);
	return ret ? ret : watch_end(watch);
}
