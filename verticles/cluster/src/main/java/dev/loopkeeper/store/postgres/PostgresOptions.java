package dev.loopkeeper.store.postgres;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Where the database is.
 *
 * @param url e.g. {@code postgresql://loopkeeper@db:5432/loopkeeper}; never with a password, which lists of processes show
 * @param password absent: the server asks for none
 * @param patience for a connection and for each answer, above zero; default 5 s. Then the store counts as away
 * @param tls absent: nothing is encrypted; default verified, to this host itself nothing
 */
public record PostgresOptions(String url, Optional<String> password, Duration patience, Optional<StoreTls> tls) {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    /** Refuses, with {@link IllegalArgumentException}, another address, and one with a password or with parameters. */
    public PostgresOptions {
        URI address = URI.create(url);
        if (!"postgresql".equals(address.getScheme()) || address.getHost() == null) {
            throw new IllegalArgumentException("a store is named like postgresql://user@host:5432/database");
        }
        if (address.getUserInfo() != null && address.getUserInfo().indexOf(':') >= 0) {
            throw new IllegalArgumentException("the address of the store must not hold a password; give it apart");
        }
        if (address.getRawQuery() != null) {
            throw new IllegalArgumentException("the address of the store must be without parameters");
        }
        if (patience.isNegative() || patience.isZero()) {
            throw new IllegalArgumentException("patience must be above 0, was " + patience);
        }
    }

    /** With the default for this host. */
    public PostgresOptions(String url, Optional<String> password, Duration patience) {
        this(url, password, patience, Optional.of(StoreTls.SYSTEM).filter(tls -> !isLocal(url)));
    }

    /** Whether what is sent there stays on this machine. */
    public static boolean isLocal(String url) {
        return LOOPBACK.contains(String.valueOf(URI.create(url).getHost()));
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
        return new PostgresOptions(url, Optional.of(secret), patience, tls);
    }

    /** The same with this password; absent: with none. */
    public PostgresOptions password(Optional<String> secret) {
        return new PostgresOptions(url, secret, patience, tls);
    }

    /** The same, encrypted like this; absent: not at all, over a network that is one's own. */
    public PostgresOptions tls(Optional<StoreTls> encrypted) {
        return new PostgresOptions(url, password, patience, encrypted);
    }

    /** The same with this patience. */
    public PostgresOptions patience(Duration limit) {
        return new PostgresOptions(url, password, limit, tls);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "PostgresOptions[url=" + url + ", patience=" + patience + ", tls=" + tls + "]";
    }
}
