#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# The stall maker's code is what its kinds say, as each stock x86 kernel's compiler made it: cold parts, jumps, inlining. And no
# kind spends its time in a function of its own, so that the innermost function of a stack does not say which kind it is. The
# options of debug kernels forbid jumps.
use strict;
use warnings;
use FindBin;
use Test::More;

chdir("$FindBin::Bin/../..") or die "$FindBin::Bin/../..: $!";

# code_of(FILE): by function, its instructions, as "jmp NAME" and the like where they leave it
sub code_of {
	my ($file) = @_;
	my (%code, $function);
	for (qx(objdump --disassemble --reloc --no-show-raw-insn --section=.text --section=.text.unlikely $file)) {
		if (/^[0-9a-f]+ <(\S+)>:/) {
			$function = $1;
		} elsif (/^\s*[0-9a-f]+:\s+R_X86_64_(?:PLT32|PC32)\s+(\S+?)[+-]0x/) {
			# of a call to another section or module
			my $name = $1;
			$code{$function}[-1] =~ s/^(call|jmp)\b.*/$1 $name/ if $code{$function};
		} elsif (/^\s*[0-9a-f]+:\s+(\S+)\s*(.*)$/) {
			my ($what, $operands) = ($1, $2);
			my ($name) = $operands =~ /<([^>+]+)>/;
			push @{ $code{$function} }, defined $name ? "$what $name" : "$what $operands";
		}
	}
	return %code;
}

my @kernels = split(' ', $ENV{TRACE_IRQOFF_KERNELS} // join(' ', map { (split)[0] } qx(scripts/kernels)));
for my $kernel (grep { !/-(?:debug|kcsan|arm64)$/ } @kernels) {
	my ($module) = grep { -e } map { chomp; glob("$_/tree/lib/trace_irqoff/stall.ko") } qx(scripts/vm/build $kernel);
	ok($module, "$kernel: the stall module is built") or next;
	my %code = code_of($module);
	my $has = sub { my ($function, $what) = @_; return scalar grep { /^(?:$what)$/ } @{ $code{$function} // [] } };
	ok($has->('stall_irqcold.cold', 'call busy_work'), "$kernel: irqcold is busy in its cold part");
	ok(!$has->('stall_irqcold', 'call busy_work'), "$kernel: ... and in no other");
	ok($has->(@$_), "$kernel: $_->[0] leaves by a jump: $_->[1]")
		for [ 'stall_irqjump', 'jmp _raw_spin_unlock_irqrestore' ],
		[ 'stall_irqtail', 'jmp irqtail_ends' ], [ 'irqhand_begins', 'jmp stall_irqhand' ], [ 'stall_bhtail', 'jmp bhtail_ends' ],
		[ 'stall_bhjump', 'jmp (?:_raw_spin_unlock_bh|__local_bh_enable_ip)' ];
	ok(!(grep { /^inline_/ } keys %code) && $has->('stall_irqinline', 'call busy_work'), "$kernel: irqinline's section is inlined");
	my @spin = sort grep { grep { /^pause\b/ } @{ $code{$_} } } keys %code;
	# a holder waits for who waits for it, all CPUs wait for one another, and what makes a kind for its end
	is(join(' ', grep { !/^(?:busy_work|stall_holder|stall_irqall|queueing_cpu|make_\w+|hold\w*|wake|server_func)(?:\.\w+)*$/ } @spin), '',
		"$kernel: only busy_work() takes time");
}
plan(skip_all => 'no stock x86 kernel is tested') unless Test::More->builder->current_test;
done_testing;
