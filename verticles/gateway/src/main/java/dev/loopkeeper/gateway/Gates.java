package dev.loopkeeper.gateway;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/** Decides, before anything listens, whether the address may be opened and to whom. */
final class Gates {
    private Gates() {}

    /** What was found behind the options. */
    record Opened(Access access, AllowedWorkspaces workspaces) {}

    static Future<Opened> open(Vertx vertx, GatewayOptions options) {
        return access(vertx, options)
                .compose(access -> vertx.executeBlocking(() -> behind(vertx, options, access), false));
    }

    private static Opened behind(Vertx vertx, GatewayOptions options, Access access) {
        options.admission().tls().ifPresent(files -> {
            requireReadable(options, files.certificate());
            requireReadable(options, files.key());
            requireUsable(vertx, options, files);
        });
        try {
            return new Opened(access, AllowedWorkspaces.of(options.admission().workspaces()));
        } catch (NotDirectoryException file) {
            throw CannotServeException.without(
                    options, "the allowed workspace " + file.getMessage() + " is no folder; name one", file);
        } catch (IOException absent) {
            String reason =
                    "the allowed workspace " + absent.getMessage() + " is not there; create it, or name another";
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
        if (options.admission().tokenFile().isEmpty()) {
            return Access.isLoopback(options.host())
                    ? Future.succeededFuture(guard(options, Tokens.NONE))
                    : Future.failedFuture(new CannotServeException(
                            options.host(),
                            options.port(),
                            "everybody in the network could start programs here; give a token file, or stay on "
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
        return new Access(options.host(), tokens, options.admission().publicAddress());
    }

    private static String reason(Path file, Throwable cause) {
        return cause.getClass() == IOException.class
                ? cause.getMessage()
                : "the token file " + file + " cannot be read ("
                        + cause.getClass().getSimpleName() + ")";
    }
}
