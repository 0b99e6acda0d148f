package dev.loopkeeper.store.postgres;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Options of the connection to a PostgreSQL database.
 *
 * @param url e.g. {@code postgresql://loopkeeper@db:5432/loopkeeper}; never with a password, which process lists would
 *     show
 * @param password absent if the server requires none
 * @param patience limit of a connection attempt and of each query, above zero, after which the store is unavailable;
 *     default 5 s
 * @param tls absent: no encryption. Default: verified TLS, except to this host
 */
public record PostgresOptions(String url, Optional<String> password, Duration patience, Optional<StoreTls> tls) {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    /** Fails with {@link IllegalArgumentException} for a URL of another form, with a password or with parameters. */
    public PostgresOptions {
        URI address = URI.create(url);
        if (!"postgresql".equals(address.getScheme()) || address.getHost() == null) {
            throw new IllegalArgumentException("the store's URL must be like postgresql://user@host:5432/database");
        }
        if (address.getRawUserInfo() != null && address.getRawUserInfo().indexOf(':') >= 0) {
            throw new IllegalArgumentException(
                    "the store's URL must not contain a password; pass it in LOOPKEEPER_STORE_PASSWORD");
        }
        if (address.getRawQuery() != null) {
            throw new IllegalArgumentException("the store's URL must not have parameters");
        }
        if (patience.isNegative() || patience.isZero()) {
            throw new IllegalArgumentException("patience must be above 0, was " + patience);
        }
    }

    /** Uses the default TLS for the host. */
    public PostgresOptions(String url, Optional<String> password, Duration patience) {
        this(url, password, patience, Optional.of(StoreTls.SYSTEM).filter(tls -> !isLocal(url)));
    }

    /** Returns whether the database is on this machine. */
    public static boolean isLocal(String url) {
        return LOOPBACK.contains(String.valueOf(URI.create(url).getHost()));
    }

    /**
     * Returns the server's statement timeout, shorter than the client's: a slow statement ends before the client gives
     * up.
     */
    Duration statementLimit() {
        return patience.multipliedBy(3).dividedBy(5);
    }

    /** Options for this URL without a password. */
    public static PostgresOptions of(String url) {
        return new PostgresOptions(url, Optional.empty(), PATIENCE);
    }

    /** Returns the options with this password. */
    public PostgresOptions password(String secret) {
        return new PostgresOptions(url, Optional.of(secret), patience, tls);
    }

    /** Returns the options with this password, or without one. */
    public PostgresOptions password(Optional<String> secret) {
        return new PostgresOptions(url, secret, patience, tls);
    }

    /** Returns the options with this TLS; absent: no encryption, for a private network. */
    public PostgresOptions tls(Optional<StoreTls> encrypted) {
        return new PostgresOptions(url, password, patience, encrypted);
    }

    /** Returns the options with this limit. */
    public PostgresOptions patience(Duration limit) {
        return new PostgresOptions(url, password, limit, tls);
    }

    /** Omits the password. */
    @Override
    public String toString() {
        return "PostgresOptions[url=" + url + ", patience=" + patience + ", tls=" + tls + "]";
    }
}
