#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Every mutant compiles: one that does not proves nothing, and tests/mutate would tell so after hours only. Those of the module are
# built for 6.1 as a guest's modules are, those of the reader with its warnings as errors.
set -u
cd "$(dirname "$0")/../../.." || exit
. tests/host/tap.sh
tree=$PWD
. scripts/common.sh
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

mkdir -p "$tmp/tree" "$tmp/mutants"
copy_files "$tmp/tree" .
git -C "$tmp/tree" init --quiet

# take PATCH ROOM: puts the files that it changes below module/ or userspace/ into $tmp/mutants/ROOM/NAME
take() {
	local name dir file
	name=$(basename "$1" .patch)
	dir=$tmp/mutants/$2/$name
	git -C "$tmp/tree" apply "$tree/$1" || return
	grep -o "^+++ b/$2/.*" "$1" | cut -d / -f 2- | while read -r file; do
		mkdir -p "$dir/$(dirname "$file")"
		cp "$tmp/tree/$file" "$dir/$file"
	done
	git -C "$tmp/tree" apply --reverse "$tree/$1"
}
for patch in tests/mutants/*.patch; do
	for room in module userspace; do
		! grep -q "^+++ b/$room/" "$patch" || take "$patch" "$room" || is "$patch applies" $? 0
	done
done

# build ROOM COMMAND: builds the tree, and then each mutant of the room in it
cat > "$tmp/build" << 'EOF'
room=$1
shift
cd tree
"$@" > ../log 2>&1 && echo "ok - $room as it is" || echo "not ok - $room as it is"
for mutant in ../mutants/"$room"/*; do
	cp -r "$room" ../before
	cp -r "$mutant"/. .
	if "$@" > ../log 2>&1; then
		echo "ok - ${mutant##*/} compiles"
	else
		echo "not ok - ${mutant##*/} compiles"
		grep -m 5 -e 'error:' -e 'warning:' -e 'Error' ../log | sed 's/^/# /'
	fi
	# make sees by its time that a file is another one
	(cd "$mutant" && find . -type f) | while read -r file; do
		cp "../before/${file#./"$room"/}" "$file"
	done
	rm -rf ../before
done
EOF
for room in module userspace; do
	command=(make -C userspace WERROR=1 irqoff)
	where=(sh -c "cd '$tmp' && exec \"\$@\"" sh)
	if [ "$room" = module ]; then
		# shellcheck disable=SC2016 # the inner shell expands these
		command=(sh -c 'make -C /lib/modules/*/build M=/mnt/tree W=1 modules > /tmp/log 2>&1
			status=$?
			cat /tmp/log
			! grep "warning:" /tmp/log | grep -q -v "^/usr/src/linux-" && exit $status')
		where=(scripts/vm/inroot "$(scripts/vm/root 6.1)" "$tmp")
	fi
	"${where[@]}" sh ./build "$room" "${command[@]}" > "$tmp/$room.tap"
	while IFS= read -r line; do
		case $line in
		ok*) is "${line#ok - }" 0 0 ;;
		not*) is "${line#not ok - }" 1 0 ;;
		*) echo "$line" ;;
		esac
	done < "$tmp/$room.tap"
done
is 'each mutant of the module and of the reader was built' "$(cat "$tmp"/*.tap | grep -c ' compiles$')" \
	"$(find "$tmp/mutants" -mindepth 2 -maxdepth 2 | wc -l)"
done_testing
