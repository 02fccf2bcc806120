// SPDX-License-Identifier: MIT
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Sleeps late COUNT: how late each of COUNT sleeps of 1 ms ends, in ns.
 * Sleeps results: the results of sleeps, which are the same in each run.
 */
public class Sleeps {
	static final long LENGTH_NS = 4_000_000;

	interface Nap {
		void take() throws Exception;
	}

	static void late(int count) throws InterruptedException {
		for (; count > 0; count--) {
			long began = System.nanoTime();
			Thread.sleep(1);
			System.out.println(System.nanoTime() - began - 1_000_000);
		}
	}

	static void resultOf(String name, Nap nap) throws Exception {
		long began = System.nanoTime();
		nap.take();
		System.out.println(name + (System.nanoTime() - began < LENGTH_NS ? " early" : " in time"));
	}

	/* It may return for no reason. */
	static void park() {
		long end = System.nanoTime() + LENGTH_NS, left;
		while ((left = end - System.nanoTime()) > 0)
			LockSupport.parkNanos(left);
	}

	static void interrupted() throws InterruptedException {
		Thread sleeper = new Thread(() -> {
			try {
				Thread.sleep(60_000);
				System.out.println("slept");
			} catch (InterruptedException e) {
				System.out.println("interrupted");
			}
		});
		sleeper.start();
		Thread.sleep(20);
		sleeper.interrupt();
		sleeper.join();
	}

	static void results() throws Exception {
		for (int i = 0; i < 5; i++) {
			resultOf("sleep", () -> Thread.sleep(4));
			resultOf("parkNanos", Sleeps::park);
		}
		resultOf("await", () -> System.out.println(new CountDownLatch(1).await(4, TimeUnit.MILLISECONDS)));
		var executor = Executors.newSingleThreadScheduledExecutor();
		resultOf("schedule",
			() -> System.out.println(executor.schedule(() -> 42, 4, TimeUnit.MILLISECONDS).get()));
		executor.shutdown();
		interrupted();
	}

	public static void main(String[] args) throws Exception {
		if (args[0].equals("late"))
			late(Integer.parseInt(args[1]));
		else
			results();
	}
}
