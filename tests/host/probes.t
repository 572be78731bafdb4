#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What scripts/probe-tree finds in the kernels' headers is what docs/compat/probes.md says, and each row says where its older way runs.
set -u
cd "$(dirname "$0")/../.." || exit
. tests/host/tap.sh
table=docs/compat/probes.md

# column LINE: the probes that the table has for that line
column() {
	awk -F ' *[|] *' -v line="$1" '
		/^[|] probe / { for (i = 2; i < NF; i++) if ($i == line) at = i }
		/^[|] `HAVE_/ && at && $at == "y" { gsub("`", "", $2); print $2 }' "$table" | sort
}
for kernel in ${TRACE_IRQOFF_KERNELS:-$(scripts/kernels | cut -d ' ' -f 1)}; do
	case $kernel in *-debug | *-kcsan) continue ;; esac
	src=$(scripts/vm/root "$kernel")/usr/src
	headers=$(find "$src" -maxdepth 1 -name 'linux-headers-*-common*' -o -maxdepth 1 -name 'linux-headers-*-generic' -o -maxdepth 1 -name 'linux-headers-*-aws')
	arch=x86
	[ "$(scripts/kernels --arch "$kernel")" = amd64 ] || arch=arm64
	is "$kernel" "$(scripts/probe-tree "${headers%%$'\n'*}" "$arch")" "$(column "$kernel")"
done
# shellcheck disable=SC2016 # the backquotes are the table's
is 'the table has all probes, and no other' "$(sed -n 's/^| `\(HAVE_[A-Z0-9_]*\)`.*/\1/p' "$table" | sort)" \
	"$(grep -o 'HAVE_[A-Z0-9_]*$' module/compat/Kbuild.probes | sort)"
is 'and says of each where its fallback is proved' "$(grep '^| `HAVE_' "$table" | grep -c '| \(y\|-\|\) |$')" 0

mkdir -p "${tmp:=$(mktemp -d)}/empty"
trap 'rm -rf "$tmp"' EXIT
is 'a tree without headers is refused' "$(scripts/probe-tree "$tmp/empty" 2>&1; echo $?)" \
	"probe-tree: there are no kernel headers of x86 in $tmp/empty
1"
done_testing
