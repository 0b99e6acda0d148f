package dev.loopkeeper.process.tree;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Memory layout of {@code struct epoll_event}: event bits and our number.
 *
 * @param bytes size of an event
 * @param dataAt offset of the number
 */
record EpollEvents(int bytes, int dataAt) {
    /** The kernel packs the struct on x86_64 only. */
    static EpollEvents ofThisMachine() {
        return List.of("amd64", "x86_64").contains(System.getProperty("os.arch"))
                ? new EpollEvents(12, 4)
                : new EpollEvents(16, 8);
    }

    /**
     * Returns an event to register.
     *
     * @param what the {@code EPOLL…} bits
     * @param data returned with the event
     */
    byte[] event(int what, long data) {
        ByteBuffer event = ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
        return event.putInt(0, what).putLong(dataAt, data).array();
    }

    /** Returns the number of one event among several. */
    long data(ByteBuffer events, int which) {
        return events.getLong(which * bytes + dataAt);
    }
}
