# SPDX-License-Identifier: MIT
# sleeps.pl late COUNT: how late each of COUNT sleeps of 1 ms ends, in ns.
# sleeps.pl results: the results of sleeps, which are the same in each run.
use strict;
use warnings;
use Time::HiRes qw(sleep usleep nanosleep clock_nanosleep clock_gettime setitimer
	CLOCK_MONOTONIC CLOCK_REALTIME ITIMER_REAL TIMER_ABSTIME);

sub now { return clock_gettime(CLOCK_MONOTONIC) }

sub late {
	for (1 .. $_[0]) {
		my $began = now();
		sleep(0.001);
		printf("%.0f\n", (now() - $began - 0.001) * 1e9);
	}
}

# The clock is a double, which has steps of some ns.
sub result_of {
	my ($name, $least, $nap) = @_;
	my $began = now();
	my $returned = $nap->();
	printf("%s %s %s\n", $name, $returned, now() - $began < $least - 1e-7 ? 'early' : 'in time');
}

# Signals come all the time: on a busy machine the first may come before the sleep, which it does not end.
sub interrupted {
	my ($handled, $raised) = (0, 0);
	local $SIG{ALRM} = sub { $handled++ };
	setitimer(ITIMER_REAL, 0.1, 0.1);
	my $slept = sleep(60);
	printf("a signal ends a sleep: %s, %s\n", $slept < 60 ? 'before its end' : 'not', $handled ? 'handled' : 'not handled');
	my ($found, $left) = select(undef, undef, undef, 60);
	printf("select %d, %s left\n", $found, $left > 0 && $left < 60 ? 'some' : $left);
	setitimer(ITIMER_REAL, 0);
	local $SIG{ALRM} = sub { die "stopped\n" if !$raised++ };
	eval { setitimer(ITIMER_REAL, 0.1, 0.1); usleep(60e6) };
	setitimer(ITIMER_REAL, 0);
	print("eval: $@");
}

sub results {
	for (1 .. 5) {
		result_of('sleep', 0.004, sub { sleep(0.004) >= 0.004 - 1e-6 });
		result_of('usleep', 0.004, sub { usleep(4000) >= 3999 });
		result_of('nanosleep', 0.004, sub { nanosleep(4e6) >= 4e6 - 1000 });
		result_of('clock_nanosleep', 0.004, sub { clock_nanosleep(CLOCK_REALTIME, 4e6) >= 4e6 - 1000 });
		result_of('until', 0.004, sub { clock_nanosleep(CLOCK_MONOTONIC, (now() + 0.004) * 1e9, TIMER_ABSTIME) > 0 });
		result_of('select', 0.004, sub { join(' ', map { $_ + 0 } select(undef, undef, undef, 0.004)) });
	}
	# A difference of whole seconds: 2 where a second begins while the thread wakes.
	result_of('core sleep', 1, sub { my $s = CORE::sleep(1); $s == 1 || $s == 2 });
	interrupted();
}

$| = 1;
$ARGV[0] eq 'late' ? late($ARGV[1]) : results();
