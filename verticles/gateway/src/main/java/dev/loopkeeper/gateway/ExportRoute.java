package dev.loopkeeper.gateway;

import dev.loopkeeper.bundle.BundleException;
import dev.loopkeeper.bundle.FolderFiles;
import dev.loopkeeper.bundle.RunExport;
import dev.loopkeeper.data.DataFolderException;
import dev.loopkeeper.data.RunFolders;
import dev.loopkeeper.gateway.http.Body;
import dev.loopkeeper.gateway.http.ClientGone;
import dev.loopkeeper.gateway.http.Endpoint;
import dev.loopkeeper.gateway.http.Ids;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.gateway.http.ProblemJson;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.work.Instants;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * {@code GET /runs/{runId}/export}: sends a paused or ended run as one file, with files from all nodes. The bundle is
 * written completely to an unnamed file before it is sent, so nothing remains after a crash. It contains the manifest
 * with the values of {@code env}, which other answers hide; that is why it requires control.
 */
final class ExportRoute {
    /** Time for a client to read a piece before its connection is cut. */
    private static final Duration SLOWEST = Duration.ofMinutes(1);

    private final Vertx vertx;
    private final WorkerExecutor workers;
    private final SchedulerClient scheduler;
    private final RunExport export;
    private final RunFolders folders;

    /** @param workers their number limits concurrent exports; further ones wait */
    ExportRoute(
            Vertx vertx,
            WorkerExecutor workers,
            SchedulerClient scheduler,
            ClusterClient cluster,
            EventStore store,
            Path dataFolder) {
        this.vertx = vertx;
        this.workers = workers;
        this.scheduler = scheduler;
        this.export = new RunExport(store, new ClusterFiles(cluster, new FolderFiles(dataFolder)));
        this.folders = new RunFolders(dataFolder);
    }

    List<Endpoint> endpoints() {
        return List.of(Endpoint.stream("/runs/{runId}/export", this::export).controlling());
    }

    private void export(RoutingContext context) {
        String runId = Ids.run(context);
        Future<Void> left = ClientGone.of(context);
        scheduler
                .run(runId)
                .compose(known -> workers.executeBlocking(() -> written(runId, left), false))
                .compose(bundle -> send(context, bundle, runId + ".loopkeeper.zip"))
                .onFailure(cause -> ProblemJson.write(context, cause));
    }

    private Future<Void> send(RoutingContext context, FileChannel bundle, String name) {
        return workers.executeBlocking(bundle::size, false)
                .compose(size -> new Body(vertx, context.request(), () -> part(bundle, size))
                        .cutAfter(SLOWEST)
                        .send(response -> response.putHeader(HttpHeaders.CONTENT_TYPE, "application/zip")
                                .putHeader(HttpHeaders.CONTENT_LENGTH, Long.toString(size))
                                .putHeader("X-Content-Type-Options", "nosniff")
                                .putHeader("Content-Disposition", "attachment; filename=\"" + name + "\"")
                                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")))
                .eventually(() -> vertx.executeBlocking(() -> close(bundle), false));
    }

    private static Void close(FileChannel file) throws IOException {
        file.close();
        return null;
    }

    /** Reads the next bytes from the file's position. */
    private Future<Body.Piece> part(FileChannel file, long size) {
        return vertx.executeBlocking(
                () -> {
                    ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(Body.PIECE, size - file.position()));
                    while (bytes.hasRemaining()) {
                        if (file.read(bytes) < 0) {
                            throw new EOFException("the bundle file was truncated");
                        }
                    }
                    return new Body.Piece(Buffer.buffer(bytes.array()), file.position() == size);
                },
                false);
    }

    /** Writes the bundle and returns the open file, which the caller closes. */
    private FileChannel written(String runId, Future<Void> left) throws IOException {
        if (left.isComplete()) {
            throw new ClientGone();
        }
        FileChannel file = nameless();
        try (OutputStream out =
                new BufferedOutputStream(new UntilDisconnected(Channels.newOutputStream(file), left), Body.PIECE)) {
            Object unused = export.write(runId, out, Instants.now());
            out.flush();
            return file.position(0);
        } catch (BundleException refused) {
            file.close();
            throw new Problem(RefusalCode.NOT_EXPORTABLE, refused.getMessage());
        } catch (IOException full) {
            file.close();
            throw unwritable(full);
        } catch (RuntimeException | Error failed) {
            file.close();
            throw failed;
        }
    }

    private FileChannel nameless() {
        try {
            return folders.nameless();
        } catch (DataFolderException refused) {
            throw unwritable(refused);
        }
    }

    private static Problem unwritable(Exception cause) {
        return new Problem(
                RefusalCode.EXPORT_FAILED,
                "the bundle cannot be written to this server's data folder: " + cause.getMessage());
    }

    /** Fails once the client has disconnected; leaves the file open. */
    private static final class UntilDisconnected extends FilterOutputStream {
        private final Future<Void> left;

        UntilDisconnected(OutputStream out, Future<Void> left) {
            super(out);
            this.left = left;
        }

        @Override
        public void write(byte[] values, int offset, int length) throws IOException {
            if (left.isComplete()) {
                throw new ClientGone();
            }
            out.write(values, offset, length);
        }

        @Override
        public void close() throws IOException {
            out.flush();
        }
    }
}
