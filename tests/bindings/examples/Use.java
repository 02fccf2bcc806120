// SPDX-License-Identifier: MIT
import java.util.concurrent.LinkedBlockingQueue;

final class Use {
    static int errno(Sleeps.Call call) {
        try {
            call.run();
            return 0;
        } catch (Sleeps.Failed error) {
            return error.errno;
        } catch (Throwable error) {
            return -1;
        }
    }

    public static void main(String[] args) throws Throwable {
        LinkedBlockingQueue<Integer> ended = new LinkedBlockingQueue<>();
        Sleeps.Sleeper sleeper = new Sleeps.Sleeper();
        for (int i = 0; i < 2; i++) {
            Thread.ofPlatform().start(() -> ended.add(errno(() -> sleeper.sleep(10_000_000_000L))));
        }
        System.out.println("second: " + (ended.take() == 16)); // EBUSY
        sleeper.interrupt();
        System.out.println("first: " + (ended.take() == 125)); // ECANCELED
        sleeper.close();
        sleeper.close();
        System.out.println("closed: " + (errno(() -> sleeper.sleep(1)) == 22 && errno(sleeper::interrupt) == 22));
    }
}
