#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The RPMs: built twice, looked at by rpmlint, then installed, upgraded and removed by rpm, dnf and DKMS in a root of Debian
# (tests/fleet/rpms). Debian's headers stand for kernel-devel. RPM_PARTS says which of $all are run, by default all of them; mutants
# need one. "build" is what is built to be looked at only; the others are parts of the packages' life.
set -u
cd "$(dirname "$0")/../../.." || exit
. tests/host/tap.sh
tree=$PWD
. scripts/common.sh
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export SOURCE_DATE_EPOCH=1700000000
old=$(version) new=99.0.0
all='build reader selftest dkms kmod dnf'
parts=${RPM_PARTS:-$all}
[ "$parts" = "$all" ] || diag "left out: all parts but $parts"
root=$(scripts/packaging/root rpm bookworm) || exit
debian=$(ls -d "$root"/usr/src/linux-headers-*-amd64)
# Debian's headers by a name that RHEL could have given, which has one dash
. tests/fleet/rpms-kernels
devel=$tmp/$el
cp -a "$debian" "$devel"
sed -i "s/\"[^\"]*\"/\"$el\"/" "$devel/include/generated/utsrelease.h"
mkdir -p "$tmp/mnt/versions" "$tmp/tree"

# has PART...: is one of these run?
has() {
	local part
	for part; do
		[[ " $parts " != *" $part "* ]] || return 0
	done
	return 1
}

# build TREE OUT: all packages that these parts need
build() {
	RPM_OUT=$2 "$1/scripts/packaging/rpm-build" && { ! has build kmod dnf || RPM_OUT=$2 "$1/scripts/packaging/rpm-build" "$devel"; }
}

# built VERSION: their names, as they are printed
built() {
	printf '%s\n' "trace-irqoff-$1-1.src.rpm" "trace-irqoff-$1-1.x86_64.rpm" "trace-irqoff-dkms-$1-1.noarch.rpm" "trace-irqoff-selftest-$1-1.noarch.rpm" "trace-irqoff-serve-$1-1.x86_64.rpm"
	! has build kmod dnf || printf '%s\n' "kmod-trace-irqoff-$el-$1-1.x86_64.rpm" "trace-irqoff-kmod-$1-1.src.rpm"
}

# bytes DIR: the packages there, with their sums
bytes() {
	(cd "$1" && sha256sum -- *.rpm)
}

# rpmlint's objections are among what these print; without any they succeed
out=$(build "$tree" "$tmp/mnt/old" 2>&1)
is 'make rpm, without KERNEL_DEVEL and with it; rpmlint has no objection' "$? ${out//$tmp\/mnt\/old\//}" "0 $(built "$old")"
if has build; then
	out=$(build "$tree" "$tmp/again" 2>&1)
	is 'the same source gives the same bytes again' "$(bytes "$tmp/again" 2>&1)" "$(bytes "$tmp/mnt/old" 2>&1)"
	like 'a kernel that no RPM can require is told' "$(RPM_OUT=$tmp/none scripts/packaging/rpm-build "$debian" 2>&1)" \
		"no RPM can require the kernel ${debian##*/linux-headers-}, whose name has more than one dash"
	like 'a directory that has no headers is told' "$(scripts/packaging/rpm-build "$tmp" 2>&1)" "no kernel headers in $tmp"
fi

# a later version, which has other settings in its file
copy_files "$tmp/tree" .
git -C "$tmp/tree" init --quiet
sed -i "s/\"$old\"/\"$new\"/" "$tmp/tree/module/version.h"
echo '#later=' >> "$tmp/tree/scripts/packaging/trace-irqoff.conf"
out=$(build "$tmp/tree" "$tmp/mnt/new" 2>&1)
is 'another version is one line in module/version.h' "$? ${out//$tmp\/mnt\/new\//}" "0 $(built "$new")"

if has build; then
	# An objection of rpmlint is a failure: here a description that is longer than a line of a terminal.
	sed -i "s/^This package has irqoff, which names.*/& $(printf 'and so on %.0s' {1..20})/" "$tmp/tree/scripts/packaging/rpm/trace-irqoff.spec"
	out=$(RPM_OUT=$tmp/refused "$tmp/tree/scripts/packaging/rpm-build" 2>&1)
	is 'an objection of rpmlint is a failure' "$? $(ls "$tmp/refused" 2> /dev/null)" '1 '
	like '... and is printed' "$out" 'description-line-too-long'
fi

echo "$old" > "$tmp/mnt/versions/old"
echo "$new" > "$tmp/mnt/versions/new"
cp tests/host/tap.sh tests/fleet/rpms* tests/fleet/stand-ins "$tmp/mnt/"
make -s install-selftest DESTDIR="$tmp/mnt/selftest" PREFIX=/usr
ok 'packages that stand for those of RHEL' scripts/vm/inroot "$root" "$tmp/mnt" bash /mnt/stand-ins
echo "$tap_count" > "$tmp/mnt/count"
echo "$parts" > "$tmp/mnt/parts"
scripts/vm/inroot "$root" "$tmp/mnt" bash /mnt/rpms || tap_failed=$((tap_failed + 1))
tap_count=$(cat "$tmp/mnt/count")
done_testing
