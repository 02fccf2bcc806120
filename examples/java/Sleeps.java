// SPDX-License-Identifier: MIT
/*
 * A clock and an interruptible sleep of libhpt, by Java's FFM API. JDK 22 or later:
 *
 *	java --enable-native-access=ALL-UNNAMED Sleeps.java
 *
 * Expect reads that cost about as much as System.nanoTime(), and half of the sleeps late by some microseconds, where
 * Thread.sleep() is late by 60 or more. A sleep blocks its thread, and not the collector of garbage. It holds the
 * carrier of a virtual thread too: as many sleeps as there are carriers block all other virtual threads.
 */
import static java.lang.foreign.FunctionDescriptor.of;
import static java.lang.foreign.FunctionDescriptor.ofVoid;
import static java.lang.foreign.ValueLayout.*;

import java.lang.foreign.*;
import java.lang.invoke.MethodHandle;
import java.util.*;

final class Sleeps {
    static final SymbolLookup HPT = SymbolLookup.libraryLookup("libhpt.so.1", Arena.global());
    // A critical call is cheap, and the collector waits for its end: right for a read, wrong for a sleep.
    static final MethodHandle NOW = bind("hpt_now_ns", of(JAVA_LONG, ADDRESS), Linker.Option.critical(false));
    static final MethodHandle INFO = bind("hpt_clock_get_info", of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG));
    static final MethodHandle NAME = bind("hpt_source_name", of(ADDRESS, JAVA_INT));
    static final MethodHandle NEW = bind("hpt_waiter_new", of(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS));
    static final MethodHandle SLEEP = bind("hpt_waiter_sleep_ns", of(JAVA_INT, ADDRESS, JAVA_LONG));
    static final MethodHandle INTERRUPT = bind("hpt_waiter_interrupt", of(JAVA_INT, ADDRESS));
    static final MethodHandle FREE = bind("hpt_waiter_free", ofVoid(ADDRESS));
    static final int ECANCELED = 125;

    interface Call { void run() throws Throwable; }

    static class Failed extends Exception {
        final int errno;
        Failed(int errno) { super("libhpt: errno " + errno); this.errno = errno; }
    }

    /** As in C, one thread at a time sleeps on it, any may interrupt it, and close() comes when no call is on it. */
    static class Sleeper implements AutoCloseable {
        private MemorySegment waiter; // after close() NULL, to which the library answers EINVAL
        Sleeper() throws Throwable {
            MemorySegment result = Arena.ofAuto().allocate(ADDRESS);
            check((int) NEW.invokeExact(MemorySegment.NULL, 0, result));
            waiter = result.get(ADDRESS, 0);
        }
        void sleep(long ns) throws Throwable {
            long start = now();
            int state = check((int) SLEEP.invokeExact(waiter, ns)); // above 0: the clocks moved against each other
            if (state == 0 && now() - start < ns) throw new IllegalStateException("a sleep ended early");
        }
        void interrupt() throws Throwable { check((int) INTERRUPT.invokeExact(waiter)); }
        public void close() throws Exception {
            try { FREE.invokeExact(waiter); } catch (Throwable error) { throw new Exception(error); }
            waiter = MemorySegment.NULL;
        }
    }

    static MethodHandle bind(String name, FunctionDescriptor type, Linker.Option... options) {
        return Linker.nativeLinker().downcallHandle(HPT.find(name).orElseThrow(), type, options);
    }
    static int check(int result) throws Failed { if (result < 0) throw new Failed(-result); return result; }
    static long now() throws Throwable { return (long) NOW.invokeExact(MemorySegment.NULL); }
    static String source() throws Throwable {
        MemorySegment info = Arena.ofAuto().allocate(256, 8); // struct hpt_clock_info, and room
        check((int) INFO.invokeExact(MemorySegment.NULL, info, 256L));
        return ((MemorySegment) NAME.invokeExact(info.get(JAVA_INT, 4))).reinterpret(100).getString(0);
    }
    static double cost(int count, Call call) throws Throwable {
        long start = now();
        for (int i = 0; i < count; i++) call.run();
        return (double) (now() - start) / count;
    }

    public static void main(String[] args) throws Throwable { // an exception is exit 1
        Locale.setDefault(Locale.ROOT);
        double[][] found = new double[4][100];
        try (Sleeper sleeper = new Sleeper()) {
            for (int i = 0; i < 100; i++) {
                found[0][i] = cost(10000, Sleeps::now);
                found[1][i] = cost(10000, System::nanoTime);
                found[2][i] = cost(1, () -> sleeper.sleep(1_000_000)) / 1e3 - 1000;
                found[3][i] = cost(1, () -> Thread.sleep(1)) / 1e3 - 1000;
            }
            for (double[] values : found) Arrays.sort(values);
            String late = "late: %s %.3f us in the median, 90 %% within %.3f us%n";
            System.out.println("source: " + source());
            System.out.printf("read: hpt %.1f ns, System.nanoTime %.1f ns%n", found[0][50], found[1][50]);
            System.out.printf(late, "hpt", found[2][50], found[2][90]);
            System.out.printf(late, "Thread.sleep", found[3][50], found[3][90]);
            double ms = cost(1, () -> interrupted(sleeper)) / 1e6;
            System.out.printf("interrupted after %.1f ms of 10000%n", ms);
        }
    }
    static void interrupted(Sleeper sleeper) throws Throwable {
        Thread other = Thread.ofPlatform().start(() -> {
            try { Thread.sleep(20); sleeper.interrupt(); } catch (Throwable error) { error.printStackTrace(); }
        });
        try { sleeper.sleep(10_000_000_000L); } catch (Failed error) { if (error.errno != ECANCELED) throw error; }
        other.join(); // before close()
    }
}
