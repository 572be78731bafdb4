# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Sourced by the shell tests: as much TAP as they need, for prove.

tap_count=0
tap_failed=0

# ok NAME COMMAND...: one test, which passes if COMMAND succeeds; its output is dropped, its errors are not
ok() {
	local name=$1 verdict=ok
	shift
	"$@" > /dev/null || {
		verdict='not ok'
		tap_failed=$((tap_failed + 1))
	}
	tap_count=$((tap_count + 1))
	echo "$verdict $tap_count - $name"
}

# is NAME GOT WANTED
is() {
	ok "$1" test "$2" = "$3"
	[ "$2" = "$3" ] || diag "got: $2" "wanted: $3"
}

# like NAME GOT ERE
like() {
	ok "$1" grep -qE -e "$3" <<< "$2"
	grep -qE -e "$3" <<< "$2" || diag "got, at the end: $(tail -n 20 <<< "$2")" "wanted a match of: $3"
}

diag() {
	printf '%s\n' "$@" | sed 's/^/# /' >&2
}

# prints the plan; the last command of a test, and its exit status
done_testing() {
	echo "1..$tap_count"
	[ "$tap_failed" = 0 ]
}
