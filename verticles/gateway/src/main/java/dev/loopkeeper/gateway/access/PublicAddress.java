package dev.loopkeeper.gateway.access;

import dev.loopkeeper.manifest.Authority;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;

/**
 * Public URL of the server, such as that of a proxy; its name is accepted as one of the server's own.
 *
 * @param host name or address in lower case, e.g. {@code loops.example}
 * @param authority what a browser sends as {@code Host}: with the port unless it is the scheme's default
 * @param origin what a browser sends as {@code Origin}, e.g. {@code https://loops.example}
 */
public record PublicAddress(String host, String authority, String origin) {
    private static final int HTTP = 80;
    private static final int HTTPS = 443;

    /**
     * Parses a URL such as {@code https://loops.example}. Empty unless it has exactly a scheme (http or https), a name
     * and optionally a port, since the dashboard requires the root path.
     */
    public static Optional<PublicAddress> of(String text) {
        try {
            return of(new URI(text.toLowerCase(Locale.ROOT)));
        } catch (URISyntaxException malformed) {
            return Optional.empty();
        }
    }

    private static Optional<PublicAddress> of(URI url) {
        boolean web = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
        boolean bare = ("".equals(url.getRawPath()) || "/".equals(url.getRawPath()))
                && url.getRawQuery() == null
                && url.getRawFragment() == null
                && !String.valueOf(url.getRawAuthority()).contains("@");
        int usual = "https".equals(url.getScheme()) ? HTTPS : HTTP;
        return Authority.of(url).filter(read -> web && bare).map(read -> {
            String authority = read.port() == usual ? read.host() : read.text();
            return new PublicAddress(read.host(), authority, url.getScheme() + "://" + authority);
        });
    }
}
