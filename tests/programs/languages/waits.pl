# SPDX-License-Identifier: MIT
# waits.pl late COUNT: how late each of COUNT waits of 1 ms ends that nothing ends sooner, in ns; then "cpu" and the CPU
# time of a wait, in ns.
# waits.pl results: the results of waits that expire and of those that events end, which are the same in each run.
use strict;
use warnings;
use Time::HiRes qw(usleep clock_gettime CLOCK_MONOTONIC CLOCK_PROCESS_CPUTIME_ID);

my ($WARM_UP, $ITEMS) = (30, 200);

pipe(my $reader, my $writer) or die;

sub now { return clock_gettime(CLOCK_MONOTONIC) }

sub get {
	my $set = '';
	vec($set, fileno($reader), 1) = 1;
	return undef if !select($set, undef, undef, $_[0]);
	sysread($reader, my $byte, 1) or die;
	return ord($byte);
}

sub late {
	my ($count, @found) = @_;
	my $before = clock_gettime(CLOCK_PROCESS_CPUTIME_ID);
	for (1 .. $WARM_UP + $count) {
		my $began = now();
		get(0.001);
		push(@found, (now() - $began - 0.001) * 1e9);
	}
	my $cpu = (clock_gettime(CLOCK_PROCESS_CPUTIME_ID) - $before) / @found * 1e9;
	printf("%.0f\n", $_) for @found[$WARM_UP .. $#found];
	printf("cpu %.0f\n", $cpu);
}

# The clock is a double, which has steps of some ns.
sub when { return now() - $_[0] < $_[1] - 1e-7 ? 'early' : 'in time' }

sub put_all {
	close($reader);
	for my $item (0 .. $ITEMS - 1) {
		usleep($item * 37 % 21 * 100);
		syswrite($writer, chr($item)) or die;
	}
	exit(0);
}

sub results {
	for (1 .. 5) {
		my $began = now();
		printf("%s, %s\n", get(0.004) // 'none', when($began, 0.004));
	}
	my $child = fork() // die;
	put_all() if !$child;
	my ($expected, $all) = (0, 'in time');
	while ($expected < $ITEMS) {
		my $began = now();
		my $item = get($expected ? 0.001 : 60);
		$all = 'early' if !defined($item) && when($began, 0.001) eq 'early';
		print("$item instead of $expected\n") if defined($item) && $item != $expected;
		$expected++ if defined($item);
	}
	waitpid($child, 0);
	print("$expected items, $all, exit $?\n");
}

$| = 1;
$ARGV[0] eq 'late' ? late($ARGV[1]) : results();
