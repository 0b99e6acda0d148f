package dev.loopkeeper.cli;

import dev.loopkeeper.cluster.BusAddress;
import dev.loopkeeper.cluster.BusOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Addresses for tests that name members of the bus before they listen. */
public final class BusPorts {
    /** Above those of FreePorts. */
    private static final int FIRST = 21_000;

    /** Of ports for membership, with as many above them for messages. */
    private static final int RANGE = 2 * BusOptions.MESSAGES;
    /** All of them below those that the system gives to connections on its own. */
    private static final int RANGES = (32_768 - FIRST) / RANGE;

    /** Other tests at the same time begin elsewhere. */
    private static int next = (int) (ProcessHandle.current().pid() % RANGES) * BusOptions.MESSAGES;

    private BusPorts() {}

    /** One whose two ports are free; each is given once in this process. */
    public static synchronized BusAddress free() {
        for (int tried = 0; tried < RANGES * BusOptions.MESSAGES; tried++) {
            int port = FIRST + next / BusOptions.MESSAGES * RANGE + next % BusOptions.MESSAGES;
            next = (next + 1) % (RANGES * BusOptions.MESSAGES);
            if (isFree(port) && isFree(port + BusOptions.MESSAGES)) {
                return new BusAddress("127.0.0.1", port);
            }
        }
        throw new IllegalStateException("no two ports are free");
    }

    private static boolean isFree(int port) {
        try (ServerSocket held = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return held.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
