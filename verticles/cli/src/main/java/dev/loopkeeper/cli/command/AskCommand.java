package dev.loopkeeper.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.ServerLocation;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.data.StepToken;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.read.DurationText;
import dev.loopkeeper.process.tree.StepEnvironment;
import dev.loopkeeper.run.step.Ask;
import dev.loopkeeper.run.step.AskOutcome;
import dev.loopkeeper.view.AskResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/**
 * The command {@code loopkeeper ask}, which an agent calls in its step. It connects again to whichever process executes
 * the run.
 */
@Command(
        name = "ask",
        description = "Inside a step: ask a person and print the answer; the step does not end. No answer in time:"
                + " exit code 124 and no output.")
public final class AskCommand implements Callable<Integer> {
    /** How long one request waits. */
    private static final Duration PART = Duration.ofSeconds(20);

    private static final Duration AGAIN = Duration.ofMillis(100);
    /** How much later than the wait the server may report that it is over. */
    private static final Duration LATE = Duration.ofSeconds(5);

    @ParentCommand
    private RootCommand root;

    private final String key = UUID.randomUUID().toString();

    @Parameters(index = "0", paramLabel = "QUESTION", description = "The question; at most 64 KiB.")
    private String question;

    @Option(
            names = "--choice",
            paramLabel = "TEXT",
            description = "A suggested answer; may be repeated. Any text is an answer.")
    private List<String> choices = List.of();

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            defaultValue = "30m",
            description = "How long to wait for the answer, at most 24h; default 30m.")
    private String wait;

    @Override
    public Integer call() {
        Map<String, String> environment = root.console().environment();
        String steps = "/runs/" + of(environment, StepEnvironment.RUN_ID) + "/steps/"
                + of(environment, StepEnvironment.STEP_ID) + "/asks";
        String token = of(environment, StepToken.VARIABLE);
        Duration patience = DurationText.parse(wait)
                .filter(given -> !given.isZero() && given.compareTo(Ask.LONGEST_WAIT) <= 0)
                .orElseThrow(() -> CommandFailure.refused("--wait must be a duration up to 24h, such as 30m"));
        try (Session session = root.open()) {
            AskResult result = await(session, steps, token, System.nanoTime() + patience.toNanos());
            if (result.outcome().equals(Optional.of(AskOutcome.ANSWERED))) {
                root.console().print(result.answer().orElseThrow());
                return ExitCodes.DONE;
            }
            throw unanswered();
        }
    }

    /** Returns the server that executes the run of a step, with the token of the step; empty while there is none. */
    static Optional<Api> server(Session session, RootCommand root, String token) {
        // A sandbox hides the data folder and names the server.
        return ServerLocation.owner(root)
                .or(() -> ServerLocation.find(root))
                .map(server -> session.at(new ServerLocation(server.url(), Optional.of(token), server.certificate())));
    }

    static String of(Map<String, String> environment, String variable) {
        String value = environment.getOrDefault(variable, "");
        if (value.isEmpty()) {
            throw CommandFailure.refused("ask works inside a step of a run: " + variable + " is not set");
        }
        return value;
    }

    private static CommandFailure unanswered() {
        return new CommandFailure(ExitCodes.TIMED_OUT, "no person answered in time");
    }

    /** Records the question, then waits until it is closed; repeats both while no server answers. */
    private AskResult await(Session session, String path, String token, long untilNanos) {
        Optional<AskResult> known = Optional.empty();
        while (true) {
            Duration left = Duration.ofNanos(untilNanos - System.nanoTime());
            try {
                Optional<Api> api = server(session, root, token);
                if (api.isPresent() && (known.isPresent() || left.toMillis() > 0)) {
                    known = Optional.of(
                            known.isPresent()
                                    ? closed(api.get(), path, known.get().askId(), left.plus(LATE))
                                    : record(api.get(), path, left));
                } else {
                    Session.sleep(AGAIN, unanswered());
                }
            } catch (CommandFailure failure) {
                if (failure.exitCode() != ExitCodes.UNREACHABLE) {
                    throw failure;
                }
                Session.sleep(AGAIN, unanswered());
            }
            if (known.flatMap(AskResult::outcome).isPresent()) {
                return known.get();
            }
            if (System.nanoTime() - untilNanos > LATE.toNanos()) {
                throw known.isPresent()
                        ? unanswered()
                        : CommandFailure.unreachable("the question was not recorded: no process serves "
                                + root.dataFolder().path());
            }
        }
    }

    private AskResult record(Api api, String path, Duration left) {
        ObjectNode body = Json.MAPPER.createObjectNode().put("key", key).put("question", question);
        choices.forEach(body.putArray("choices")::add);
        return api.post(path, body.put("wait", left.toMillis() + "ms"), AskResult.class)
                .view();
    }

    private static AskResult closed(Api api, String path, String askId, Duration left) {
        long millis = Math.max(1, (left.compareTo(PART) < 0 ? left : PART).toMillis());
        return api.get(path + "/" + Api.encoded(askId) + "?wait=" + millis + "ms", AskResult.class)
                .view();
    }
}
