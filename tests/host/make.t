#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The Makefile's targets for a user with a kernel of their own, in a distribution root.
set -u
cd "$(dirname "$0")/../.." || exit
. tests/host/tap.sh
tree=$PWD
. scripts/common.sh
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

mkdir "$tmp/tree"
copy_files "$tmp/tree" .
cat > "$tmp/script" << 'EOF'
cd tree
release=$(ls /lib/modules)
kdir=/lib/modules/$release/build
find . -type f | sort > /tmp/before

# step NAME COMMAND: prints a TAP line, and COMMAND's output if it failed
step() {
	if out=$(eval "$2" 2>&1); then
		echo "ok - $1"
	else
		echo "not ok - $1"
		echo "$out" | tail -n 20 | sed 's/^/# /'
	fi
}
step 'make tools needs no kernel' 'make KDIR=/nowhere tools && ls userspace/irqoff'
step 'make module' 'make KDIR="$kdir" module && ls module/trace_irqoff.ko'
step 'make' 'make KDIR="$kdir"'
step 'make install to a directory' 'make KDIR="$kdir" DESTDIR=/tmp/new PREFIX=/usr install &&
	ls /tmp/new/lib/modules/*/*/*/trace_irqoff.ko /tmp/new/usr/sbin/irqoff /tmp/new/usr/sbin/irqoff-selftest \
		/tmp/new/usr/share/trace-irqoff/causes.json \
		/tmp/new/usr/share/bash-completion/completions/irqoff'
step '... with all manual pages but that of the service' 'ls userspace/man/irqoff.8 userspace/man/irqoff-report.8 &&
	[ "$(cd /tmp/new/usr/share/man && find . -type f | sort)" = "$(cd userspace/man && ls irqoff* | sed "s,.*\.\([1-8]\)$,./man\1/&," | sort)" ]'
step 'the uapi header is enough for a program' 'echo "#include <linux/trace_irqoff.h>" |
	gcc -I/tmp/new/usr/include -Wall -Werror -fsyntax-only -xc -'
step 'make uninstall from a directory' 'make KDIR="$kdir" DESTDIR=/tmp/new PREFIX=/usr uninstall &&
	[ -z "$(find /tmp/new -name "*irqoff*")" ]'
step 'make install prints no error and no warning' '{ make KDIR="$kdir" install 2>&1 > /dev/null || echo failed; } | tee /dev/stderr | cmp - /dev/null'
step 'the installed reader runs, and has its causes' '/usr/local/sbin/irqoff --help && /usr/local/sbin/irqoff causes'
step 'the installed module is found by its name' 'modinfo -k "$release" -F filename trace_irqoff'
step 'it signs where the key of the kernel is' 'key=$kdir/$(sed -n "s/^CONFIG_MODULE_SIG_KEY=//p" "$kdir/include/config/auto.conf") &&
	mkdir -p "${key%/*}" && touch "$key" && make KDIR="$kdir" install 2>&1 | grep "SIGN .*trace_irqoff.ko" && rm "$key"'
step 'make uninstall' 'make KDIR="$kdir" uninstall && ! modinfo -k "$release" trace_irqoff &&
	[ -z "$(find /usr/local /lib/modules -name "*irqoff*")" ]'
step 'compiler warnings do not stop make' 'make -C userspace clean &&
	make -C userspace CFLAGS="-O2 -Wconversion" base/units.o 2>&1 | grep warning: && rm userspace/base/units.o'
step 'compiler warnings stop make WERROR=1' '! make -C userspace WERROR=1 CFLAGS="-O2 -Wconversion" base/units.o'
step 'make clean leaves what was there' 'make KDIR="$kdir" clean && find . -type f | sort | diff /tmp/before -'
EOF
out=$(scripts/vm/inroot "$(scripts/vm/root 6.1)" "$tmp" sh script)
echo "$out"
tap_count=$(grep -c '^\(not \)\?ok' <<< "$out")

help=$(make help)
for target in all module tools install uninstall clean demo selftest deb rpm unit check check-full check-all lint; do
	like "make help lists $target" "$help" "^  $target "
done
is 'and no other' "$(grep -c '^  [a-z-]* ' <<< "$help")" 15
for target in check-release stress table matrix truth steal real cases mutate bench fuzz version dist consumers fleet-check; do
	ok "make $target is known" make -n "$target"
done
ok 'fifteen steps, 16 assertions on help and 15 targets' test "$tap_count" = 46
done_testing
