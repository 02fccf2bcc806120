// SPDX-License-Identifier: MIT
/** Does nothing for an hour: what runs meanwhile are the virtual machine's own threads. */
public class Idle {
	public static void main(String[] args) throws InterruptedException {
		Thread.sleep(3_600_000);
	}
}
