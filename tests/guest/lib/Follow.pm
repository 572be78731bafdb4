# SPDX-License-Identifier: GPL-2.0-only
# Functions of guest scripts that run irqoff watch.
package Follow;
use strict;
use warnings;
use Exporter 'import';

our @EXPORT = qw(FOLLOW);

use constant FOLLOW => <<'SH';
# only CAPS COMMAND...: as root with these capabilities alone. Older programs do not know cap_38, CAP_PERFMON, by its name.
only() { caps=$1; shift; setpriv --bounding-set "-all$caps" "$@"; }
# follow OPTION...: begins to follow in the background, with its output in /tmp/lines and its messages in /tmp/said
follow() {
	irqoff watch "$@" > /tmp/lines 2> /tmp/said &
	pid=$!
	sleep 1
	asleep
	asleep
}
# asleep: waits until the follower sleeps, once it has read the kernel's names. That takes a slow kernel seconds.
asleep() {
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		! grep -q '^State:.R' /proc/$pid/status 2> /dev/null || sleep 1
	done
	sleep 0.3
}
# ended: waits until the follower has ended, and prints what it said, and its status. One that does not end is killed.
ended() {
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		grep -q '^State:.[^Z]' /proc/$pid/status 2> /dev/null || break
		sleep 0.5
	done
	kill -9 $pid 2> /dev/null || :
	status=0
	wait $pid || status=$?
	cat /tmp/lines /tmp/said
	echo "status: $status"
}
# unload: a follower that reads at this moment keeps the module, for a moment
unload() {
	for i in 1 2 3 4 5 6 7 8 9; do
		! rmmod trace_irqoff 2> /dev/null || return 0
		sleep 0.1
	done
	rmmod trace_irqoff
}
make_stall() { echo "$*" > /proc/stall; sleep 1; }
produced() { irqoff status --json | sed -n 's/^  "produced": \([0-9]*\),$/\1/p'; }
SH

1;
