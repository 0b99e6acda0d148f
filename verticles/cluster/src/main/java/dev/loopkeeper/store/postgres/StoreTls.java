package dev.loopkeeper.store.postgres;

import io.vertx.core.net.ClientSSLOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Verified TLS to the database: the certificate must name the host of the URL and be signed by a trusted authority.
 * Trusted certificates are read again for each connection.
 *
 * @param authorities PEM file of trusted certificates; absent: those that Java trusts
 */
public record StoreTls(Optional<Path> authorities) {
    /** Trusts the authorities that Java trusts. */
    public static final StoreTls SYSTEM = new StoreTls(Optional.empty());

    /** Trusts only the authorities in this file. */
    public static StoreTls of(Path authorities) {
        return new StoreTls(Optional.of(authorities));
    }

    void on(PgConnectOptions connect) {
        ClientSSLOptions verifying = new ClientSSLOptions().setHostnameVerificationAlgorithm("HTTPS");
        verifying.setTrustOptions(new StoreTrust(authorities));
        connect.setSslMode(SslMode.VERIFY_FULL);
        connect.setSslOptions(verifying);
    }
}
