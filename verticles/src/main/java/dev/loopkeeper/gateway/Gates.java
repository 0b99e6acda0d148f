package dev.loopkeeper.gateway;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;

/** Decides, before anything listens, whether the address may be opened and to whom. */
final class Gates {
    private Gates() {}

    static Future<Access> open(Vertx vertx, GatewayOptions options) {
        if (options.tokenFile().isEmpty()) {
            return Access.isLoopback(options.host())
                    ? Future.succeededFuture(new Access(options.host(), Tokens.NONE))
                    : Future.failedFuture(refusal(
                            options,
                            "everybody in the network could start programs here; give a token file, or stay on "
                                    + GatewayOptions.LOOPBACK,
                            null));
        }
        Path file = options.tokenFile().get();
        return vertx.executeBlocking(() -> Tokens.read(file), false)
                .map(tokens -> new Access(options.host(), tokens))
                .recover(cause -> Future.failedFuture(refusal(options, reason(file, cause), cause)));
    }

    private static String reason(Path file, Throwable cause) {
        return cause.getClass() == IOException.class
                ? cause.getMessage()
                : "the token file " + file + " cannot be read ("
                        + cause.getClass().getSimpleName() + ")";
    }

    private static CannotServeException refusal(GatewayOptions options, String reason, Throwable cause) {
        return new CannotServeException(options.host(), options.port(), reason, cause);
    }
}
