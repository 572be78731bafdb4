#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# irqoff's JSON output follows userspace/schema/irqoff.schema.json, and the schema has all words of the source.
set -u
cd "$(dirname "$0")/../.." || exit
. tests/host/tap.sh
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
golden=tests/host/unit/golden

for file in "$golden"/*.json "$golden"/*.jsonl; do
	kind=$(basename "$file")
	kind=${kind%%[-.]*}
	[ "${file##*/}" != list.jsonl ] || kind=line
	out=$(tests/schema "$kind" "$file" 2>&1)
	is "$(basename "$file") is a $kind" "$?:$out" 0:
done
for kind in report stacks list hist status merged compare causes alibi correlate; do
	ok "$kind has a golden document" test -e "$golden/$kind.json"
done

# fails NAME KIND FILE SED: checks that the schema refuses FILE after this change
fails() {
	sed "$4" "$golden/$3" > "$tmp/changed"
	ok "$1: changed" test "$(cmp -s "$golden/$3" "$tmp/changed"; echo $?)" = 1
	tests/schema "$2" "$tmp/changed" > "$tmp/out" 2>&1
	is "$1: refused" $? 1
}
fails 'an unknown key' list list.json 's/"untraced_irqs": 0/"unheard_of": 0/'
fails 'an unknown class' report report.json 's/"softirq-long"/"softirq-slow"/'
fails 'a string for a number' line list.jsonl 's/"min_ns":24000000/"min_ns":"24 ms"/'
fails 'a nested value in a flat line' flat flat.jsonl 's/"stack":"[^"]*"/"stack":[]/'
fails 'another schema' status status.json 's/"schema_version": 1/"schema_version": 2/'
fails 'a cause without a remedy' causes causes.json '/"remedy"/d'
fails 'a list for a report' report list.json '1s/$/ /'

out=$(tests/schema causes-file userspace/causes.json 2>&1)
is 'the causes that come with irqoff follow their schema' "$?:$out" 0:
# refuses NAME SED: checks that the schema of causes refuses those that come with irqoff after this change
refuses() {
	sed "$2" userspace/causes.json > "$tmp/changed"
	ok "$1: changed" test "$(cmp -s userspace/causes.json "$tmp/changed"; echo $?)" = 1
	tests/schema causes-file "$tmp/changed" > "$tmp/out" 2>&1
	is "$1: refused" $? 1
}
refuses 'an unknown key of a row' 's/"remedy"/"cure"/'
refuses 'an unknown part of a signature' 's/"culprit"/"function"/'
refuses 'a class that is none' 's/"class": "stolen"/"class": "stole"/'
refuses 'a short id of a commit' 's/"705dd3444081"/"705dd"/'
refuses 'an id with a blank' 's/"listen-drops"/"listen drops"/'

# the words that JSON output may have, in the source and in the schema
said=$(sed -n 's/^\t\[TIO_CLASS_[A-Z_]*\][[:space:]]*= "\(.*\)",$/\1/p' module/core/classify.c | sort)
known=$(python3 - << 'END'
import json
print("\n".join(sorted(json.load(open("userspace/schema/irqoff.schema.json"))["$defs"]["class"]["enum"])))
END
)
is 'the schema has all classes' "$known" "$said"
known=$(python3 - << 'END'
import json
print("\n".join(sorted(json.load(open("userspace/schema/causes.schema.json"))["$defs"]["class"]["enum"])))
END
)
is 'so has that of causes' "$known" "$said"
done_testing
