package dev.loopkeeper.store.postgres;

import io.vertx.core.net.ClientSSLOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Encrypted connections, to a server whose certificate names the host of the address and is signed by somebody who is
 * trusted; any other is refused. Who is trusted is read anew for each connection.
 *
 * @param authorities certificates of those who are trusted, PEM, one or more in a file; absent: whom Java trusts
 */
public record StoreTls(Optional<Path> authorities) {
    /** Trusts whom Java trusts. */
    public static final StoreTls SYSTEM = new StoreTls(Optional.empty());

    /** Trusts those of this file alone. */
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
