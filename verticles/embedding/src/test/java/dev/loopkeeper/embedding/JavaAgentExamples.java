package dev.loopkeeper.embedding;

// snippet:imports
import dev.loopkeeper.embed.Loopkeeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.embed.RunOptions;
import dev.loopkeeper.handler.Handlers;
import dev.loopkeeper.handler.StepContext;
import dev.loopkeeper.handler.StepHandler;
import dev.loopkeeper.step.ErrorCategory;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.verdict.Signal;
import dev.loopkeeper.view.Run;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
// end:imports

/** The examples of {@code docs/java-agents.md}: what stands between two markers is what stands there. */
final class JavaAgentExamples {
    private JavaAgentExamples() {}

    // snippet:first
    /** Runs a loop whose worker is a process and whose judge is Java, and completes with the ended run. */
    static Future<Run> judged(Vertx vertx, Path dataFolder, Path workspace) {
        String manifest = """
                name: judged
                agents:
                  dev: {command: "echo line >> report.txt"}
                  review: {handler: review}
                phases: [{name: build, loop: {steps: [dev, review], maxIterations: 5}}]
                """;
        StepHandler review = Handlers.blocking(JavaAgentExamples::review);
        return Loopkeeper.start(vertx, LoopkeeperOptions.of(dataFolder).handler("review", review))
                .compose(keeper -> keeper.submit(manifest, RunOptions.DEFAULTS.workspace(workspace))
                        .compose(submitted -> keeper.awaitEnd(submitted.runId()))
                        .eventually(keeper::close));
    }

    /** Wants three lines. */
    static Signal review(StepContext step) throws IOException {
        long lines = Files.readAllLines(step.workspace().resolve("report.txt")).size();
        step.say(lines + " lines");
        return lines < 3 ? Signal.stalled("there are only " + lines + " lines") : Signal.success();
    }
    // end:first

    // snippet:http
    /** Asks a model on another server, without a blocked thread, and reports what that used. */
    static StepHandler model(HttpClient client, int port) {
        return step -> client.request(HttpMethod.POST, port, "localhost", "/v1/judge")
                .compose(request -> request.send(
                        new JsonObject().put("prompt", step.contextText()).toBuffer()))
                .compose(response -> response.statusCode() == 200
                        ? response.body()
                        : Future.failedFuture("the model answered " + response.statusCode()))
                .map(body -> {
                    JsonObject answer = body.toJsonObject();
                    step.report(new Usage(
                            OptionalDouble.empty(),
                            OptionalLong.of(answer.getLong("inputTokens")),
                            OptionalLong.of(answer.getLong("outputTokens")),
                            OptionalLong.of(1)));
                    return answer.getBoolean("right") ? Signal.approved() : Signal.rejected(answer.getString("why"));
                });
    }
    // end:http

    // snippet:errors
    /** Treats failures of input and output as those of the provider, which are retried. */
    static LoopkeeperOptions classified(LoopkeeperOptions options) {
        return options.errors(
                failure -> failure instanceof IOException ? Optional.of(ErrorCategory.PROVIDER) : Optional.empty());
    }
    // end:errors

    // snippet:bus
    /** Serves an agent at {@code handler: {address: reviews}}, in any verticle or node. */
    static MessageConsumer<JsonObject> reviews(Vertx vertx) {
        return vertx.eventBus()
                .consumer(
                        "reviews",
                        request -> request.reply(new JsonObject()
                                .put("verdict", "approved")
                                .put("keyConcern", "none for " + request.body().getString("stepId"))));
    }
    // end:bus
}
