package dev.loopkeeper.chaos;

import dev.loopkeeper.cli.BusPorts;
import dev.loopkeeper.cluster.BusAddress;
import java.io.IOException;

/**
 * The way to a node over the event bus. Root gives it an address of the loopback network that no other node has, and can cut
 * it: then nothing comes to that address. Others get ports of the usual one.
 */
final class BusWay implements AutoCloseable {
    private static final int PORT = 5701;
    private static final int NETWORKS = 250;

    private final BusAddress place;
    private final boolean own;
    private boolean cut;

    /** @param number of the node, from 1 */
    BusWay(int number) {
        // Another test at the same time has other addresses.
        String address = "127.77." + ProcessHandle.current().pid() % NETWORKS + "." + number;
        own = Programs.run("ip", "address", "add", address + "/32", "dev", "lo");
        place = own ? new BusAddress(address, PORT) : BusPorts.free();
    }

    /** As {@code --cluster} wants it. */
    String address() {
        return place.toString();
    }

    boolean canBeCut() {
        return own;
    }

    void cut() throws IOException {
        if (!cut) {
            change("ip", "route", "prepend", "blackhole", place.host() + "/32", "table", "local");
            cut = true;
        }
    }

    void heal() throws IOException {
        if (cut) {
            change("ip", "route", "del", "blackhole", place.host() + "/32", "table", "local");
            cut = false;
        }
    }

    private static void change(String... words) throws IOException {
        if (!Programs.run(words)) {
            throw new IOException(String.join(" ", words) + " was refused");
        }
    }

    @Override
    public void close() throws IOException {
        heal();
        if (own) {
            change("ip", "address", "del", place.host() + "/32", "dev", "lo");
        }
    }
}
