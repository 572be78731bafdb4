// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/clocks.h"
#include "base/notify.h"
#include "base/say.h"
#include "base/units.h"
#include "model/ignored.h"
#include "model/knob_words.h"
#include "source/listen.h"
#include "source/loop.h"

/* a timer that only tells when the wall clock is set ends so late: in the year 2262 */
#define LATE_S		(~0ULL / 2 / NSEC_PER_SEC)

static void go_away(struct loop *loop)
{
	source_close(loop->following.source);
	loop->following.source = NULL;
	loop->follow->due_ns = FOLLOW_NEVER;
}

static void gone(struct loop *loop)
{
	notify("STATUS=waiting for the module trace_irqoff");
	loop->state = NULL;
	go_away(loop);
	observers_gone(&loop->follow->observers);
}

/* a module that goes while it is asked will be told of as gone */
static int unless_gone(struct loop *loop, int ret)
{
	if (ret != FOLLOW_GONE)
		return ret;
	go_away(loop);
	return EXIT_DONE;
}

/* settings of the module; where it goes meanwhile, that will be told of */
static int set(struct loop *loop, const struct knobs *knobs)
{
	int ret;

	say_where(loop->knobs_file, 0);
	ret = source_set(loop->following.source, knobs);
	say_where(NULL, 0);
	return ret && source_absent() ? FOLLOW_GONE : ret;
}

static void tell_state(struct loop *loop)
{
	const char *state = loop->follow->enabled ? "recording stalls" :
			    "the module is not enabled; irqoff start enables it";

	if (state != loop->state)
		notify("STATUS=%s", state);
	loop->state = state;
}

static void tell_ignored(void)
{
	char names[IGNORED_LEN];

	ignored_read(names);
	if (*names)
		note("the module was loaded without %s: the kernel knows no such parameter of it",
		     names);
}

/* the module's group was joined */
static int begin(struct loop *loop)
{
	int ret = loop->knobs ? set(loop, loop->knobs) : EXIT_DONE;

	if (!ret)
		ret = observers_found(&loop->follow->observers);
	if (!ret)
		ret = follow_begin(loop->follow, clock_monotonic_ns());
	if (!ret)
		tell_state(loop);
	if (!ret && loop->waits)
		tell_ignored();
	return unless_gone(loop, ret);
}

/* who began to watch stops before the last records are read, so that none comes behind them */
static void stop_watching(struct loop *loop)
{
	struct knobs off = { .given[TIO_KNOB_ENABLE] = true };

	if (loop->knobs && loop->knobs->numbers[TIO_KNOB_ENABLE] && loop->following.source)
		set(loop, &off);
}

/* finds the module that is loaded now, joins its group, and then asks */
static int find_again(struct loop *loop)
{
	int ret;

	go_away(loop);
	if (source_open(&loop->following.source)) {
		gone(loop);
		return EXIT_DONE;
	}
	ret = listen_join(loop->listener, loop->following.source);
	if (ret == FOLLOW_GONE) {
		gone(loop);
		return EXIT_DONE;
	}
	return ret ? ret : begin(loop);
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
			gone(loop);
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

	while (read(loop->fds[LOOP_SIGNALS].fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo != SIGCHLD)
			loop->stop = true;
		else
			observers_child(&loop->follow->observers);
	}
}

/* the kernel fails a read once the clock was set, until the timer is set again */
static void set_clock_timer(struct loop *loop)
{
	const struct itimerspec late = { .it_value.tv_sec = LATE_S };

	timerfd_settime(loop->fds[LOOP_CLOCK].fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET,
			&late, NULL);
}

static void look_at_clock(struct loop *loop)
{
	__u64 expired;

	if (read(loop->fds[LOOP_CLOCK].fd, &expired, sizeof(expired)) >= 0 || errno != ECANCELED)
		return;
	set_clock_timer(loop);
	observers_clock_set(&loop->follow->observers);
}

/* nobody reads what is printed any more: that is an end like others */
static void lose_output(struct loop *loop)
{
	loop->over = true;
	if (!freopen("/dev/null", "w", stdout))
		clearerr(stdout);
}

static int timeout_ms(const struct loop *loop, __u64 now_ns)
{
	__u64 at_ns = loop->follow->due_ns < loop->end_ns ? loop->follow->due_ns : loop->end_ns;
	__u64 ms;

	if (loop->next_ns < at_ns)
		at_ns = loop->next_ns;
	if (at_ns == FOLLOW_NEVER)
		return -1;
	if (at_ns <= now_ns)
		return 0;
	ms = (at_ns - now_ns + NSEC_PER_MSEC - 1) / NSEC_PER_MSEC;
	return ms < 1000000000 ? ms : 1000000000;
}

static int wait_once(struct loop *loop)
{
	struct pollfd *fds = loop->fds;

	if (poll(fds, LOOP_FDS, timeout_ms(loop, clock_monotonic_ns())) < 0 && errno != EINTR)
		return failed("could not wait for stalls: %s", strerror(errno));
	if (fds[LOOP_SIGNALS].revents)
		take_signals(loop);
	if (fds[LOOP_CLOCK].revents)
		look_at_clock(loop);
	/* a descriptor that is none is nobody's */
	if (fds[LOOP_OUTPUT].revents & POLLNVAL)
		fds[LOOP_OUTPUT].fd = -1;
	else if (fds[LOOP_OUTPUT].revents)
		lose_output(loop);
	return fds[LOOP_NETLINK].revents ? hear(loop) : EXIT_DONE;
}

