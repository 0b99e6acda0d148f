package dev.loopkeeper.scheduler;

import dev.loopkeeper.data.RunPaths;
import dev.loopkeeper.json.Json;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.OpenOptions;
import java.nio.file.Path;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records inputs that arrived after the end of their run, outside its history: a line in {@code
 * <data>/runs/<runId>/late.jsonl} such as <code>{"at":"...","sequence":41,"what":"StepEnded after the end"}</code>.
 */
final class LateInputs {
    private static final Logger LOG = LoggerFactory.getLogger(LateInputs.class);

    private final Vertx vertx;
    private final Path runs;

    LateInputs(Vertx vertx, Path data) {
        this.vertx = vertx;
        this.runs = RunPaths.runs(data);
    }

    void note(String runId, long sequence, String what, Instant at) {
        LOG.info("run {}: ignored input: {}", runId, what);
        String line = Json.MAPPER
                .createObjectNode()
                .put("at", Json.time(at))
                .put("sequence", sequence)
                .put("what", what)
                .toString();
        String folder = runs.resolve(runId).toString();
        vertx.fileSystem()
                .mkdirs(folder)
                .compose(made -> vertx.fileSystem()
                        .open(
                                folder + "/late.jsonl",
                                new OpenOptions().setAppend(true).setPerms("rw-------")))
                .compose(file -> file.write(Buffer.buffer(line + "\n")).eventually(file::close))
                .recover(lost -> {
                    LOG.warn("run {}: an ignored input could not be recorded: {}", runId, lost.getMessage());
                    return Future.succeededFuture();
                })
                .onFailure(impossible -> LOG.error("run {}: recording an ignored input failed", runId, impossible));
    }
}
