package dev.loopkeeper.store.postgres;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/**
 * Where the database is.
 *
 * @param url e.g. {@code postgresql://loopkeeper@db:5432/loopkeeper}; never with a password, which lists of processes show
 * @param password absent: the server asks for none
 * @param patience for a connection and for each answer, above zero; default 5 s. Then the store counts as away
 */
public record PostgresOptions(String url, Optional<String> password, Duration patience) {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** Refuses, with {@link IllegalArgumentException}, another address and one with a password. */
    public PostgresOptions {
        URI address = URI.create(url);
        if (!"postgresql".equals(address.getScheme()) || address.getHost() == null) {
            throw new IllegalArgumentException("a store is named like postgresql://user@host:5432/database");
        }
        if (address.getUserInfo() != null && address.getUserInfo().indexOf(':') >= 0) {
            throw new IllegalArgumentException("the address of the store must not hold a password; give it apart");
        }
        if (patience.isNegative() || patience.isZero()) {
            throw new IllegalArgumentException("patience must be above 0, was " + patience);
        }
    }

    /** What the server gives a statement: it ends before we give its answer up, and holds nobody up for long. */
    Duration statementLimit() {
        return patience.multipliedBy(3).dividedBy(5);
    }

    /** At this address, without a password. */
    public static PostgresOptions of(String url) {
        return new PostgresOptions(url, Optional.empty(), PATIENCE);
    }

    /** The same with this password. */
    public PostgresOptions password(String secret) {
        return new PostgresOptions(url, Optional.of(secret), patience);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "PostgresOptions[url=" + url + ", patience=" + patience + "]";
    }
}