static int check_output(struct loop *loop)
{
	if (!loop->to_stdout || !ferror(stdout))
		return EXIT_DONE;
	if (errno != EPIPE)
		return failed("could not write the output: %s", strerror(errno));
	lose_output(loop);
	return EXIT_DONE;
}

static bool done(struct loop *loop)
{
	return loop->over || observers_done(&loop->follow->observers);
}

static int go_on(struct loop *loop)
{
	__u64 now_ns = clock_monotonic_ns();
	int ret = EXIT_DONE;

	loop->stop |= now_ns >= loop->end_ns;
	loop->next_ns = FOLLOW_NEVER;
	if (loop->stop)
		stop_watching(loop);
	if (loop->stop)
		observers_ending(&loop->follow->observers);
	if (loop->following.source && (loop->stop || now_ns >= loop->follow->due_ns))
		ret = unless_gone(loop, follow_read(loop->follow, now_ns, loop->stop));
	if (loop->following.source && !loop->stop)
		tell_state(loop);
	if (!ret)
		ret = observers_due(&loop->follow->observers, now_ns, loop->stop,
				    &loop->next_ns);
	if (!ret)
		ret = check_output(loop);
	loop->over |= loop->stop;
	return ret;
}

static int catch_signals(struct loop *loop)
{
	static const int caught[] = { SIGINT, SIGTERM, SIGCHLD };
	struct sigaction hangup;
	sigset_t signals;

	sigemptyset(&signals);
	for (unsigned int i = 0; i < ARRAY_SIZE(caught); i++)
		sigaddset(&signals, caught[i]);
	/* nohup(1) has it ignored; a blocked signal would come all the same */
	if (!sigaction(SIGHUP, NULL, &hangup) && hangup.sa_handler != SIG_IGN)
		sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	signal(SIGPIPE, SIG_IGN);
	loop->fds[LOOP_SIGNALS] = (struct pollfd){
		.fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK),
		.events = POLLIN,
	};
	if (loop->fds[LOOP_SIGNALS].fd < 0)
		return failed("could not wait for signals: %s", strerror(errno));
	return EXIT_DONE;
}

static int catch_clock(struct loop *loop)
{
	if (!observers_have_clock_set(&loop->follow->observers))
		return EXIT_DONE;
	loop->fds[LOOP_CLOCK] = (struct pollfd){
		.fd = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK),
		.events = POLLIN,
	};
	if (loop->fds[LOOP_CLOCK].fd < 0)
		return failed("could not wait for the clock: %s", strerror(errno));
	set_clock_timer(loop);
	return EXIT_DONE;
}

static void wait_for_module(struct loop *loop)
{
	char *reason = source_absent_reason();
	const char *what = reason ?: loop->knobs ? "modprobe trace_irqoff loads it" :
			   "modprobe trace_irqoff enable=1 loads it, and watches";

	note("the module trace_irqoff is not loaded; irqoff waits until it is; %s", what);
	notify("STATUS=waiting for the module trace_irqoff; %s", what);
	free(reason);
}

/* whoever listens before they look misses no module */
static int find_first(struct loop *loop)
{
	int ret;

	if (loop->waits && source_absent()) {
		go_away(loop);
		return listen_right();
	}
	ret = source_open(&loop->following.source);
	if (ret)
		return ret;
	ret = listen_join(loop->listener, loop->following.source);
	if (ret != FOLLOW_GONE)
		return ret;
	go_away(loop);
	return loop->waits ? EXIT_DONE : failed("the module trace_irqoff was unloaded just now");
}

/**
 * loop_open() - find the module, and begin to listen
 * @loop: what its caller sets is set; ends with loop_close() whatever is returned
 *
 * From here on signals that end the program end the loop instead.
 *
 * Return: an exit status.
 */
int loop_open(struct loop *loop)
{
	int ret;

	for (int i = 0; i < LOOP_FDS; i++)
		loop->fds[i].fd = -1;
	loop->next_ns = FOLLOW_NEVER;
	ret = listen_open(&loop->listener);
	if (!ret)
		ret = find_first(loop);
	if (!ret)
		ret = catch_signals(loop);
	if (!ret)
		ret = catch_clock(loop);
	if (ret)
		return ret;
	loop->fds[LOOP_NETLINK] = (struct pollfd){
		.fd = listen_fd(loop->listener),
		.events = POLLIN,
	};
	if (loop->to_stdout)
		loop->fds[LOOP_OUTPUT].fd = STDOUT_FILENO;
	loop->follow->source = source_follow(&loop->following);
	return EXIT_DONE;
}

/**
 * loop_run() - follow the module until there is a reason to end
 * @loop: from loop_open()
 *
 * Return: an exit status.
 */
int loop_run(struct loop *loop)
{
	int ret = EXIT_DONE;

	if (loop->following.source)
		ret = begin(loop);
	else
		wait_for_module(loop);
	if (!ret)
		notify("READY=1");
	while (!ret && !done(loop)) {
		ret = wait_once(loop);
		if (!ret && !done(loop))
			ret = go_on(loop);
	}
	return ret;
}

void loop_close(struct loop *loop)
{
	listen_close(loop->listener);
	source_close(loop->following.source);
	if (loop->fds[LOOP_SIGNALS].fd >= 0)
		close(loop->fds[LOOP_SIGNALS].fd);
	if (loop->fds[LOOP_CLOCK].fd >= 0)
		close(loop->fds[LOOP_CLOCK].fd);
}
