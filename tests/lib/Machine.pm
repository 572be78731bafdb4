# SPDX-License-Identifier: GPL-2.0-only
# What else this machine does.
package Machine;
use strict;
use warnings;
use List::Util qw(sum);
use Time::HiRes qw(sleep);

use constant { LOOK_S => 3, IDLE => 0.1 };

sub spent {
	open(my $file, '<', '/proc/stat') or die "/proc/stat: $!\n";
	# user nice system idle iowait irq softirq steal (proc(5)); guest time is part of user
	return (split(' ', scalar <$file>))[ 1 .. 8 ];
}

# is_idle(): in three seconds in which no test runs, is less than a tenth of its time used or stolen?
sub is_idle {
	my @from = spent();
	sleep(LOOK_S);
	my @to = spent();
	my @of = map { $to[$_] - $from[$_] } 0 .. 7;
	return 1 - ($of[3] + $of[4]) / sum(@of) < IDLE;
}

1;
