// SPDX-License-Identifier: MIT

import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Handovers COUNT: hand-overs with time-outs, and interrupts of waits, while the collector stops all threads. */
class Handovers {
    static final AtomicInteger taken = new AtomicInteger(), parked = new AtomicInteger();

    static void take(SynchronousQueue<Integer> queue, int count) {
        try {
            for (int next = 0; next < count;) {
                Integer got = queue.poll(300, TimeUnit.MICROSECONDS);
                if (got == null)
                    continue;
                if (got != next++)
                    throw new IllegalStateException("out of order");
                taken.incrementAndGet();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static void give(SynchronousQueue<Integer> queue, int count) throws InterruptedException {
        for (int i = 0; i < count; i++)
            while (!queue.offer(i, 300, TimeUnit.MICROSECONDS))
                Thread.yield();
    }

    /* Each permit ends a wait, or is there for the next one. */
    static void park(int count) {
        while (parked.get() < count)
            LockSupport.parkNanos(200_000);
    }

    /* A wait that is not interrupted takes an hour. */
    static int interrupted(int count) throws InterruptedException {
        AtomicInteger ended = new AtomicInteger();
        for (int i = 0; i < count; i++) {
            boolean sleeps = i % 2 == 0;
            Thread thread = new Thread(() -> {
                try {
                    if (sleeps)
                        Thread.sleep(3600_000);
                    synchronized (ended) {
                        ended.wait(3600_000);
                    }
                } catch (InterruptedException e) {
                    ended.incrementAndGet();
                }
            });
            thread.start();
            thread.interrupt();
            thread.join();
        }
        return ended.get();
    }

    static void collect() {
        for (;;) {
            System.gc();
            LockSupport.parkNanos(1_000_000);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int count = Integer.parseInt(args[0]);
        SynchronousQueue<Integer> queue = new SynchronousQueue<>();
        Thread taker = new Thread(() -> take(queue, count)), parker = new Thread(() -> park(count));
        Thread collector = new Thread(Handovers::collect);
        collector.setDaemon(true);
        System.out.println("started");
        collector.start();
        taker.start();
        parker.start();
        give(queue, count);
        for (int i = 0; i < count; i++) {
            parked.incrementAndGet();
            LockSupport.unpark(parker);
        }
        taker.join();
        parker.join();
        System.out.println("taken " + taken + ", parked " + parked + ", interrupted " + interrupted(count / 10));
    }
}
