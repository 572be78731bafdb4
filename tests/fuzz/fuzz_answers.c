// SPDX-License-Identifier: GPL-2.0-only
/* What the kernel sends back, up to a whole dump: any bytes at a socket. */
#include "fuzz.h"

#include <netlink/handlers.h>
#include <netlink/netlink.h>
#include <string.h>

#include "model.h"
#include "out.h"
#include "say.h"
#include "source.h"

/* the first byte says what was asked */
enum { CONFIG, RECORDS, NAMES, COUNTERS, HISTOGRAMS, SET, CLEAR, QUESTIONS };

static struct input answer;
static bool answered;

static int on_send(struct nl_sock *socket, struct nl_msg *msg)
{
	(void)socket;
	(void)msg;
	answered = false;
	return 1;
}

static int on_receive(struct nl_sock *socket, struct sockaddr_nl *from, unsigned char **buf,
		      struct ucred **cred)
{
	(void)socket;
	(void)cred;
	if (answered)
		return -NLE_AGAIN;
	answered = true;
	memset(from, 0, sizeof(*from));
	*buf = copy_of(answer);
	return answer.size;
}

static struct source *made_up(void)
{
	struct nl_sock *socket = nl_socket_alloc();
	struct nl_cb *cb = nl_socket_get_cb(socket);

	nl_cb_overwrite_send(cb, on_send);
	nl_cb_overwrite_recv(cb, on_receive);
	nl_cb_put(cb);
	nl_socket_disable_seq_check(socket);
	return source_on(socket, 17);
}

static int ask(struct source *source, unsigned int question, struct model *model)
{
	struct knobs knobs = { .given[KNOB_PERIOD_US] = true };

	switch (question) {
	case CONFIG:
		return source_config(source, model);
	case RECORDS:
	case NAMES:
		return source_records(source, model, question == NAMES);
	case COUNTERS:
		return source_counters(source, model);
	case HISTOGRAMS:
		return source_histograms(source, model);
	case SET:
		return source_set(source, &knobs);
	default:
		return source_clear(source);
	}
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t size)
{
	struct input input = { data, size };
	unsigned int question = take_number(&input, 1) % QUESTIONS;
	struct source *source = made_up();
	struct model model = { 0 };
	int status;

	/* libnl takes an empty datagram for one that is still to come */
	answer = input;
	if (input.size) {
		status = ask(source, question, &model);
		promise(status == EXIT_DONE || status == EXIT_FAILED);
		if (!status && question == CONFIG && model.config.cpus) {
			text_status(&model, nowhere());
			json_status(&model, nowhere());
		}
	}
	source_close(source);
	model_free(&model);
	return 0;
}
