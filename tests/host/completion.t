#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# bash completion of irqoff's command line, by the file that make install installs.
set -u
cd "$(dirname "$0")/../.." || exit
. tests/host/tap.sh
files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT

ok 'the reader builds' make tools
PATH=$PWD/userspace:$PATH
# shellcheck disable=SC1091 # Debian's
. /usr/share/bash-completion/bash_completion
. userspace/cli/irqoff.bash

# completed LINE: prints what TAB offers at the end of LINE
completed() {
	COMP_LINE=$1 COMP_POINT=${#1} COMP_TYPE=9 COMP_KEY=9
	read -ra COMP_WORDS <<< "$1"
	[[ $1 != *' ' ]] || COMP_WORDS+=('')
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	COMPREPLY=()
	_irqoff irqoff 2> /dev/null
	echo "${COMPREPLY[*]}"
}

is 'commands' "$(completed 'irqoff st')" 'start stop status'
is 'a hidden command' "$(completed 'irqoff comp')" ''
is 'options of a command' "$(completed 'irqoff list --t')" '--tree'
is 'options of the default command' "$(completed 'irqoff --to')" '--top'
is 'options of a command that comes after options' "$(completed 'irqoff --json hist --p')" '--per-cpu'
is 'values' "$(completed 'irqoff report --sort ')" 'total count longest cost'
is 'the last of a list of values' "$(completed 'irqoff --class stolen,soft')" 'stolen,softirq-off stolen,softirq-long'
is 'columns' "$(completed 'irqoff list -o ev')" 'evidence'
is 'values that cannot be listed' "$(completed 'irqoff list --since ')" ''
is 'knobs' "$(completed 'irqoff set th')" 'threshold='
is 'values of a knob' "$(completed 'irqoff set guard=a')" 'auto always'
is 'values of a knob that cannot be listed' "$(completed 'irqoff start max_cost=')" ''
is 'no values of knobs elsewhere' "$(completed 'irqoff list guard=')" ''
is 'an option of stop' "$(completed 'irqoff stop --f')" '--free'
cd "$files" || exit
touch 'one.irqoff' 'another one.irqoff'
is 'formats' "$(completed 'irqoff export --format p')" 'pprof perfetto'
is 'a file that is written by an option' "$(completed 'irqoff export -o o')" 'one.irqoff'
is 'a file to write' "$(completed 'irqoff save o')" 'one.irqoff'
is 'a file to read' "$(completed 'irqoff report -i o')" 'one.irqoff'
is 'a file with a blank' "$(completed 'irqoff report --input ano')" 'another one.irqoff'
is 'more files to read' "$(completed 'irqoff report -i x o')" 'one.irqoff'
is 'files of the baseline' "$(completed 'irqoff report -i x --baseline o')" 'one.irqoff'
is 'more files of the baseline' "$(completed 'irqoff report --baseline x o')" 'one.irqoff'
is 'options behind files' "$(completed 'irqoff report -i x --to')" '--top'
is 'options of watch' "$(completed 'irqoff watch --f')" '--for --fail-above'
is 'commands after help' "$(completed 'irqoff help sh')" 'show share'
done_testing
