package dev.loopkeeper;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/** Ports for tests that have to know one before anybody listens on it. */
public final class FreePorts {
    /** Above 10080, which browsers refuse to go to. */
    private static final int FIRST_PORT = 11_000;

    private static final int PORTS_OF_A_JVM = 100;
    private static final int WINDOW = (int) (ProcessHandle.current().pid() % 100);
    private static final AtomicInteger NEXT = new AtomicInteger();

    private FreePorts() {}

    /** None that the system gives to a connection on its own, and none of another JVM of the tests. */
    public static int next() {
        int port;
        do {
            port = FIRST_PORT + PORTS_OF_A_JVM * WINDOW + NEXT.getAndIncrement() % PORTS_OF_A_JVM;
        } while (!isFree(port));
        return port;
    }

    private static boolean isFree(int port) {
        try (ServerSocket held = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return held.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
