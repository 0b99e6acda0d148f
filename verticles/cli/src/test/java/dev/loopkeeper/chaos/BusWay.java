package dev.loopkeeper.chaos;

import java.io.IOException;

/**
 * The way to a node over the event bus: an address of the loopback network that nobody else has. While it is cut nothing
 * comes to that address. Only root can cut it.
 */
final class BusWay {
    private static final int PORT = 5701;
    private static final int NETWORKS = 250;

    private final String address;
    private boolean cut;

    /** @param number of the node, from 1 */
    BusWay(int number) {
        // Another test at the same time has other addresses.
        address = "127.77." + ProcessHandle.current().pid() % NETWORKS + "." + number;
    }

    /** As {@code --cluster} wants it. */
    String place() {
        return address + ":" + PORT;
    }

    /** Whether this user may cut it. */
    boolean canBeCut() throws IOException {
        cut();
        boolean can = cut;
        heal();
        return can;
    }

    void cut() {
        cut = cut || route("add");
    }

    void heal() throws IOException {
        if (cut && !route("del")) {
            throw new IOException("ip route del blackhole " + address + " table local: was refused");
        }
        cut = false;
    }

    private boolean route(String verb) {
        return Programs.run("ip", "route", verb, "blackhole", address + "/32", "table", "local");
    }
}
