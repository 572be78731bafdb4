#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# bash completes what irqoff takes, by the file that make install installs.
set -u
cd "$(dirname "$0")/../.." || exit
. tests/host/tap.sh

ok 'the reader builds' make tools
PATH=$PWD/userspace:$PATH
# shellcheck disable=SC1091 # Debian's
. /usr/share/bash-completion/bash_completion
. userspace/irqoff.bash

# completed LINE: what TAB offers at its end
completed() {
	COMP_LINE=$1 COMP_POINT=${#1} COMP_TYPE=9 COMP_KEY=9
	read -ra COMP_WORDS <<< "$1"
	[[ $1 != *' ' ]] || COMP_WORDS+=('')
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	COMPREPLY=()
	_irqoff irqoff 2> /dev/null
	echo "${COMPREPLY[*]}"
}

is 'commands' "$(completed 'irqoff st')" 'status start stop'
is 'a command that hides' "$(completed 'irqoff comp')" ''
is 'options of a command' "$(completed 'irqoff list --t')" '--tree'
is 'options of the default command' "$(completed 'irqoff --to')" '--top'
is 'options of the command that stands behind' "$(completed 'irqoff --json hist --p')" '--per-cpu'
is 'values' "$(completed 'irqoff report --sort ')" 'total count max'
is 'the last of a list of values' "$(completed 'irqoff --class stolen,soft')" 'stolen,softirq-off stolen,softirq-long'
is 'columns' "$(completed 'irqoff list -o ev')" 'evidence'
is 'values that nobody knows' "$(completed 'irqoff list --since ')" ''
is 'knobs' "$(completed 'irqoff set th')" 'threshold='
is 'commands to have help of' "$(completed 'irqoff help sh')" 'show share'
done_testing
