package dev.loopkeeper.gateway;

import dev.loopkeeper.bundle.FolderFiles;
import dev.loopkeeper.contract.NodeChannels;
import dev.loopkeeper.contract.NodeChannels.ListRunFiles;
import dev.loopkeeper.contract.NodeChannels.ReadRunFile;
import dev.loopkeeper.contract.NodeChannels.RunFileList;
import dev.loopkeeper.contract.NodeChannels.RunFilePart;
import dev.loopkeeper.run.RunId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/** Serves the files of runs on this machine to other nodes, whose parameters are not validated yet. */
record NodeFiles(Vertx vertx, FolderFiles files) {
    Future<Void> serve() {
        return NodeChannels.LIST_FILES
                .serve(vertx.eventBus(), this::list)
                .compose(listing -> NodeChannels.READ_FILE.serve(vertx.eventBus(), this::read));
    }

    private Future<RunFileList> list(ListRunFiles asked) {
        boolean plain = RunId.isValid(asked.runId())
                && asked.after() != null
                && asked.limit() >= 1
                && asked.limit() <= ListRunFiles.MOST;
        return plain
                ? vertx.executeBlocking(
                        () -> new RunFileList(files.page(asked.runId(), asked.after(), asked.limit())), false)
                : Future.failedFuture(new IllegalArgumentException("invalid run or limit"));
    }

    private Future<RunFilePart> read(ReadRunFile asked) {
        boolean plain = RunId.isValid(asked.runId())
                && asked.path() != null
                && asked.offset() >= 0
                && asked.length() >= 1
                && asked.length() <= ReadRunFile.MOST;
        return plain
                ? vertx.executeBlocking(
                        () -> new RunFilePart(files.read(asked.runId(), asked.path(), asked.offset(), asked.length())),
                        false)
                : Future.failedFuture(new IllegalArgumentException("invalid run, path or range"));
    }
}
