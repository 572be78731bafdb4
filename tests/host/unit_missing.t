#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# make unit on a tree with two small test programs: what it says where something is missing, and where something fails.
set -u
cd "$(dirname "$0")/../.." || exit
. tests/host/tap.sh
# shellcheck disable=SC2034 # copy_files uses it
tree=$PWD
. scripts/common.sh
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

mkdir "$tmp/tree" "$tmp/bin"
copy_files "$tmp/tree" .gitignore Makefile scripts/common.sh scripts/lint tests/unit tests/host/unit/Makefile userspace/sources.mk userspace/proto module/version.h dkms.conf
cd "$tmp/tree" || exit
unit=tests/host/unit
ok 'a library of one file' perl -0 -pi -e 's/^objects := .*?[^\\]\n/objects := small.o\n/ms' $unit/Makefile

# program NAME STATEMENT: a test program with two cases; the second one is this statement
program() {
	cat > "$unit/test_$1.c" <<-END
		// SPDX-License-Identifier: GPL-2.0-only
		#include <stdarg.h>
		#include <setjmp.h>
		#include <stddef.h>
		#include <stdint.h>
		#include <stdlib.h>
		#include <cmocka.h>
		int small(void);
		static void $1_first(void **state) { (void)state; assert_int_equal(small(), 1); }
		static void $1_second(void **state) { (void)state; $2; }
		int main(void)
		{
			const struct CMUnitTest tests[] = { cmocka_unit_test($1_first), cmocka_unit_test($1_second) };
			return cmocka_run_group_tests_name("$1", tests, NULL, NULL);
		}
	END
}
# run: sets out and status
run() {
	out=$(HOME=/nonexistent tests/unit 2>&1)
	status=$?
}
small() { printf '// SPDX-License-Identifier: GPL-2.0-only\nint small(void);\nint small(void) { return %s; }\n' "$1" > $unit/small.c; }
small 1
program fine '(void)small'
program other 'print_message("# left out: other_second, because it is night\n")'

run
is 'it passes without git' "$status" 0
like 'and says that it has no lints' "$out" '^unit: left out: all lints \(need git '
like 'a case that is left out is told' "$out" '^unit: left out: test_other: other_second, because it is night$'
like 'its last line' "$(tail -n 1 <<< "$out")" '^unit: passed in [0-9]+ s$'
like 'how many cases' "$out" 'Tests=4,'

git init -q . && git add .
ln -s /usr/bin/* "$tmp/bin"
(cd "$tmp/bin" && rm -f shellcheck mandoc)
PATH=$tmp/bin run
is 'it passes without shellcheck and mandoc' "$status" 0
like 'and says so' "$out" '^unit: left out: scripts \(needs shellcheck\), manual \(needs mandoc\)$'
(cd "$tmp/bin" && rm -f prove protoc-c)
PATH=$tmp/bin run
is 'the status where programs are missing' "$status" 2
is 'a sentence and what to install' "$out" 'unit: make unit needs what is missing here: prove, protoc-c.
apt-get install perl protobuf-c-compiler'
PKG_CONFIG_LIBDIR=/nowhere run
is 'the status where libraries are missing' "$status" 2
is 'a sentence and what to install' "$out" 'unit: make unit needs what is missing here: libnl-3.0, libnl-genl-3.0, json-c, smartcols, libzstd, libprotobuf-c, zlib, cmocka.
apt-get install libnl-3-dev libnl-genl-3-dev libjson-c-dev libsmartcols-dev libzstd-dev libprotobuf-c-dev zlib1g-dev libcmocka-dev'
CC=no-such-compiler run
like 'a compiler' "$out" '^apt-get install gcc libc6-dev$'

program other 'assert_int_equal(2, 3)'
run
is 'the status where a case fails' "$status" 1
like 'the case' "$out" '^not ok 2 - other_second$'
like 'its program' "$out" '^\./test_other '
like 'its place' "$out" 'test_other\.c:[0-9]+: error: Failure!'
is 'no case that passed' "$(grep -c -e fine -e other_first <<< "$out")" 0
like 'the last line' "$(tail -n 1 <<< "$out")" '^unit: failed after [0-9]+ s$'
program other '*(volatile char *)malloc(1) = 1'
run
is 'the status where memory leaks' "$status" 1
like 'it is told where' "$out" 'test_other\.c:'
program other '(void)small'
small 2
run
is 'a change of the library alone' "$status" 1
like 'fails its test' "$out" '^not ok 1 - fine_first$'
small nonsense
run
is 'the status where something does not compile' "$status" 1
like 'the error' "$out" 'small\.c:3:.*error:'
small 1
echo > $unit/bare.h
run
is 'the status where a lint fails' "$status" 1
like 'what it says' "$out" 'no SPDX-License-Identifier in: tests/host/unit/bare\.h'
done_testing
