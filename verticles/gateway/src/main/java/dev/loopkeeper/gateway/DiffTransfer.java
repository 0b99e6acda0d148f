package dev.loopkeeper.gateway;

import dev.loopkeeper.contract.worktree.DiffPart;
import dev.loopkeeper.contract.worktree.ReadDiff;
import dev.loopkeeper.gateway.http.ClientGone;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Function;

/**
 * Changes on their way to a client, one part at a time: the next one is asked for when the client has taken the one before.
 * What is cut off by a failure ends without the end that HTTP has for it, so that no client takes it for the whole.
 */
final class DiffTransfer {
    private final HttpServerResponse response;
    private final boolean headOnly;
    private final Function<ReadDiff, Future<DiffPart>> parts;
    private ReadDiff question;

    DiffTransfer(RoutingContext context, Function<ReadDiff, Future<DiffPart>> parts, ReadDiff first) {
        this.response = context.response();
        this.headOnly = HttpMethod.HEAD.equals(context.request().method());
        this.parts = parts;
        this.question = first;
    }

    /** Fails only before anything was sent. */
    Future<Void> send(String name) {
        return parts.apply(question).map(first -> {
            response.setChunked(true)
                    .putHeader(HttpHeaders.CONTENT_TYPE, "text/x-diff")
                    .putHeader("X-Content-Type-Options", "nosniff")
                    .putHeader("Content-Disposition", "attachment; filename=\"" + name + "\"")
                    .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                    .exceptionHandler(ClientGone::note);
            if (headOnly) {
                end(first);
                return null;
            }
            Promise<Void> over = Promise.promise();
            response.closeHandler(gone -> over.tryComplete());
            over.future().onComplete(any -> leave());
            write(first, over);
            return null;
        });
    }

    private void write(DiffPart part, Promise<Void> over) {
        if (over.future().isComplete()) {
            return;
        }
        question = question.behind(part);
        // Asked for only when it has left for the client.
        response.write(Buffer.buffer(part.bytes()))
                .compose(written -> part.last() ? response.end() : next(over))
                .onFailure(broken -> {
                    over.tryComplete();
                    response.reset().onFailure(ClientGone::note);
                });
    }

    private Future<Void> next(Promise<Void> over) {
        return parts.apply(question).map(part -> {
            write(part, over);
            return null;
        });
    }

    private void leave() {
        parts.apply(question.ended()).onFailure(ClientGone::note);
    }

    private void end(DiffPart first) {
        if (!first.last()) {
            leave();
        }
        response.end().onFailure(ClientGone::note);
    }
}
