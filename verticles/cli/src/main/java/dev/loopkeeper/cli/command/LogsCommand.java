package dev.loopkeeper.cli.command;

import dev.loopkeeper.cli.follow.FeedMessage;
import dev.loopkeeper.cli.follow.FeedReader;
import dev.loopkeeper.cli.follow.LastingFeed;
import dev.loopkeeper.cli.print.Paint;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.Document;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.LogSelection;
import dev.loopkeeper.cli.session.LogSink;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.RunFacts;
import dev.loopkeeper.cli.session.ServerFacts;
import dev.loopkeeper.cli.session.ServerGone;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.run.StepStarted;
import dev.loopkeeper.view.Step;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** The command {@code loopkeeper logs RUN [STEP]}. */
@Command(name = "logs", description = "Print the output of a step, both streams; default: the newest step.")
public final class LogsCommand implements Callable<Integer> {
    private static final int MOST_NAMED = 5;
    private static final Duration LOOK = Duration.ofSeconds(2);
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    @ParentCommand
    private RootCommand root;

    @Mixin
    private final RunArgument run = new RunArgument();

    @Parameters(index = "1", arity = "0..1", paramLabel = "STEP", description = "Id of the step, e.g. build.3.dev.1.")
    private String stepId;

    @Option(
            names = {"-f", "--follow"},
            fallbackValue = "true",
            description = "Continue as output is written; without STEP, continue with later steps too.")
    private boolean follow;

    @Option(names = "--stream", paramLabel = "STREAM", description = "Only stdout or only stderr; default both.")
    private Stream stream;

    @Option(
            names = "--raw",
            fallbackValue = "true",
            description = "Write the bytes as they are: stdout to stdout, stderr to stderr.")
    private boolean raw;

    @Option(
            names = "--timestamps",
            fallbackValue = "true",
            description =
                    "Begin each line with its time if the agent prints one, with -f otherwise with the time of receipt;"
                            + " '-' where it is unknown.")
    private boolean timestamps;

    @Option(names = "--tail", paramLabel = "N", description = "Only the last N lines of each stream.")
    private Long tail;

    /** The words of the command line. */
    private enum Stream {
        stdout,
        stderr
    }

    @Override
    public Integer call() {
        if (timestamps && raw) {
            throw CommandFailure.refused("--timestamps and --raw exclude each other; give one of them");
        }
        if (tail != null && tail < 0) {
            throw CommandFailure.refused("--tail must be 0 or more, was " + tail);
        }
        try (Session session = root.open();
                RunFacts facts = RunFacts.of(session, root)) {
            run.find(facts, root);
            Optional<Api> server = session.server();
            if (stepId == null && follow && server.isPresent()) {
                followRun(server.get(), facts);
            } else if (stepId == null) {
                log(facts, newest(facts), follow);
            } else {
                named(facts);
            }
            if (follow && server.isEmpty() && isGrowing(facts)) {
                throw session.noServer("; the agent's later output was not followed, read on with: "
                        + root.hint("logs " + run.id() + " -f"));
            }
        }
        root.console().out().flush();
        return ExitCodes.DONE;
    }

    private void named(RunFacts facts) {
        try {
            log(facts, stepId, follow);
        } catch (CommandFailure refused) {
            throw refused.exitCode() == ExitCodes.UNREACHABLE ? advised(facts, refused) : refused;
        }
    }

    /** Adds the existing steps to the failure if the named step is not among them. */
    private CommandFailure advised(RunFacts facts, CommandFailure refused) {
        try {
            List<String> steps = facts.newestSteps(run.id(), MOST_NAMED).stream()
                    .map(Step::stepId)
                    .toList();
            return steps.isEmpty() || steps.contains(stepId)
                    ? refused
                    : new CommandFailure(
                            refused.exitCode(),
                            refused.getMessage() + "; its newest steps are " + String.join(", ", steps) + "\ntry: "
                                    + root.hint("logs " + run.id() + " " + steps.get(steps.size() - 1)));
        } catch (CommandFailure unknown) {
            return refused;
        }
    }

