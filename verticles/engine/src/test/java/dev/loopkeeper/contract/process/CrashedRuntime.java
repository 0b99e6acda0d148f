package dev.loopkeeper.contract.process;

import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.ProcessChannels.LaunchStep;
import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.process.ProcessSupervisorVerticle;
import dev.loopkeeper.process.SupervisorOptions;
import dev.loopkeeper.step.StepSpec;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A runtime in a JVM of its own, to be killed: launches the step of a file and prints the agent's pid. */
public final class CrashedRuntime {
    private CrashedRuntime() {}

    public static void main(String[] arguments) throws Exception {
        StepSpec step = Json.MAPPER.readValue(Files.readAllBytes(Path.of(arguments[1])), StepSpec.class);
        Vertx vertx = Vertx.vertx();
        RecordCodec.register(vertx);
        vertx.deployVerticle(new ProcessSupervisorVerticle(SupervisorOptions.of(Path.of(arguments[0])), text -> text))
                .compose(deployed -> ProcessChannels.LAUNCH.ask(
                        vertx.eventBus(), new LaunchStep(step, false), Duration.ofSeconds(60)))
                .onSuccess(launched -> System.out.println(launched.pid().orElse(0)))
                .onFailure(failed -> System.out.println(failed));
    }
}
