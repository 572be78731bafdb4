#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# scripts/vm/run itself: input and output arrive unchanged, the status is right, and every kind of failure has its own status.
set -u
cd "$(dirname "$0")/../../.." || exit
. tests/host/tap.sh
run=scripts/vm/run
export TMPDIR
TMPDIR=$(mktemp -d)
trap 'rm -rf "$TMPDIR"' EXIT

# vm OPTION...: runs, and leaves $out, $err and $status
vm() {
	"$run" "$@" > "$TMPDIR/out" 2> "$TMPDIR/err"
	status=$?
	out=$(cat "$TMPDIR/out") err=$(cat "$TMPDIR/err")
}

# --- usage
mkdir "$TMPDIR/served"
for wrong in '' '--bogus' '--smp none -- true' '--mem -- true' 'true' '--kernel 0.1 -- true' '--copy /nowhere -- true' \
	'--shell' '--shell -- true' "--shell --serve $TMPDIR/served" '--shell --icount'; do
	# shellcheck disable=SC2086 # words
	vm $wrong < /dev/null
	is "usage error: '${wrong/$TMPDIR/}'" "$status $(wc -l <<< "$err")" '2 1'
done
like '--shell says what it needs' "$("$run" --shell 2>&1 < /dev/null)" 'needs a terminal'
vm --help
is '--help succeeds' "$status" 0
like '--help lists the exit statuses' "$out" '124 .*answer'

# --- a machine where scripts/setup was not run
mkdir "$TMPDIR/bin"
IFS=: read -ra path <<< "$PATH"
for dir in "${path[@]}"; do
	[ ! -d "$dir" ] || find "$dir/" -mindepth 1 -maxdepth 1 -exec ln -s -f -t "$TMPDIR/bin" {} +
done
# says PROGRAM SCRIPT ARGUMENT...: prints SCRIPT's output and status when PROGRAM is not in PATH
says() {
	rm "$TMPDIR/bin/$1"
	PATH=$TMPDIR/bin "${@:2}" 2>&1
	echo "$?"
	ln -s "$(command -v "$1")" "$TMPDIR/bin/$1"
}
sentence() {
	printf "%s: missing: %s; 'scripts/setup vm' installs what is needed\n126" "$1" "$2"
}
for program in cpio mount mmdebstrap; do
	is "$program is missing" "$(says $program $run -- true)" "$(sentence vm/run $program)"
done
is 'vm/root: a program is missing' "$(says cpio scripts/vm/root 6.1)" "$(sentence vm/root cpio)"
is 'vm/build: a program is missing' "$(says cpio scripts/vm/build 6.1)" "$(sentence vm/root cpio)"
is 'vm/inroot: a program is missing' "$(says mount scripts/vm/inroot / "$TMPDIR" true)" "$(sentence vm/inroot mount)"
rm -r "${TMPDIR:?}/bin"

