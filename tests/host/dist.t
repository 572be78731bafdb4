#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# make dist: the source of one version, the same bytes from any checkout of it, and nothing but git's files.
set -u
cd "$(dirname "$0")/../.." || exit
. tests/host/tap.sh
tree=$PWD
. scripts/common.sh
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export SOURCE_DATE_EPOCH=1700000000
version=$(version)
name=trace-irqoff-$version

is 'make version' "$(make -s version)" "$version"
is 'make dist prints what it wrote' "$(make -s dist)" "$tree/dist/$name.tar.gz"

# Another clone, of another user, in another directory order and with other modes and times, and with what was built there
mkdir "$tmp/there"
tree_files . | sort -z -r | tar --create --null --files-from=- | tar --extract --directory="$tmp/there"
git -C "$tmp/there" init --quiet
touch -d 2001-01-01 "$tmp/there/README.md"
chmod 0600 "$tmp/there/README.md"
touch "$tmp/there/userspace/irqoff" "$tmp/there/module/main.o"
(umask 077 && cd "$tmp/there" && TZ=Asia/Tokyo LC_ALL=C.UTF-8 scripts/packaging/dist "$tmp/again") > /dev/null
ok 'another checkout gives the same bytes' cmp "dist/$name.tar.gz" "$tmp/again/$name.tar.gz"

tar --extract --directory="$tmp" --file="dist/$name.tar.gz"
is 'it has the files of git, and no other' "$(cd "$tmp/$name" && find . -type f | sed 's,^\./,,' | LC_ALL=C sort)" \
	"$(tree_files . | tr '\0' '\n' | LC_ALL=C sort)"
is 'a script can be run' "$(stat -c %a "$tmp/$name/scripts/packaging/dist")" 755
# as DKMS and a packager's tools source it, from wherever they are
# shellcheck disable=SC2016 # bash -c expands it
is 'dkms.conf in it has its version' "$(cd / && bash -c '. "$1/dkms.conf" && echo "$PACKAGE_VERSION"' bash "$tmp/$name")" "$version"
ok 'the style check takes one home of the version' scripts/lint version
cp -r "$tmp/there" "$tmp/two"
echo "version $version" >> "$tmp/two/docs/design/README.md"
like 'another file that says the version is an objection' "$(cd "$tmp/two" && scripts/lint version 2>&1)" \
	"only module/version.h says the version $version, not: docs/design/README.md"
done_testing
