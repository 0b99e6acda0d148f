package dev.loopkeeper.gateway;

import dev.loopkeeper.contract.NodeChannels;
import dev.loopkeeper.contract.NodeChannels.LogPart;
import dev.loopkeeper.contract.NodeChannels.ReadLog;
import dev.loopkeeper.data.LogFile;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.view.Node;
import io.vertx.core.buffer.Buffer;
import java.util.concurrent.ExecutionException;

/**
 * A log on the disk of another node, read by requests. Fails with {@code node-unreachable} if the node does not answer.
 */
final class RemoteLog implements LogSource {
    private final ClusterClient cluster;
    private final Node node;
    private final String runId;
    private final String stepId;
    private final String stream;

    RemoteLog(ClusterClient cluster, Node node, String runId, String stepId, String stream) {
        this.cluster = cluster;
        this.node = node;
        this.runId = runId;
        this.stepId = stepId;
        this.stream = stream;
    }

    @Override
    public OutputDialect output() {
        return part(0, 0).output();
    }

    @Override
    public long size() {
        return part(0, 0).size();
    }

    @Override
    public long begin() {
        return part(0, 0).begin();
    }

    @Override
    public LogFile.Part read(long offset, int length) {
        LogPart part = part(offset, Math.min(length, ReadLog.MOST));
        return new LogFile.Part(Buffer.buffer(part.bytes()), part.next());
    }

    @Override
    public boolean hasFolder() {
        return part(0, 0).launched();
    }

    private LogPart part(long offset, int length) {
        try {
            return cluster.at(node, NodeChannels.READ_LOG, new ReadLog(runId, stepId, stream, offset, length))
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get();
        } catch (ExecutionException refused) {
            throw refused.getCause() instanceof RuntimeException known ? known : ClusterClient.silent(node);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            throw ClusterClient.silent(node);
        }
    }
}
