package dev.loopkeeper.notify;

import dev.loopkeeper.checkpoint.EventJson;
import dev.loopkeeper.collection.Copies;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.NotifySpec;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.RunPaused;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.work.Instants;
import dev.loopkeeper.work.Workers;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Sends the example of a pause to each receiver of a manifest, and reports what came back. */
public final class ExampleNotification {
    private final NotifierOptions options;
    private final Delivery delivery;

    /**
     * What a receiver did with the example.
     *
     * @param receiver without secrets, e.g. {@code env:SLACK_URL}
     */
    public record Report(String receiver, boolean delivered, String answer) {}

    /**
     * Prepares the delivery.
     *
     * @param scratch an empty folder for the output of commands
     * @param environment variables that hold addresses and secrets
     */
    public ExampleNotification(Vertx vertx, Path scratch, Map<String, String> environment) {
        this.options = NotifierOptions.of(scratch);
        this.delivery = new Delivery(
                new Webhook(vertx, environment, options.timeout()),
                new NotifyCommand(
                        vertx, Workers.of(vertx, "loopkeeper-notify", 1), options.data(), options.commandLimit()));
    }

    /** Sends the example to all receivers, one after the other. */
    public Future<List<Report>> send(Manifest manifest, String workspace, String baseDir) {
        Pause pause = Pause.of(
                PauseReason.USER_INPUT_NEEDED, "this is an example, and no run waits for an answer", Instants.now());
        RunPaused example = RunPaused.of(pause, 0);
        StoredEvent event = new StoredEvent(
                manifest.name() + "-example", 1, pause.since(), EventTypes.of(example), 1, EventJson.write(example));
        Targets targets = new Targets(manifest.name(), workspace, baseDir, manifest.notifications());
        Message message = Message.of(event, manifest.name(), Optional.empty());
        Future<List<Report>> reports = Future.succeededFuture(List.of());
        for (NotifySpec receiver : manifest.notifications()) {
            reports = reports.compose(before -> delivery.attempt(
                            receiver, targets, message, OptionalDouble.empty(), 0, List.of())
                    .map(outcome -> Copies.plus(before, report(receiver, outcome))));
        }
        return reports.onComplete(sent -> delivery.webhook().close());
    }

    private static Report report(NotifySpec receiver, DeliveryOutcome outcome) {
        String name = receiver.command()
                .map(line -> line.argv().get(0))
                .or(() -> receiver.webhook()
                        .filter(text -> NotifySpec.variable(text).isPresent()))
                .orElseGet(() -> Endpoint.label(URI.create(receiver.webhook().orElseThrow())));
        return new Report(name, outcome instanceof DeliveryOutcome.Delivered, outcome.text());
    }
}
