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

    /** Describes the failure, e.g. {@code its host is unknown}. */
    static String of(Throwable cause) {
        if (Causes.first(cause, UnknownHostException.class).isPresent()) {
            return "its host is unknown";
        }
        return TlsFailure.of(cause).map(why -> "TLS with it failed: " + why).orElseGet(() -> ofConnection(cause));
    }

    private static String ofConnection(Throwable cause) {
        if (Causes.first(cause, SocketException.class).isPresent()) {
            return ofSocket(cause, Causes.texts(cause));
        }
        if (cause instanceof HttpClosedException || cause instanceof IOException) {
            return "it hung up before it had answered";
        }
        return cause instanceof IllegalArgumentException || cause instanceof DecoderException
                ? "what answers there does not speak HTTP"
                : "the connection broke";
    }

    private static String ofSocket(Throwable cause, String said) {
        if (said.contains("refused")) {
            return "the connection is refused, nothing listens there";
        }
        if (said.contains("reset") || said.contains("broken pipe")) {
            return "it hung up before it had answered";
        }
        return cause instanceof NoRouteToHostException || said.contains("unreachable")
                ? "no network leads to its host"
                : "no connection can be made";
    }
}
