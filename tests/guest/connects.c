// SPDX-License-Identifier: GPL-2.0-only
/*
 * connects ADDRESS PORT COUNT MS [OTHERS]: connects COUNT times in a row, with pauses of MS, and
 * prints a table of comma-separated values: when each connect(2) began, in seconds since the
 * epoch, and how long it took. OTHERS processes do the same, COUNT times each.
 *
 * connects PORT: accepts connections at that port and drops them
 */
#include <arpa/inet.h>
#include <err.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NSEC_PER_SEC	1000000000LL

static long long now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return time.tv_sec * NSEC_PER_SEC + time.tv_nsec;
}

static int tcp(void)
{
	int sock = socket(AF_INET, SOCK_STREAM, 0);

	if (sock < 0)
		err(1, "socket");
	return sock;
}

static void serve(const char *port)
{
	const struct sockaddr_in at = {
		.sin_family = AF_INET,
		.sin_port = htons(atoi(port)),
	};
	int sock = tcp();

	/* closed without a reset, which would overtake the end of a connect() on the other side */
	if (bind(sock, (const struct sockaddr *)&at, sizeof(at)) || listen(sock, 1024))
		err(1, "listen");
	for (;;)
		close(accept(sock, NULL, NULL));
}

static void connect_once(const struct sockaddr_in *to)
{
	long long epoch_ns, from_ns, took_ns;
	/* a reset instead of TIME_WAIT, so that there are always ports */
	const struct linger reset = { .l_onoff = 1 };
	int sock = tcp();

	if (setsockopt(sock, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset)))
		err(1, "SO_LINGER");
	epoch_ns = now(CLOCK_REALTIME);
	from_ns = now(CLOCK_MONOTONIC);
	if (connect(sock, (const struct sockaddr *)to, sizeof(*to)))
		err(1, "connect");
	took_ns = now(CLOCK_MONOTONIC) - from_ns;
	close(sock);
	printf("%lld.%06lld,%lld.%06lld\n", epoch_ns / NSEC_PER_SEC, epoch_ns % NSEC_PER_SEC / 1000,
	       took_ns / NSEC_PER_SEC, took_ns % NSEC_PER_SEC / 1000);
}

int main(int argc, char **argv)
{
	struct sockaddr_in to = { .sin_family = AF_INET };
	int others;

	if (argc == 2)
		serve(argv[1]);
	if (argc < 5 || argc > 6 || !inet_aton(argv[1], &to.sin_addr))
		errx(2, "usage: connects ADDRESS PORT COUNT MS [OTHERS], or connects PORT");
	to.sin_port = htons(atoi(argv[2]));
	setvbuf(stdout, NULL, _IOLBF, 0);
	puts("time,latency_s");
	others = argc == 6 ? atoi(argv[5]) : 0;
	for (int i = 0; i < others; i++)
		if (!fork()) {
			/* they end with the first one */
			prctl(PR_SET_PDEATHSIG, SIGTERM);
			break;
		}
	for (int i = atoi(argv[3]); i; i--) {
		connect_once(&to);
		usleep(atoi(argv[4]) * 1000);
	}
	while (wait(NULL) > 0)
		;
	return 0;
}
