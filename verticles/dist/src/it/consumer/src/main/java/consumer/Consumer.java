package consumer;

import dev.loopkeeper.embed.Loopkeeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.embed.RunOptions;
import dev.loopkeeper.view.Run;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;

/** What a stranger writes first. */
public final class Consumer {
    private Consumer() {}

    public static Future<Run> carryOut(Vertx vertx, Path data, Path manifest) {
        return Loopkeeper.start(vertx, LoopkeeperOptions.of(data))
                .compose(keeper -> keeper.submit(manifest, RunOptions.DEFAULTS)
                        .compose(submitted -> keeper.awaitEnd(submitted.runId(), Duration.ofMinutes(10)))
                        .eventually(keeper::close));
    }
}
