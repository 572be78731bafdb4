#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# dkms.conf as a user's machine reads it: the tree in /usr/src, then dkms add, build, install and remove as they stand.
set -u
cd "$(dirname "$0")/../.." || exit
. tests/harness/tap.sh
tree=$PWD
. scripts/common.sh
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

version=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' dkms.conf)
name=trace_irqoff-$version
mkdir "$tmp/$name"
tree_files . | tar --create --null --files-from=- | tar -x -C "$tmp/$name"
cat > "$tmp/script" << 'EOF'
set -e
release=$(ls /lib/modules)
cp -r "/mnt/$1-$2" /usr/src/
step() { echo "--- $*"; "$@" 2>&1; }
step dkms add "$1/$2"
step dkms build "$1/$2" -k "$release"
step dkms install "$1/$2" -k "$release"
step modinfo -k "$release" "$1"
step dkms status
step dkms remove "$1/$2" --all
echo "--- left:"
find /lib/modules -name "$1*"
EOF

while read -r kernel _; do
	root=$(scripts/vm/root "$kernel")
	out=$(scripts/vm/inroot "$root" "$tmp" sh script trace_irqoff "$version" 2>&1)
	is "$kernel: dkms add, build, install, remove" $? 0
	like "$kernel: the installed module's version" "$out" "^version: +${version//./\\.}\$"
	like "$kernel: it is a module of dkms" "$out" '^filename: +/lib/modules/.*/updates/dkms/trace_irqoff\.ko'
	like "$kernel: dkms status" "$out" "^trace_irqoff/$version, .*: installed"
	is "$kernel: nothing is left" "${out##*--- left:}" ''
	ok "$kernel: no deprecated or unknown directive" test -z "$(grep -i -e deprecat -e 'warning' <<< "$out")"
	[[ $out == *'--- left:' ]] || diag "$out"
done < <(scripts/kernels)
done_testing
