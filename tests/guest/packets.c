// SPDX-License-Identifier: GPL-2.0-only
/* packets COUNT: sends COUNT packets to itself (UDP over loopback), which no socket receives */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

int main(int argc, char **argv)
{
	struct sockaddr_in to = {
		.sin_family = AF_INET,
		.sin_port = htons(9),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	if (argc != 2 || fd < 0) {
		fprintf(stderr, "usage: packets COUNT\n");
		return 2;
	}
	for (int i = atoi(argv[1]); i > 0; i--)
		sendto(fd, "", 1, 0, (struct sockaddr *)&to, sizeof(to));
	return 0;
}
