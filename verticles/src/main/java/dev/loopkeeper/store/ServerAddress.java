package dev.loopkeeper.store;

import java.time.Instant;

/**
 * How the owner of a data folder is reached.
 *
 * @param url e.g. {@code http://127.0.0.1:7345}
 * @param pid of the owner
 * @param startedAt when it began to listen
 */
public record ServerAddress(String url, long pid, Instant startedAt) {}
