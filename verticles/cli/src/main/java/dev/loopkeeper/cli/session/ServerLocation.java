package dev.loopkeeper.cli.session;

import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.data.ServerAddress;
import dev.loopkeeper.manifest.Authority;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The URL of a server and the credentials for it.
 *
 * @param url as given, without a slash at its end
 * @param token sent as bearer token
 * @param certificate file with the only trusted certificate; empty to use the trust store of Java
 */
public record ServerLocation(String url, Optional<String> token, Optional<String> certificate) {
    private static final String TOKEN_VARIABLE = "LOOPKEEPER_TOKEN";
    private static final String CERTIFICATE_VARIABLE = "LOOPKEEPER_SERVER_CERTIFICATE";

    /** Finds the server by {@code --server}, otherwise by the data folder's server file if its process is alive. */
    public static Optional<ServerLocation> find(RootCommand root) {
        Optional<ServerAddress> own = root.dataFolder().serverFile().read();
        return root.server()
                .or(() -> own.map(ServerAddress::url))
                .map(url -> of(url, root))
                .map(location -> location.trusting(own));
    }

    /** Returns the server of the process that owns the data folder, if it serves an address. */
    public static Optional<ServerLocation> owner(RootCommand root) {
        Optional<ServerAddress> own = root.dataFolder().serverFile().read();
        return own.map(ServerAddress::url).map(url -> of(url, root).trusting(own));
    }

    /** Returns the pid of this server, if it is the one of the data folder. */
    public static Optional<Long> process(RootCommand root, ServerLocation location) {
        return Optional.ofNullable(root)
                .flatMap(command -> command.dataFolder().serverFile().read())
                .filter(address -> address.url().equals(location.url()))
                .map(ServerAddress::pid);
    }

    /** Trusts the server of this data folder by its own certificate, independent of the issuer. */
    private ServerLocation trusting(Optional<ServerAddress> own) {
        Optional<ServerAddress> same = own.filter(address -> address.url().equals(url));
        return new ServerLocation(
                url,
                token.or(() -> same.flatMap(ServerAddress::secret)),
                same.flatMap(ServerAddress::certificate).or(() -> certificate));
    }

    static ServerLocation of(String url, RootCommand root) {
        try {
            URI uri = new URI(url.endsWith("/") ? url.substring(0, url.length() - 1) : url);
            boolean usable = ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
                    && Authority.of(uri).isPresent()
                    && uri.getPath().isEmpty();
            if (usable) {
                return new ServerLocation(uri.toString(), token(root), variable(root, CERTIFICATE_VARIABLE));
            }
        } catch (URISyntaxException noUrl) {
            // Refused below, like a URL of another kind.
        }
        throw CommandFailure.refused(
                "'" + Words.oneLine(url) + "' is not a server URL; give one such as http://127.0.0.1:7420");
    }

    private static Optional<String> token(RootCommand root) {
        return variable(root, TOKEN_VARIABLE).or(() -> root.tokenFile().map(ServerLocation::first));
    }

    private static Optional<String> variable(RootCommand root, String name) {
        return Optional.of(root.console().environment().getOrDefault(name, "")).filter(value -> !value.isEmpty());
    }

    private static String first(Path file) {
        try {
            return Files.readAllLines(file).stream()
                    .map(line -> line.replace("\uFEFF", "").strip()) // some editors begin a file with a byte order mark
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .map(line -> line.split("\\s+", 2)[0])
                    .findFirst()
                    .orElseThrow(() -> CommandFailure.refused("the token file " + file + " holds no token"));
        } catch (IOException unreadable) {
            throw CommandFailure.refused("the token file " + file + " cannot be read; check --token-file");
        }
    }
}
