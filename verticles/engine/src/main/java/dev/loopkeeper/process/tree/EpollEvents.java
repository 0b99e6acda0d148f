package dev.loopkeeper.process.tree;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * How {@code struct epoll_event} lies in memory: what happened, and a number of ours.
 *
 * @param bytes of one event
 * @param dataAt where the number begins
 */
record EpollEvents(int bytes, int dataAt) {
    /** The kernel packs it on x86_64 alone. */
    static EpollEvents ofThisMachine() {
        return List.of("amd64", "x86_64").contains(System.getProperty("os.arch"))
                ? new EpollEvents(12, 4)
                : new EpollEvents(16, 8);
    }

    /**
     * One event to be asked for.
     *
     * @param what the {@code EPOLL…} bits
     * @param data told with it
     */
    byte[] event(int what, long data) {
        ByteBuffer event = ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
        return event.putInt(0, what).putLong(dataAt, data).array();
    }

    /** The number of this event among several. */
    long data(ByteBuffer events, int which) {
        return events.getLong(which * bytes + dataAt);
    }
}