    /**
     * Prints the log of a step. Both streams of a running step are read in parallel, since neither waits for the other.
     */
    private void log(RunFacts facts, String step, boolean following) {
        LogSelection selection =
                new LogSelection(following, tail == null ? OptionalLong.empty() : OptionalLong.of(tail));
        Map<Stream, LogSink> sinks = new EnumMap<>(Stream.class);
        List<Stream> names = stream == null ? List.of(Stream.values()) : List.of(stream);
        names.forEach(name -> sinks.put(name, sink(name, following)));
        List<Runnable> streams = sinks.entrySet().stream()
                .<Runnable>map(each -> () -> {
                    facts.log(run.id(), step, each.getKey().name(), selection, each.getValue());
                    each.getValue().end();
                })
                .toList();
        if (following && streams.size() > 1 && facts instanceof ServerFacts) {
            together(streams);
        } else {
            streams.forEach(Runnable::run);
        }
        if ((tail == null || tail > 0) && sinks.values().stream().noneMatch(LogSink::isFed)) {
            String where = stream == null ? "" : " to " + stream;
            root.console()
                    .err()
                    .println(step + " has printed nothing" + where + ", or --keep-logs removed the log"
                            + (stepId == null ? stepBefore(facts) : ""));
        }
    }

    /** Returns the command for the step before the newest one, on a line of its own; empty without such a step. */
    private String stepBefore(RunFacts facts) {
        List<Step> newest = facts.newestSteps(run.id(), 2);
        return newest.size() < 2
                ? ""
                : "\ntry: " + root.hint("logs " + run.id() + " " + newest.get(0).stepId());
    }

    private LogSink sink(Stream name, boolean following) {
        boolean second = stream == null && name == Stream.stderr;
        PrintStream out = second && raw ? root.console().err() : root.console().out();
        return new LogSink(
                out,
                raw,
                second ? Paint.DIM.on(root.console(), "[stderr] ") : "",
                time -> timestamps ? stamp(time, following) : "");
    }

    private String stamp(Optional<Instant> said, boolean following) {
        Optional<Instant> known = said.or(() -> following ? Optional.of(Instant.now()) : Optional.empty());
        String text = known.map(time -> STAMP.format(time.atZone(ZoneId.systemDefault())))
                .orElse("-");
        return Paint.DIM.on(root.console(), text) + " ";
    }

    private static void together(List<Runnable> work) {
        List<CompletableFuture<Void>> all =
                work.stream().map(CompletableFuture::runAsync).toList();
        try {
            CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
        }
    }

    private String newest(RunFacts facts) {
        return facts.newestStep(run.id())
                .orElseThrow(() -> CommandFailure.refused("run " + run.id() + " has launched no step yet"));
    }

    private void followRun(Api api, RunFacts facts) {
        try (LastingFeed feed = LastingFeed.open(api, Optional.of(run.id()))) {
            String last =
                    facts.newestStep(run.id()).map(step -> print(facts, step)).orElse("");
            while (isActive(facts.run(run.id()).view().status())) {
                Optional<Document<FeedMessage>> message = feed.next(LOOK);
                last = message.isPresent() ? printIfNew(facts, message.get().view(), last) : last;
            }
        } catch (FeedReader.EndedException ended) {
            throw ended.failure(api, root, "logs " + run.id() + " -f");
        }
    }

    private boolean isGrowing(RunFacts facts) {
        return stepId == null
                ? isActive(facts.run(run.id()).view().status())
                : facts.step(run.id(), stepId).view().result().isEmpty();
    }

    private static boolean isActive(RunStatus status) {
        return status.isOpen() && status != RunStatus.PAUSED;
    }

    private String printIfNew(RunFacts facts, FeedMessage message, String last) {
        return message.event()
                .filter(StepStarted.class::isInstance)
                .map(started -> ((StepStarted) started).stepId())
                .filter(step -> !step.equals(last))
                .map(step -> print(facts, step))
                .orElse(last);
    }

    private String print(RunFacts facts, String step) {
        root.console().err().println("==> " + step + " <==");
        try {
            log(facts, step, true);
        } catch (ServerGone restarted) {
            // The feed reconnects, or reports it.
        }
        return step;
    }
}
