#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs each fuzzer of the reader's input for FUZZ_SECONDS (15) of a CPU, as many at a time as there are CPUs. First checks that every
# kind of fault that they look for is noticed.
set -u
cd "$(dirname "$0")/../.." || exit
. tests/host/tap.sh
seconds=${FUZZ_SECONDS:-15}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

ok 'a faulty fuzzer builds' clang -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -o "$tmp/faulty" \
	tests/host/fuzz/faulty.c
mkdir "$tmp/corpus"
echo '!' > "$tmp/corpus/input"
for fault in crash overrun undefined leak greed hang nothing slow; do
	timeout=10
	[ "$fault" != hang ] || timeout=2
	cp "$tmp/faulty" "$tmp/$fault"
	FAULT=$fault FUZZ_TIMEOUT=$timeout tests/host/fuzz/run "$tmp/$fault" 1 "$tmp/corpus" > "$tmp/$fault.out" 2>&1 &
	pids[$!]=$fault
done
for pid in "${!pids[@]}"; do
	fault=${pids[pid]}
	wait "$pid"
	is "$fault: it fails" $? 1
	out=$(< "$tmp/$fault.out")
	like "$fault: and says so" "$out" "^$fault: failed \(status"
	# the file holds "IQo=" in base64; a minimised input only begins with "IQ"
	[[ $fault = nothing || $fault = slow ]] || like "$fault: and shows the input" "$out" '^IQ'
done
out=$(FAULT=none tests/host/fuzz/run "$tmp/faulty" 1 "$tmp/corpus" 2>&1)
is 'without a fault it succeeds' $? 0
touch "$tmp/paused"
paused=$(FAULT=paused PAUSED=$tmp/paused FUZZ_TIMEOUT=2 tests/host/fuzz/run "$tmp/faulty" 1 "$tmp/corpus" 2>&1)
is 'so it does where the host is away once' "$? $([ -e "$tmp/paused" ]; echo $?) $(wc -l <<< "$paused")" '0 1 1'
like 'and prints how often it ran' "$out" '^faulty: [1-9][0-9]* runs in [0-9]+ s, [1-9][0-9]* edges covered$'

ok 'the fuzzers build' make -j"$(nproc)" -C tests/host/fuzz
read -ra targets <<< "$(make -s -C tests/host/fuzz list)"
ok 'there are fuzzers' test ${#targets[@]} -gt 4
printf '%s\n' "${targets[@]}" |
	xargs -P "$(nproc)" -I '{}' sh -c "tests/host/fuzz/run 'tests/host/fuzz/build/{}' $seconds 'tests/host/fuzz/corpus/{}' > '$tmp/{}.out' 2>&1"
for target in "${targets[@]}"; do
	ok "$target: nothing found" grep -qE "^$target: [1-9][0-9]* runs in" "$tmp/$target.out"
	diag "$(cat "$tmp/$target.out")"
done
done_testing
