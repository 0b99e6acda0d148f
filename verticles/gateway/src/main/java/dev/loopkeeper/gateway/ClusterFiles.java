package dev.loopkeeper.gateway;

import dev.loopkeeper.bundle.BundleException;
import dev.loopkeeper.bundle.FolderFiles;
import dev.loopkeeper.bundle.GatheredFiles;
import dev.loopkeeper.bundle.RunFiles;
import dev.loopkeeper.contract.NodeChannels;
import dev.loopkeeper.contract.NodeChannels.ListRunFiles;
import dev.loopkeeper.contract.NodeChannels.ReadRunFile;
import dev.loopkeeper.contract.NodeChannels.RunFile;
import dev.loopkeeper.contract.RequestChannel;
import dev.loopkeeper.data.AtomicFile;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.view.Node;
import dev.loopkeeper.work.Blocking;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Reads the files of a run from the disks of all nodes that executed it, or of this server without a cluster. Blocks;
 * fails with {@code node-unreachable} if a node does not answer.
 */
record ClusterFiles(ClusterClient cluster, FolderFiles own) implements RunFiles {
    /** Longer than the time limits of the requests themselves. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @Override
    public SortedMap<String, AtomicFile.Content> of(String runId) throws IOException {
        Optional<List<Node>> nodes = answer(cluster.places(runId));
        if (nodes.isEmpty() || nodes.get().isEmpty()) {
            return own.of(runId);
        }
        GatheredFiles files = new GatheredFiles();
        for (Node node : nodes.get()) {
            if (node.self()) {
                files.addAll(own.of(runId));
            } else {
                list(files, node, runId);
            }
            files.next();
        }
        return files.all();
    }

    private void list(GatheredFiles files, Node node, String runId) {
        String last = "";
        List<RunFile> page;
        do {
            page = ask(node, NodeChannels.LIST_FILES, new ListRunFiles(runId, last, ListRunFiles.MOST))
                    .files();
            for (RunFile file : page) {
                if (file.path() == null || file.path().compareTo(last) <= 0) {
                    throw changed(runId, node);
                }
                last = file.path();
                files.add(last, file.bytes(), out -> copy(node, runId, file, out));
            }
        } while (page.size() >= ListRunFiles.MOST);
    }

    /** Copies as many bytes as were listed. */
    private void copy(Node node, String runId, RunFile file, OutputStream out) throws IOException {
        for (long offset = 0; offset < file.bytes(); ) {
            int length = (int) Math.min(ReadRunFile.MOST, file.bytes() - offset);
            byte[] bytes = ask(node, NodeChannels.READ_FILE, new ReadRunFile(runId, file.path(), offset, length))
                    .bytes();
            if (bytes == null || bytes.length == 0 || bytes.length > length) {
                throw changed(runId, node);
            }
            out.write(bytes);
            offset += bytes.length;
        }
    }

    private static BundleException changed(String runId, Node node) {
        return new BundleException("the files of run " + runId + " on node " + node.node()
                + " changed during the export; export it again");
    }

    private <Q, A> A ask(Node node, RequestChannel<Q, A> channel, Q question) {
        try {
            return answer(cluster.at(node, channel, question));
        } catch (NodeRefusal refused) {
            String why = "node " + node.node() + " cannot list its files of the run: " + refused.getMessage();
            throw new Problem(RefusalCode.NODE_UNREACHABLE, why);
        }
    }

    private static <A> A answer(Future<A> asked) {
        return Blocking.answer(asked, PATIENCE);
    }
}
