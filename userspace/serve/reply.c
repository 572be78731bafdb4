// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "serve/reply.h"

/* how many seconds a client is to wait while another one's profile is made */
#define RETRY_AFTER	"5"

static void set(struct MHD_Response *response, const char *name, const char *value)
{
	MHD_add_response_header(response, name, value);
}

static MHD_RESULT queue(struct MHD_Connection *connection, unsigned int status,
			struct MHD_Response *response, const char *type)
{
	MHD_RESULT result;

	if (!response)
		return MHD_NO;
	set(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
	set(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
	set(response, "X-Content-Type-Options", "nosniff");
	result = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return result;
}

/* it is freed once it is sent */
static struct MHD_Response *of_text(char *text, size_t len)
{
	struct MHD_Response *response;

	response = MHD_create_response_from_buffer(len, text, MHD_RESPMEM_MUST_FREE);
	if (!response)
		free(text);
	return response;
}

/**
 * reply_sentence() - answer in words
 * @connection: who has asked
 * @status: of HTTP
 * @format: a sentence without its full stop
 */
MHD_RESULT reply_sentence(struct MHD_Connection *connection, unsigned int status,
			  const char *format, ...)
{
	struct MHD_Response *response;
	char *text, *line;
	va_list args;

	va_start(args, format);
	text = vprint_text(format, args);
	va_end(args);
	line = print_text("%s\n", text);
	free(text);
	response = of_text(line, strlen(line));
	if (response && status == MHD_HTTP_METHOD_NOT_ALLOWED)
		set(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
	if (response && status == MHD_HTTP_SERVICE_UNAVAILABLE)
		set(response, MHD_HTTP_HEADER_RETRY_AFTER, RETRY_AFTER);
	return queue(connection, status, response, "text/plain; charset=utf-8");
}

/* @text is taken over */
MHD_RESULT reply_text(struct MHD_Connection *connection, const char *type, char *text,
		      size_t len)
{
	return queue(connection, MHD_HTTP_OK, of_text(text, len), type);
}

/* the headers are those of Go's net/http/pprof, and one for what is not in it; @fd is taken over */
MHD_RESULT reply_profile(struct MHD_Connection *connection, int fd, const char *lacks)
{
	struct MHD_Response *response = NULL;
	struct stat status;

	if (!fstat(fd, &status))
		response = MHD_create_response_from_fd64(status.st_size, fd);
	if (!response) {
		close(fd);
		return MHD_NO;
	}
	set(response, MHD_HTTP_HEADER_CONTENT_DISPOSITION, "attachment; filename=\"irqoff\"");
	if (lacks)
		set(response, "Irqoff-Incomplete", lacks);
	return queue(connection, MHD_HTTP_OK, response, "application/octet-stream");
}
