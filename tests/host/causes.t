#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The causes that come with irqoff, the command that lists them, and files of one's own.
set -u
cd "$(dirname "$0")/../.." || exit
. tests/host/tap.sh
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
unset IRQOFF_CAUSES

# ids FILE: prints what is wrong with the ids of a file of causes, by those that there have ever been
ids() {
	python3 - "$1" tests/host/causes.ids << 'END'
import json
import sys

now = [row["id"] for row in json.load(open(sys.argv[1]))["causes"]]
ever = [line.split() for line in open(sys.argv[2]) if not line.startswith("#")]
kept = {words[0] for words in ever if len(words) == 1}
retired = {words[0] for words in ever if words[1:] == ["retired"]}
for words in ever:
    if len(words) > 2 or words[1:] not in ([], ["retired"]):
        print("no line of causes.ids:", *words)
if len(ever) != len({words[0] for words in ever}):
    print("causes.ids has an id twice")
for id in now:
    if id in retired:
        print(id, "was another cause's")
    elif id not in kept:
        print(id, "is not in tests/host/causes.ids")
for id in sorted(kept - set(now)):
    print(id, "is gone; mark it as retired in tests/host/causes.ids")
if sorted(now) != sorted(set(now)):
    print("an id is there twice")
END
}
is 'the ids are those that there have ever been' "$(ids userspace/causes.json)" ''
sed 's/"listen-drops"/"accept-drops"/' userspace/causes.json > "$tmp/renamed"
is 'an id that goes, and a new one, are noticed' "$(ids "$tmp/renamed")" 'accept-drops is not in tests/host/causes.ids
listen-drops is gone; mark it as retired in tests/host/causes.ids'

# unsourced FILE: prints the claims of a file of causes that no source is named for
unsourced() {
	python3 - "$1" << 'END'
import json
import sys

for row in json.load(open(sys.argv[1]))["causes"]:
    sources = row.get("sources", {})
    for claim in ["signature", "remedy"] + [key for key in ("count", "fixed") if key in row]:
        if not sources.get(claim):
            print(row["id"], "has no source for", claim)
    if "fixed" in sources and "fixed" not in row:
        print(row["id"], "has a source for a fix and no fix")
    if len("    count: " + row.get("count", "")) > 80:
        print(row["id"], "has a count that is more than a line of 80 columns")
END
}
is 'each row says where its signature, its remedy, its count and its fix were looked up' "$(unsourced userspace/causes.json)" ''
sed '/"id": "vxlan-checksum"/,/^  }/s/"sources"/"sourced"/' userspace/causes.json > "$tmp/unsourced"
is 'a row that does not is noticed' "$(unsourced "$tmp/unsourced")" 'vxlan-checksum has no source for signature
vxlan-checksum has no source for remedy
vxlan-checksum has no source for fixed'

listed=$(awk -F '`' '/^\| `/ { print $2 }' docs/causes.md | sort)
there=$(python3 -c 'import json; print("\n".join(sorted(row["id"] for row in json.load(open("userspace/causes.json"))["causes"])))')
is 'docs/causes.md says of each cause where it was seen' "$listed" "$there"
ok 'all that tests/guest/lib/Real.pm expects are there' test -z "$(sed -n "s/^\t\tcause => '\(..*\)',$/\1/p" tests/guest/lib/Real*.pm |
	sort -u | comm -23 - <(echo "$there"))"

ok 'the reader builds' make tools
irqoff=userspace/irqoff
out=$($irqoff causes 2> "$tmp/err")
is 'all are listed' "$?:$(cat "$tmp/err")" 0:
is 'each in a line' "$(awk '/^from/ { exit } NR > 1 { print $1 }' <<< "$out" | sort)" "$there"
out=$($irqoff causes ip_vs-estimation)
like 'one is printed whole' "$out" 'run_estimation=0'
like '... with the release that has it fixed' "$out" 'since 6\.2 \(705dd3444081\)'
is '... without where that was looked up' "$(grep -c 'ip_vs_est\.c\|centos-stream' <<< "$out")" 0
$irqoff causes nonsense > "$tmp/out" 2> "$tmp/err"
is 'an unknown id' "$?:$(cat "$tmp/out"):$(cat "$tmp/err")" "1::irqoff: there is no cause 'nonsense' (irqoff causes lists them)"
$irqoff causes --json > "$tmp/all.json"
is 'JSON' "$(tests/schema causes "$tmp/all.json" 2>&1)" ''
is '... says no sources' "$(grep -c 'sources\|ip_vs_est\.c' "$tmp/all.json")" 0
is '... has all' "$(grep -c '^      "id": ' "$tmp/all.json")" "$(wc -l <<< "$there")"
$irqoff causes --json listen-drops > "$tmp/one.json"
is 'JSON of one' "$(tests/schema causes "$tmp/one.json" 2>&1)$(grep -c '"id": "listen-drops"' "$tmp/one.json")" 1