# --- what goes in, what comes out
echo 'a copied file' > "$TMPDIR/copied"
# shellcheck disable=SC1003,SC2016 # that is the point
words=('two words' "it's" '"q" $HOME `x` \' '' $'two\nlines' '*')
vm --copy "$TMPDIR/copied" -- sh -c 'printf "[%s]" "$@"; cat /copied; cd /lib/trace_irqoff && ls; which irqoff; nproc
	modprobe ip_vs && ls -d /sys/module/ip_vs /sys/fs/cgroup/cgroup.procs /sys/kernel/tracing/events; read x; exit 7' sh "${words[@]}"
is 'exit status 7' "$status" 7
is 'the arguments' "$(printf '[%s]' "${words[@]}")" "${out%%a copied file*}"
for want in 'a copied file' trace_irqoff.ko stall.ko /usr/bin/irqoff 2 /sys/module/ip_vs /sys/fs/cgroup/cgroup.procs; do
	ok "in the guest: $want" grep -qF -e "$want" "$TMPDIR/out"
done
sent='a\nb\r\n\0000\0003\0021\0023\0032\0377'
"$run" -- printf '%b' "$sent" > "$TMPDIR/bytes"
is 'bytes come out as they were written' "$(od -An -c "$TMPDIR/bytes")" "$(printf '%b' "$sent" | od -An -c)"
read -r left < <(echo 'still there' | { "$run" --icount -- sh -c 'exit 255'; echo "$? $(cat)"; })
is 'icount; status 255; standard input is left alone' "$left" '255 still there'

# --- the kernel log
vm --log "$TMPDIR/log" -- insmod /lib/trace_irqoff/harness_warn.ko
is 'a kernel warning has its own status' "$status" 125
like 'and is printed' "$err" 'WARNING: .*\[harness_warn\]'
like 'and is in the log' "$(cat "$TMPDIR/log")" 'harness_warn: a deliberate warning'
vm --allow-log 'harness_warn|Call Trace' -- insmod /lib/trace_irqoff/harness_warn.ko
is 'an allowed kernel warning is ignored' "$status" 0

# --- no answer
start=$SECONDS
TRACE_IRQOFF_WALL_S=20 vm -- sleep 1000
is 'an idle hang has its own status' "$status" 124
ok 'and ends in time' test $((SECONDS - start)) -lt 60
like 'and is reported' "$err" '^vm/run: the guest did not answer within 20 s$'
vm --timeout 6 -- sh -c 'while :; do :; done'
is 'a busy hang has its own status' "$status" 124
like 'and is reported' "$err" "^vm/run: the guest did not answer within 6 s of its CPUs' time\$"
# a host that runs nothing of QEMU for longer than the limit
mkfifo "$TMPDIR/answer"
"$run" --timeout 12 --pid "$TMPDIR/pid" -- sh -c 'echo up; sleep 1; exit 7' > "$TMPDIR/answer" 2> "$TMPDIR/err" &
runner=$!
read -r line < "$TMPDIR/answer"
kill -STOP "$(cat "$TMPDIR/pid")"
sleep 14
kill -CONT "$(cat "$TMPDIR/pid")"
wait "$runner"
is 'what the host does not run is not counted' "$line $?" 'up 7'
rm "$TMPDIR/answer"
vm -- sh -c 'echo before; echo c > /proc/sysrq-trigger; sleep 100'
is 'a panic is no answer' "$status $out" '124 before'
like 'and is printed' "$err" 'Kernel panic - not syncing: sysrq triggered crash'

TRACE_IRQOFF_BOOT_S=1 vm --append 'rdinit=/bin/cat' -- true
is 'a kernel that does not start init gives no answer' "$status" 124
is 'and was booted three times' "$(grep -c "^vm/run: the guest did not come up within 1 s of its CPUs' time; " <<< "$err")" 3
TRACE_IRQOFF_IDLE_S=8 TRACE_IRQOFF_WALL_S=60 vm --append 'rdinit=/bin/sleep -- 1000' -- true
is 'a boot that idles for ever gives no answer' "$status" 124
is 'and it was booted three times, too' "$(grep -c "^vm/run: the guest did not come up within 8 s in which its CPUs idled; " <<< "$err")" 3
TRACE_IRQOFF_IDLE_S=8 vm -- sleep 12
is 'a command may idle for longer than a boot' "$status" 0

# qemu_runs: does a QEMU run with files of this test?
qemu_runs() {
	grep -lsz -e "$TMPDIR/.*initramfs" /proc/[0-9]*/cmdline 2> /dev/null | xargs -r grep -lz -e 'qemu-system-' > "$TMPDIR/qemus" 2> /dev/null
	[ -s "$TMPDIR/qemus" ]
}

# --- a shell at a terminal
mkfifo "$TMPDIR/typed"
exec 5<> "$TMPDIR/typed"
# terminal: starts a shell at a terminal of its own. What is written to descriptor 5 is typed there.
terminal() {
	: > "$TMPDIR/seen"
	# shellcheck disable=SC2016 # the shell at that terminal expands these
	TRACE_IRQOFF_RUN=$run script -qefc 'stty rows 30 cols 100; before=$(stty -g)
		sh -c "echo \$\$ > $TMPDIR/pid; exec $TRACE_IRQOFF_RUN --shell"
		echo "status $?"; [ "$(stty -g)" != "$before" ] || echo "as before"' "$TMPDIR/seen" <&5 > /dev/null &
	terminal=$!
}
# shows ERE [TIMES]: waits until the terminal shows it
shows() {
	for _ in $(seq 120); do
		[ "$(grep -cE "$1" "$TMPDIR/seen")" -lt "${2:-1}" ] || return 0
		sleep 0.5
	done
	sed 's/^/# /' "$TMPDIR/seen"
	return 1
}
terminal
ok 'the shell greets' shows "^'exit' ends this guest"
printf 'echo "irqoff 1 60000" > /proc/stall; irqoff list --no-pager\r' >&5
ok 'the module watches' shows 'stall_irqoff \[stall\]'
printf 'sleep 1000; echo slept\r' >&5
ok 'what is typed is echoed' shows 'sleep 1000'
sleep 1
printf '\003' >&5
ok 'Ctrl-C reaches the program' shows '\^C'
printf 'stty size\r' >&5
ok 'the terminal has its size' shows '^30 100'
printf '\033[A\r' >&5
ok 'there is a history' shows '^30 100' 2
is 'the program was ended' "$(grep '^slept' "$TMPDIR/seen")" ''
printf 'exit\r' >&5
wait "$terminal"
is 'exit ends it well' "$(grep -oE '^(status 0|as before)' "$TMPDIR/seen")" "$(printf 'status 0\nas before')"
terminal
ok 'a second shell greets' shows "^'exit' ends this guest"
printf 'insmod /lib/trace_irqoff/harness_warn.ko; exit\r' >&5
wait "$terminal"
ok 'a complaint is reported at the end' grep -q '^vm/run: the kernel log holds complaints (above)' "$TMPDIR/seen"
ok 'with its own status' grep -q '^status 125' "$TMPDIR/seen"
terminal
ok 'a third one boots' shows '^vm/run: booting'
sleep 1
kill "$(cat "$TMPDIR/pid")"
wait "$terminal"
ok 'it can be ended' grep -q '^status 143' "$TMPDIR/seen"
ok 'and leaves the terminal as it was' grep -q '^as before' "$TMPDIR/seen"
exec 5>&-
rm "$TMPDIR/typed" "$TMPDIR/seen"
rmdir "$TMPDIR/served"

# --- nothing stays behind
bash -c "$run -- sh -c 'echo up; sleep 1000' & wait" > "$TMPDIR/up" 2>&1 &
parent=$!
for _ in $(seq 60); do
	grep -q up "$TMPDIR/up" && break
	sleep 0.5
done
ok 'a QEMU runs' qemu_runs
disown "$parent"
kill -KILL "$parent"
for _ in $(seq 20); do
	qemu_runs || break
	sleep 0.5
done
ok 'and none outlives its caller' eval '! qemu_runs'
rm -f "$TMPDIR"/{out,err,copied,bytes,log,up,qemus,pid}
# scripts/vm/run removes its own when QEMU has ended
for _ in $(seq 20); do
	[ -n "$(ls -A "$TMPDIR")" ] || break
	sleep 0.5
done
is 'no temporary file is left' "$(ls -A "$TMPDIR")" ''

done_testing
