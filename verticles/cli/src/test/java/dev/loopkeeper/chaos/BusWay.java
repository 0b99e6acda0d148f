package dev.loopkeeper.chaos;

import dev.loopkeeper.cluster.BusAddress;
import dev.loopkeeper.cluster.BusOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/**
 * The way to a node over the event bus. Root gives it an address of the loopback network that nobody else has, and can cut
 * it: then nothing comes to that address. Others get ports of the usual one.
 */
final class BusWay implements AutoCloseable {
    private static final int PORT = 5701;
    private static final int FIRST_FREE = 24_000;
    private static final int APART = 1_000;
    private static final int NETWORKS = 250;

    private final BusAddress place;
    private final boolean own;
    private boolean cut;

    /** @param number of the node, from 1 */
    BusWay(int number) {
        // Another test at the same time has other addresses.
        String address = "127.77." + ProcessHandle.current().pid() % NETWORKS + "." + number;
        own = Programs.run("ip", "address", "add", address + "/32", "dev", "lo");
        place = own ? new BusAddress(address, PORT) : new BusAddress("127.0.0.1", free(number));
    }

    /** Below those that the system gives to connections by itself, and with the port above by 100 free too. */
    private static int free(int number) {
        int port = FIRST_FREE + number * APART;
        while (!isFree(port) || !isFree(port + BusOptions.MESSAGES)) {
            port++;
        }
        return port;
    }

    private static boolean isFree(int port) {
        try (ServerSocket held = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return held.isBound();
        } catch (IOException taken) {
            return false;
        }
    }

    /** As {@code --cluster} wants it. */
    String place() {
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
