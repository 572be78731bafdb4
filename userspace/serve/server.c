// SPDX-License-Identifier: GPL-2.0-only
/*
 * One thread waits for connections, for signals, and for the process that makes a profile. A
 * connection that waits for a profile is suspended meanwhile.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clocks.h"
#include "base/notify.h"
#include "serve/agent_counters.h"
#include "serve/asked.h"
#include "serve/clients.h"
#include "serve/profile.h"
#include "serve/reply.h"
#include "serve/server.h"
#include "serve/socket.h"

/* all that come over loopback have one address: one client alone cannot take all places */
#define CLIENTS_OF_ONE	24
#define IDLE_SECONDS	5
#define REQUEST_BYTES	16384
#define TICK_MS		1000

static const char text_type[] = "text/plain; version=0.0.4; charset=utf-8";
static const char openmetrics_type[] =
	"application/openmetrics-text; version=1.0.0; charset=utf-8";

static const char page[] =
	"<!DOCTYPE html>\n<html lang=\"en\"><head><title>irqoff</title></head><body>\n"
	"<h1>irqoff</h1>\n"
	"<p><a href=\"" ASKED_METRICS_PATH "\">" ASKED_METRICS_PATH "</a>:\n"
	"metrics of this node's stalls</p>\n"
	"<p><a href=\"" ASKED_PROFILE_PATH "?seconds=60\">" ASKED_PROFILE_PATH "?seconds=60</a>:\n"
	"the stalls that ended in the last 60 seconds, for pprof</p>\n"
	"</body></html>\n";

struct server {
	const struct serve *serve;
	struct MHD_Daemon *daemon;
	struct clients clients;
	struct counters counters;
	struct profile profile;
	struct MHD_Connection *waiting;	/* for the profile; NULL: nobody is */
	bool resumed;			/* and is about to get it */
	bool ended;
};

/* how far a request is: what libmicrohttpd keeps for it points to one of these */
static char headers_read, answered;

static MHD_RESULT reply_metrics(struct server *server, struct MHD_Connection *connection)
{
	const char *accept = MHD_lookup_connection_value(connection, MHD_HEADER_KIND,
							 MHD_HTTP_HEADER_ACCEPT);
	enum metrics_format format = asked_format(accept);
	char *text = NULL;
	size_t len;
	FILE *out = or_exit(open_memstream(&text, &len));

	counters_print(&server->counters, out, format);
	if (fclose(out))
		exit(failed("out of memory"));
	return reply_text(connection, format == METRICS_TEXT ? text_type : openmetrics_type, text,
			  len);
}

static MHD_RESULT reply_page(struct MHD_Connection *connection)
{
	return reply_text(connection, "text/html; charset=utf-8", copy_text(page), strlen(page));
}

static MHD_RESULT reply_finished(struct server *server, struct MHD_Connection *connection)
{
	char *why, *lacks;
	MHD_RESULT result;
	int fd;

	why = profile_take(&server->profile, &fd, &lacks);
	server->waiting = NULL;
	server->resumed = false;
	if (!why) {
		result = reply_profile(connection, fd, lacks);
		free(lacks);
		return result;
	}
	note("%s", why);
	result = reply_sentence(connection, MHD_HTTP_INTERNAL_SERVER_ERROR, "%s", why);
	free(why);
	return result;
}

static MHD_RESULT begin_profile(struct server *server, struct MHD_Connection *connection)
{
	const char *text = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND,
						       "seconds");
	unsigned int seconds;

	if (!asked_seconds(text, &seconds))
		return reply_sentence(connection, MHD_HTTP_BAD_REQUEST,
				      "seconds takes a whole number from 1 to %u",
				      ASKED_SECONDS_MOST);
	if (server->waiting)
		return reply_sentence(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
				      "another profile is being made; try again");
	server->waiting = connection;
	profile_start(&server->profile, server->serve->directory, seconds);
	if (server->profile.done)
		return reply_finished(server, connection);
	clients_set(&server->clients, connection, 0);
	MHD_suspend_connection(connection);
	return MHD_YES;
}

static bool has_body(struct MHD_Connection *connection)
{
	const char *len = MHD_lookup_connection_value(connection, MHD_HEADER_KIND,
						      MHD_HTTP_HEADER_CONTENT_LENGTH);

	return (len && strcmp(len, "0")) ||
	       MHD_lookup_connection_value(connection, MHD_HEADER_KIND,
					   MHD_HTTP_HEADER_TRANSFER_ENCODING);
}

/* what is refused before anything else of it is read, so that its connection ends, too */
static MHD_RESULT check_headers(struct MHD_Connection *connection, const char *method)
{
	if (!asked_method(method))
		return reply_sentence(connection, MHD_HTTP_METHOD_NOT_ALLOWED,
				      "irqoff serve answers GET and HEAD");
	if (has_body(connection))
		return reply_sentence(connection, MHD_HTTP_BAD_REQUEST,
				      "irqoff serve takes no request with a body");
	return MHD_YES;
}

/* libmicrohttpd calls this when headers were read, when all was, and when it goes on */
static MHD_RESULT answer(void *context, struct MHD_Connection *connection, const char *path,
			 const char *method, const char *version, const char *body,
			 size_t *body_size, void **progress)
{
	struct server *server = context;

	(void)version;
	(void)body;
	(void)body_size;
	if (server->waiting == connection && server->resumed) {
		*progress = &answered;
		return reply_finished(server, connection);
	}
	if (!*progress) {
		*progress = &headers_read;
		return check_headers(connection, method);
	}
	/* it was resumed, and not by us */
	if (*progress == &answered)
		return MHD_YES;
	*progress = &answered;
	switch (asked_path(path)) {
	case ASKED_METRICS:
		return reply_metrics(server, connection);
	case ASKED_PROFILE:
		return begin_profile(server, connection);
	case ASKED_INDEX:
		return reply_page(connection);
	default:
		return reply_sentence(connection, MHD_HTTP_NOT_FOUND,
				      "there are " ASKED_METRICS_PATH " and " ASKED_PROFILE_PATH);
	}
}

