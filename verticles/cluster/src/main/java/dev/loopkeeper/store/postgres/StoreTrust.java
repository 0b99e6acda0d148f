package dev.loopkeeper.store.postgres;

import io.vertx.core.Vertx;
import io.vertx.core.net.TrustOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Verifies the database's certificate and keeps the reason of a refusal, which the client does not report. Reads the
 * trusted certificates again for each connection, off the event loop.
 */
final class StoreTrust implements TrustOptions {
    private final Optional<Path> authorities;
    private final AtomicReference<CertificateException> refused = new AtomicReference<>();

    StoreTrust(Optional<Path> authorities) {
        this.authorities = authorities;
    }

    /** Returns and clears the reason of the last refusal. */
    Optional<CertificateException> refused() {
        return Optional.ofNullable(refused.getAndSet(null));
    }

    /** Returns this object: the client copies its options, and the reason must be known here. */
    @Override
    public TrustOptions copy() {
        return this;
    }

    @Override
    public TrustManagerFactory getTrustManagerFactory(Vertx vertx) throws Exception {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(authorities.isPresent() ? read(authorities.get()) : null);
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509ExtendedTrustManager judge) {
                return TrustOptions.wrap(new Judge(judge)).getTrustManagerFactory(vertx);
            }
        }
        throw new GeneralSecurityException("this Java runtime has no X.509 trust manager");
    }

    private static KeyStore read(Path file) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream content = Files.newInputStream(file)) {
            for (Certificate trusted : CertificateFactory.getInstance("X.509").generateCertificates(content)) {
                store.setCertificateEntry(Integer.toString(store.size()), trusted);
            }
        }
        return store;
    }

    @Override
    public Function<String, TrustManager[]> trustManagerMapper(Vertx vertx) {
        return name -> null;
    }

    /** Records the refusal of the one method that the client calls; the others only delegate or refuse. */
    private final class Judge extends X509ExtendedTrustManager {
        private final X509ExtendedTrustManager judge;

        Judge(X509ExtendedTrustManager judge) {
            this.judge = judge;
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind, SSLEngine engine)
                throws CertificateException {
            try {
                judge.checkServerTrusted(chain, kind, engine);
            } catch (CertificateException why) {
                refused.set(why);
                throw why;
            }
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind, Socket socket)
                throws CertificateException {
            judge.checkServerTrusted(chain, kind, socket);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind) throws CertificateException {
            throw new CertificateException("without a connection the host name cannot be verified");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind, SSLEngine engine)
                throws CertificateException {
            judge.checkClientTrusted(chain, kind, engine);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind, Socket socket)
                throws CertificateException {
            judge.checkClientTrusted(chain, kind, socket);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind) throws CertificateException {
            judge.checkClientTrusted(chain, kind);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return judge.getAcceptedIssuers();
        }
    }
}
