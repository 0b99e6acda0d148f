package dev.loopkeeper.process;

import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.ProcessChannels.LaunchStep;
import dev.loopkeeper.contract.ProcessChannels.StopStep;
import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.LogLimit;
import dev.loopkeeper.step.StepSpec;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A runtime in a JVM of its own, whose file descriptors can be used up. Launches the step of a file, and does what its
 * standard input says: {@code starve}, {@code feed}, {@code stop}. Reports what happens in lines that begin with
 * {@code >}.
 */
final class StarvedRuntime {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Vertx vertx = Vertx.vertx();
    private final StepSpec step;
    private final List<InputStream> hoard = new ArrayList<>();

    private StarvedRuntime(StepSpec step) {
        this.step = step;
    }

    public static void main(String[] arguments) throws Exception {
        StarvedRuntime runtime =
                new StarvedRuntime(Json.MAPPER.readValue(Files.readAllBytes(Path.of(arguments[1])), StepSpec.class));
        runtime.start(Path.of(arguments[0]));
        try (var commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            String command = commands.readLine();
            while (command != null) {
                runtime.execute(command);
                command = commands.readLine();
            }
        }
        System.exit(0);
    }

    private static void say(String what) {
        System.out.println(">" + what);
    }

    private void start(Path data) {
        RecordCodec.register(vertx);
        SupervisorOptions usual = SupervisorOptions.of(data);
        SupervisorOptions impatient = new SupervisorOptions(
                usual.data(),
                Duration.ofSeconds(1),
                Duration.ofMillis(300),
                Duration.ofMillis(20),
                usual.workers(),
                LogLimit.DEFAULT,
                usual.inherited());
        var unused = ProcessChannels.EXITED.listen(
                vertx.eventBus(), exited -> say("exited " + exited.process().cause()));
        vertx.deployVerticle(new ProcessSupervisorVerticle(impatient, text -> text))
                .compose(
                        deployed -> ProcessChannels.LAUNCH.ask(vertx.eventBus(), new LaunchStep(step, false), PATIENCE))
                .onSuccess(launched -> say("pid " + launched.pid().orElse(0)))
                .onFailure(failed -> say("failed " + failed));
    }

    private void execute(String command) throws IOException {
        switch (command) {
            case "starve" -> starve();
            case "feed" -> feed();
            default -> stop();
        }
    }

    private void starve() {
        try {
            while (true) {
                hoard.add(new FileInputStream("/dev/null"));
            }
        } catch (IOException none) {
            say("starved");
        }
    }

    private void feed() throws IOException {
        for (InputStream hoarded : hoard) {
            hoarded.close();
        }
        hoard.clear();
        say("fed");
    }

    private void stop() {
        ProcessChannels.STOP
                .ask(vertx.eventBus(), new StopStep(step.runId(), step.stepId(), false, ExitCause.STOPPED), PATIENCE)
                .onSuccess(receipt -> say("stopped " + receipt.outcome()))
                .onFailure(failed -> say("failed " + failed));
        say("asked");
    }
}
