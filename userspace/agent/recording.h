/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes what a follower hands on to captures. */
#ifndef _IRQOFF_RECORDING_H
#define _IRQOFF_RECORDING_H

#include "agent/recording_file.h"
#include "base/netns.h"
#include "base/sequence_set.h"
#include "capture/capture_write.h"
#include "model/machine.h"
#include "names/names.h"
#include "source/follow.h"
#include "source/loop.h"
#include "source/messages.h"

struct recording {
	/* what is wanted */
	struct recording_file file;	/* its path, and when to rotate */
	__u64 counters_ns;	/* counters are written so often, and at every change */
	struct netns netns;	/* their counters, too */
	const char *mountinfo;
	struct names names;	/* their paths */
	bool *hidden;		/* set where names have to come from the module */

	struct follow *follow;	/* counts records, and asks the module */
	struct messages messages;	/* the module's last answers */
	struct capture_writer *writer;
	struct machine machine;
	__u64 instance;		/* the load of the module that the file is of */
	bool any;		/* the file has a record */
	__u64 lost;		/* records, and nobody was told yet */
	__u64 lost_told_ns;	/* when somebody was; 0: never */
	bool begin;		/* the file has no META of this load yet */
	struct resume reached;	/* the file's records, and those that are lost, are before it */
	bool state_due;		/* settings and counters are to be written */
	bool gone;		/* the module is not loaded */
	bool ending;		/* what comes is read for the last time */
	__u64 devices_ns;	/* when the network's devices are due at the earliest */
	__u64 state_ns;		/* when settings and counters are due at the latest */
	__u64 flush_ns;		/* when what was written is to be on the disk; FOLLOW_NEVER */
	__u64 flushed_ns;
	/* what the file has of the present epoch of names */
	unsigned int epoch;
	struct sequence_set functions;
	struct sequence_set cgroups;
	struct cgroups *lookup;	/* of cgroups_renew() */
	bool unwritten;		/* writing failed, and errno said why */
	int status;		/* of what failed where nothing is returned */
	int end_status;		/* likewise, as it ended */
};

void recording_follow(struct recording *recording, struct follow *follow);
int recording_close(struct recording *recording);

#endif /* _IRQOFF_RECORDING_H */