static void drop_profile(struct server *server)
{
	char *lacks;
	int fd;

	profile_stop(&server->profile);
	free(profile_take(&server->profile, &fd, &lacks));
	free(lacks);
	if (fd >= 0)
		close(fd);
	server->waiting = NULL;
	server->resumed = false;
}

/* a request is over, also where its client went before there was an answer */
static void on_completed(void *context, struct MHD_Connection *connection, void **progress,
			 enum MHD_RequestTerminationCode how)
{
	struct server *server = context;

	(void)progress;
	(void)how;
	if (server->waiting == connection)
		drop_profile(server);
	clients_set(&server->clients, connection, clock_monotonic_ns());
}

static void on_connection(void *context, struct MHD_Connection *connection, void **unused,
			  enum MHD_ConnectionNotificationCode what)
{
	struct server *server = context;
	const union MHD_ConnectionInfo *info;

	(void)unused;
	if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
		clients_remove(&server->clients, connection);
		return;
	}
	info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
	if (info)
		clients_add(&server->clients, connection, info->connect_fd, clock_monotonic_ns());
}

/* no path and no number that is served has to be escaped, so an escape is a wrong one */
static size_t leave_escaped(void *context, struct MHD_Connection *connection, char *text)
{
	(void)context;
	(void)connection;
	return strlen(text);
}

static int start(struct server *server, int fd)
{
	server->daemon = MHD_start_daemon(MHD_USE_EPOLL | MHD_USE_SUSPEND_RESUME, 0, NULL, NULL,
					  answer, server,
					  MHD_OPTION_LISTEN_SOCKET, fd,
					  MHD_OPTION_CONNECTION_LIMIT, CLIENTS_MOST,
					  MHD_OPTION_PER_IP_CONNECTION_LIMIT, CLIENTS_OF_ONE,
					  MHD_OPTION_CONNECTION_TIMEOUT, IDLE_SECONDS,
					  MHD_OPTION_CONNECTION_MEMORY_LIMIT,
					  (size_t)REQUEST_BYTES,
					  MHD_OPTION_UNESCAPE_CALLBACK, leave_escaped, server,
					  MHD_OPTION_NOTIFY_COMPLETED, on_completed, server,
					  MHD_OPTION_NOTIFY_CONNECTION, on_connection, server,
					  MHD_OPTION_END);
	return server->daemon ? EXIT_DONE : failed("could not serve: %s", strerror(errno));
}

/* signals come as messages; the reader of captures gets none of it */
static int block_signals(void)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGCHLD);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	signal(SIGPIPE, SIG_IGN);
	return signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void take_signals(struct server *server, int fd)
{
	struct signalfd_siginfo signal;

	while (read(fd, &signal, sizeof(signal)) == sizeof(signal))
		if (signal.ssi_signo != SIGCHLD)
			server->ended = true;
}

static int wait_ms(const struct server *server)
{
	MHD_UNSIGNED_LONG_LONG ms;

	if (MHD_get_timeout(server->daemon, &ms) != MHD_YES)
		return server->clients.count ? TICK_MS : -1;
	return ms > TICK_MS ? TICK_MS : ms;
}

static void resume(struct server *server)
{
	if (!server->waiting || !server->profile.done || server->resumed)
		return;
	server->resumed = true;
	clients_set(&server->clients, server->waiting, clock_monotonic_ns());
	MHD_resume_connection(server->waiting);
}

static int loop(struct server *server, int signals)
{
	const union MHD_DaemonInfo *info = MHD_get_daemon_info(server->daemon,
							       MHD_DAEMON_INFO_EPOLL_FD);
	struct pollfd all[] = {
		{ .fd = info ? info->epoll_fd : -1, .events = POLLIN },
		{ .fd = signals, .events = POLLIN },
	};

	while (!server->ended) {
		if (poll(all, ARRAY_SIZE(all), wait_ms(server)) < 0 && errno != EINTR)
			return failed("could not wait: %s", strerror(errno));
		take_signals(server, signals);
		profile_limit(&server->profile, clock_monotonic_ns());
		profile_reap(&server->profile);
		resume(server);
		clients_limit(&server->clients, clock_monotonic_ns());
		if (MHD_run(server->daemon) != MHD_YES)
			return failed("could not serve: %s", strerror(errno));
	}
	return EXIT_DONE;
}

/* a suspended connection cannot be ended */
static void stop(struct server *server)
{
	profile_stop(&server->profile);
	resume(server);
	MHD_run(server->daemon);
	MHD_stop_daemon(server->daemon);
	free(server->counters.why);
}

/**
 * server_run() - serve until SIGTERM or SIGINT
 * @serve: what is asked for
 *
 * Return: an exit status.
 */
int server_run(const struct serve *serve)
{
	struct server server = {
		.serve = serve,
		.counters.path = serve->state,
		.profile = { .out = -1, .err = -1 },
	};
	int signals, fd, ret = socket_open(serve, &fd);

	if (ret)
		return ret;
	signals = block_signals();
	ret = start(&server, fd);
	if (ret)
		return ret;
	notify("READY=1\nSTATUS=answering");
	ret = loop(&server, signals);
	notify("STOPPING=1");
	stop(&server);
	return ret;
}
