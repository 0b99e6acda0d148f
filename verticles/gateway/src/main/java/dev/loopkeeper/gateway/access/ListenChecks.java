package dev.loopkeeper.gateway.access;

import dev.loopkeeper.submit.AllowedFolders;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/** Checks address, tokens, TLS files and workspaces before the server listens. */
public final class ListenChecks {
    private ListenChecks() {}

    /** The checked options. */
    public record Passed(Access access, AllowedWorkspaces workspaces) {}

    public static Future<Passed> open(Vertx vertx, GatewayOptions options) {
        return access(vertx, options)
                .compose(access -> vertx.executeBlocking(() -> checkFiles(vertx, options, access), false));
    }

    private static Passed checkFiles(Vertx vertx, GatewayOptions options, Access access) {
        options.admission().tls().ifPresent(files -> {
            requireReadable(options, files.certificate());
            requireReadable(options, files.key());
            requireUsable(vertx, options, files);
        });
        try {
            return new Passed(
                    access,
                    new AllowedWorkspaces(AllowedFolders.of(options.admission().workspaces())));
        } catch (NotDirectoryException file) {
            throw CannotServeException.without(
                    options, "the allowed workspace " + file.getMessage() + " is not a folder; name a folder", file);
        } catch (IOException absent) {
            String reason =
                    "the allowed workspace " + absent.getMessage() + " does not exist; create it, or name another";
            throw CannotServeException.without(options, reason, absent);
        }
    }

    private static void requireReadable(GatewayOptions options, Path file) {
        if (!Files.isReadable(file) || !Files.isRegularFile(file)) {
            throw CannotServeException.without(options, "the TLS file " + file + " cannot be read", null);
        }
    }

    private static void requireUsable(Vertx vertx, GatewayOptions options, TlsFiles files) {
        try {
            files.check(vertx);
        } catch (Exception unusable) {
            throw CannotServeException.without(options, TlsFiles.advice(unusable), unusable);
        }
    }

    private static Future<Access> access(Vertx vertx, GatewayOptions options) {
        boolean authenticated = options.admission().authentication().isPresent();
        if (authenticated || options.admission().tokenFile().isEmpty()) {
            return authenticated || Access.isLoopback(options.host())
                    ? Future.succeededFuture(guard(options, Tokens.NONE))
                    : Future.failedFuture(new CannotServeException(
                            options.host(),
                            options.port(),
                            "without tokens, everyone in the network could start programs on this machine; pass --token-file, or use --host "
                                    + GatewayOptions.LOOPBACK,
                            null));
        }
        Path file = options.admission().tokenFile().get();
        return vertx.executeBlocking(() -> Tokens.read(file), false)
                .map(tokens -> guard(options, tokens))
                .recover(cause ->
                        Future.failedFuture(CannotServeException.without(options, reason(file, cause), cause)));
    }

    private static Access guard(GatewayOptions options, Tokens tokens) {
        return new Access(
                options.host(),
                tokens,
                options.admission().publicAddress(),
                options.admission().authentication().isPresent());
    }

    private static String reason(Path file, Throwable cause) {
        return cause.getClass() == IOException.class
                ? cause.getMessage()
                : "the token file " + file + " cannot be read ("
                        + cause.getClass().getSimpleName() + ")";
    }
}