# where make install puts them
ok 'installed' make -C userspace DESTDIR="$tmp/root" PREFIX=/usr install
is 'the installed reader reads the installed causes' "$("$tmp/root/usr/sbin/irqoff" causes | grep -c "^from $tmp/root/usr/share/trace-irqoff/causes.json\$")" 1
rm "$tmp/root/usr/share/trace-irqoff/causes.json"
"$tmp/root/usr/sbin/irqoff" causes > "$tmp/out" 2> "$tmp/err"
is 'without any' "$?:$(cut -d ';' -f 1 "$tmp/err")" '1:irqoff: no known causes were found'
like '... it names the path that was tried' "$(cat "$tmp/err")" " belong in $tmp/root/usr/share/trace-irqoff/causes\.json\$"
"$tmp/root/usr/sbin/irqoff" causes ip_vs-estimation > "$tmp/out" 2> "$tmp/err2"
is '... and of an ID as well' "$?:$(cat "$tmp/out" "$tmp/err2")" "1:$(cat "$tmp/err")"

# files of one's own
mkdir "$tmp/own"
cat > "$tmp/own/10-driver.json" << 'END'
{ "causes": [ { "id": "acme-reset", "match": { "culprit": "acme_reset*" }, "cause": "The card is reset.", "remedy": "Firmware 7.3." } ] }
END
export IRQOFF_CAUSES=$tmp/own:userspace/causes.json
is 'a row of one'\''s own needs no more than a file' "$($irqoff causes | sed -n 2p)" 'acme-reset               -     The card is reset.'
echo '{ "causes": [ { "id": "slow disk" } ] }' > "$tmp/own/20-wrong.json"
out=$($irqoff causes 2> "$tmp/err")
is 'a wrong file: its status' $? 1
like '... one sentence names file and row' "$(cat "$tmp/err")" "^irqoff: $tmp/own/20-wrong\.json: row 1 \(slow disk\): 'slow disk' is no id: .*; the file is left out\$"
is '... and no more' "$(wc -l < "$tmp/err")" 1
like '... the others are there' "$out" '^acme-reset '
mkdir "$tmp/bare"
for list in '' "$tmp/bare"; do
	IRQOFF_CAUSES=$list $irqoff causes > "$tmp/out" 2> "$tmp/err"
	like "no file in '${list##*/}': it names the variable" "$?:$(cat "$tmp/out" "$tmp/err")" '^1:irqoff: IRQOFF_CAUSES is '
done
# a capture behind a byte that is the fuzzer's own
tail -c +2 tests/host/fuzz/corpus/capture/packed > "$tmp/capture"
$irqoff report -v -i "$tmp/capture" > "$tmp/out" 2> "$tmp/err"
is 'report goes on' "$?:$(grep -c '^CULPRIT' "$tmp/out"):$(grep -v -c 'cut off\|file is left out$' "$tmp/err")" 0:1:0
like '... with the causes that are right' "$(cat "$tmp/out")" '\((stolen-vcpu|ip_vs-estimation)\)'
IRQOFF_CAUSES=$tmp/nowhere $irqoff causes > "$tmp/out" 2> "$tmp/err"
is 'a path that is not there' "$?:$(head -n 1 "$tmp/err")" "1:irqoff: $tmp/nowhere is left out: No such file or directory"
is 'no causes where that is wanted' "$(IRQOFF_CAUSES='' $irqoff report -v -i "$tmp/capture" 2>&1 | grep -cE '\((stolen-vcpu|ip_vs-estimation)\)')" 0
like 'report says in its answer why they are missing' "$(IRQOFF_CAUSES='' $irqoff report -i "$tmp/capture" 2> "$tmp/err")" \
	'^Causes are missing: IRQOFF_CAUSES is empty, so no cause is known\.$'
like '... and which file is left out' "$($irqoff report -i "$tmp/capture" 2> "$tmp/err")" '^Causes are missing: 1 file of known causes is left out\.$'
like '... in JSON' "$(IRQOFF_CAUSES='' $irqoff report --json -i "$tmp/capture" 2> "$tmp/err")" '"causes_missing": "IRQOFF_CAUSES is empty'
is '... and not where all are there' "$(IRQOFF_CAUSES=userspace/causes.json $irqoff report -i "$tmp/capture" 2> "$tmp/err" | grep -c 'Causes are missing')" 0
done_testing
