package dev.loopkeeper.notify;

import dev.loopkeeper.work.Causes;
import dev.loopkeeper.work.TlsFailure;
import io.netty.handler.codec.DecoderException;
import io.vertx.core.http.HttpClosedException;
import java.io.IOException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.UnknownHostException;

/**
 * Describes for people why a receiver did not answer. Except for TLS failures it omits the text of the exception, which
 * may repeat the URL, whose path may be a secret.
 */
final class PostFailure {
    private PostFailure() {}

    /** Describes the failure, e.g. {@code no route to the host}. */
    static String of(Throwable cause) {
        if (Causes.first(cause, UnknownHostException.class).isPresent()) {
            return "the host name cannot be resolved";
        }
        return TlsFailure.of(cause).map(why -> "TLS handshake failed: " + why).orElseGet(() -> ofConnection(cause));
    }

    private static String ofConnection(Throwable cause) {
        if (Causes.first(cause, SocketException.class).isPresent()) {
            return ofSocket(cause, Causes.texts(cause));
        }
        if (cause instanceof HttpClosedException || cause instanceof IOException) {
            return "the server closed the connection without an answer";
        }
        return cause instanceof IllegalArgumentException || cause instanceof DecoderException
                ? "the answer is not HTTP"
                : "the connection was lost";
    }

    private static String ofSocket(Throwable cause, String said) {
        if (said.contains("refused")) {
            return "connection refused; no server listens on this port";
        }
        if (said.contains("reset") || said.contains("broken pipe")) {
            return "the server closed the connection without an answer";
        }
        return cause instanceof NoRouteToHostException || said.contains("unreachable")
                ? "no route to the host"
                : "the connection failed";
    }
}
