/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an agent does with stalls besides recording them: it counts them, and tells Prometheus
 * and a log. Each sink goes on where another one fails.
 */
#ifndef _IRQOFF_AGENT_OUTPUTS_H
#define _IRQOFF_AGENT_OUTPUTS_H

#include "agent/line_output.h"
#include "agent/recording.h"
#include "agent/tally.h"
#include "causes/causes.h"
#include "source/follow.h"
#include "source/loop.h"

#define AGENT_STATE	"/run/trace-irqoff/state.json"

struct agent_outputs {
	/* what is wanted */
	const char *state;	/* the file of the counters */
	const char *textfile;	/* of node_exporter; NULL: none */
	bool lines;		/* a line of JSON a stall, to standard output */

	const struct recording *recording;	/* has the names of code */

	struct loop *loop;
	struct machine machine;
	struct causes causes;
	struct line_output out;
	struct cgroups *cgroups;	/* for lines */
	struct tally tally;
	int lock;
	bool stale;		/* settings have changed */
	__u64 refresh_ns;	/* when the module is asked at the latest */
	__u64 textfile_ns;	/* when the text file is due; FOLLOW_NEVER: it is as it should be */
	__u64 written_ns;	/* when it was written last */
	bool state_failed;	/* the last time, and somebody was told */
	bool textfile_failed;
};

void agent_outputs_follow(struct agent_outputs *outputs, const struct recording *recording,
			  struct loop *loop);
int agent_outputs_open(struct agent_outputs *outputs);
void agent_outputs_close(struct agent_outputs *outputs);

#endif /* _IRQOFF_AGENT_OUTPUTS_H */
