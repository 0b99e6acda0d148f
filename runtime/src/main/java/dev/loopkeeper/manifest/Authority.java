package dev.loopkeeper.manifest;

import java.net.URI;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The host and port of a URL. {@link URI#getHost} is null for a host with an underscore, as container names often have.
 *
 * @param port -1 when the URL names none
 */
public record Authority(String host, int port) {
    private static final Pattern WITH_UNDERSCORE =
            Pattern.compile("(?:[^@]*@)?([A-Za-z0-9._-]{1,253})(?::([0-9]{1,5}))?");
    private static final int LAST_PORT = 65_535;

    /** Empty when the URL has no host or its port is out of range. */
    public static Optional<Authority> of(URI url) {
        return (url.getHost() == null ? withUnderscore(url) : Optional.of(new Authority(url.getHost(), url.getPort())))
                .filter(read -> read.port() <= LAST_PORT);
    }

    private static Optional<Authority> withUnderscore(URI url) {
        Matcher parts = WITH_UNDERSCORE.matcher(
                Optional.ofNullable(url.getRawAuthority()).orElse(""));
        return parts.matches()
                ? Optional.of(
                        new Authority(parts.group(1), parts.group(2) == null ? -1 : Integer.parseInt(parts.group(2))))
                : Optional.empty();
    }

    /** The host, followed by the port if the URL names one. */
    public String text() {
        return port < 0 ? host : host + ":" + port;
    }
}
