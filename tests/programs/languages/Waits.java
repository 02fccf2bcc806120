// SPDX-License-Identifier: MIT
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits KIND late COUNT: how late each of COUNT waits of 1 ms ends that nothing ends sooner, in ns; then "cpu" and the
 * CPU time of a wait in its thread, in ns.
 * Waits KIND results: the results of waits that expire and of those that events end, which are the same in each run.
 * KIND: sleep, park, schedule, monitor, poll.
 */
public class Waits {
	static final int WARM_UP = 30, ITEMS = 200;
	static final long MS = 1_000_000;

	static final LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
	static final ArrayDeque<Integer> items = new ArrayDeque<>();
	static final Object monitor = new Object();
	static Thread getter = Thread.currentThread();
	static String kind;

	static Integer next() {
		synchronized (monitor) {
			return items.poll();
		}
	}

	static void put(int item) {
		if (kind.equals("poll")) {
			queue.add(item);
			return;
		}
		synchronized (monitor) {
			items.add(item);
			monitor.notify();
		}
		LockSupport.unpark(getter);
	}

	/* Both may return for no reason. */
	static Integer get(long ns) throws Exception {
		if (kind.equals("poll"))
			return queue.poll(ns, TimeUnit.NANOSECONDS);
		long end = System.nanoTime() + ns, left;
		Integer item;
		while ((item = next()) == null && (left = end - System.nanoTime()) > 0) {
			if (kind.equals("park")) {
				LockSupport.parkNanos(left);
				continue;
			}
			synchronized (monitor) {
				if (items.isEmpty())
					monitor.wait(left / MS, (int)(left % MS));
			}
		}
		return item;
	}

	static long cpuNs;

	/* The CPU time of this thread, but not in its first waits. */
	static void count(int waits, int all) {
		if (waits == WARM_UP)
			cpuNs = -ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
		if (waits == all)
			cpuNs += ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
	}

	/* Each is due 1 ms after the one before has run. */
	static void schedule(long[] found) throws Exception {
		var executor = Executors.newSingleThreadScheduledExecutor();
		var done = new CountDownLatch(found.length);
		executor.schedule(new Runnable() {
			int at = 0;
			long due = System.nanoTime() + MS;

			@Override public void run() {
				found[at++] = System.nanoTime() - due;
				count(at, found.length);
				if (at < found.length) {
					due = System.nanoTime() + MS;
					executor.schedule(this, MS, TimeUnit.NANOSECONDS);
				}
				done.countDown();
			}
		}, MS, TimeUnit.NANOSECONDS);
		done.await();
		executor.shutdown();
	}

	static void take(long ns) throws Exception {
		if (kind.equals("sleep"))
			Thread.sleep(ns / MS);
		else
			get(ns);
	}

	static void late(int count) throws Exception {
		long[] found = new long[WARM_UP + count];
		if (kind.equals("schedule"))
			schedule(found);
		else
			for (int i = 0; i < found.length; i++) {
				long began = System.nanoTime();
				take(MS);
				found[i] = System.nanoTime() - began - MS;
				count(i + 1, found.length);
			}
		for (int i = WARM_UP; i < found.length; i++)
			System.out.println(found[i]);
		System.out.println("cpu " + cpuNs / count);
	}

	static void expired() throws Exception {
		for (int i = 0; i < 5; i++) {
			long began = System.nanoTime();
			take(4 * MS);
			System.out.println(System.nanoTime() - began < 4 * MS ? "early" : "in time");
		}
	}

	static void scheduled() throws Exception {
		long[] found = new long[ITEMS];
		schedule(found);
		for (long late : found)
			if (late < 0)
				System.out.println("early by " + -late);
		System.out.println(ITEMS + " times, in time");
	}

	static void nap(int us) {
		try {
			TimeUnit.MICROSECONDS.sleep(us);
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	static void handedOver() throws Exception {
		Thread putter = new Thread(() -> {
			for (int i = 0; i < ITEMS; i++) {
				nap(i * 37 % 21 * 100);
				put(i);
			}
		});
		putter.start();
		int expected = 0;
		String when = "in time";
		while (expected < ITEMS) {
			long began = System.nanoTime();
			Integer item = get(expected == 0 ? 60_000 * MS : MS);
			if (item == null && System.nanoTime() - began < MS)
				when = "early";
			else if (item != null && item != expected++)
				System.out.println(item + " instead of " + (expected - 1));
		}
		putter.join();
		System.out.println(expected + " items, " + when);
	}

	public static void main(String[] args) throws Exception {
		kind = args[0];
		if (args[1].equals("late")) {
			late(Integer.parseInt(args[2]));
		} else if (kind.equals("schedule")) {
			scheduled();
		} else {
			expired();
			if (!kind.equals("sleep"))
				handedOver();
		}
	}
}
