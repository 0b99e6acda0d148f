package dev.loopkeeper.cli.follow;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.cli.print.Console;
import dev.loopkeeper.cli.print.Paint;
import dev.loopkeeper.cli.print.RunWords;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.run.AskClosed;
import dev.loopkeeper.run.AskOpened;
import dev.loopkeeper.run.BudgetWarning;
import dev.loopkeeper.run.ItemFinished;
import dev.loopkeeper.run.ItemStarted;
import dev.loopkeeper.run.IterationFinished;
import dev.loopkeeper.run.Notice;
import dev.loopkeeper.run.PhaseFinished;
import dev.loopkeeper.run.PhaseStarted;
import dev.loopkeeper.run.Requester;
import dev.loopkeeper.run.RunCreated;
import dev.loopkeeper.run.RunEnded;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.RunPaused;
import dev.loopkeeper.run.RunPausing;
import dev.loopkeeper.run.RunQueued;
import dev.loopkeeper.run.RunResumed;
import dev.loopkeeper.run.RunStopping;
import dev.loopkeeper.run.RunWaiting;
import dev.loopkeeper.run.StepFinished;
import dev.loopkeeper.run.StepRetrying;
import dev.loopkeeper.run.StepStarted;
import dev.loopkeeper.run.StepSwept;
import dev.loopkeeper.run.progress.ItemStatus;
import dev.loopkeeper.run.progress.PhaseOutcome;
import dev.loopkeeper.run.step.StepKind;
import dev.loopkeeper.run.step.StepSummary;
import dev.loopkeeper.step.Amounts;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.FailureKind;
import dev.loopkeeper.step.StepResult;
import dev.loopkeeper.step.StepStatus;
import dev.loopkeeper.step.SweptProcess;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.termination.Termination;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Formats the events that people should see as lines; most events have none. */
public final class ProgressLines {
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");

    private static final int LONGEST = 100;
    private static final int LAST_LINES = 5;
    private final Map<Class<?>, Function<RunEvent, String>> texts = new HashMap<>();
    private final Map<String, IterationLines> iterations = new HashMap<>();
    private final Console console;
    private final ZoneId zone;
    private final boolean manyRuns;
    private final UnaryOperator<String> hint;

    /**
     * Creates lines for this console.
     *
     * @param manyRuns whether each line names its run
     * @param hint returns the command line of a command, as {@code RootCommand.hint}
     */
    public ProgressLines(Console console, ZoneId zone, boolean manyRuns, UnaryOperator<String> hint) {
        this.console = console;
        this.zone = zone;
        this.manyRuns = manyRuns;
        this.hint = hint;
        addRunTexts();
        addWorkTexts();
        addStepTexts();
    }

    /** Returns the lines of an event; empty if people need not see it. */
    public List<String> of(FeedMessage message) {
        return message.event().map(event -> of(message, event)).orElseGet(List::of);
    }

    private List<String> of(FeedMessage message, RunEvent event) {
        IterationLines iteration = iterations.computeIfAbsent(message.runId(), first -> new IterationLines(console));
        String text = event instanceof IterationFinished finished
                ? iteration.verdict(finished)
                : texts.getOrDefault(event.getClass(), silent -> "").apply(event);
        if (event instanceof AskOpened ask) {
            text += "\n    answer it with: " + hint.apply("answer " + message.runId() + " " + ask.askId() + " TEXT");
        }
        if (event instanceof RunEnded) {
            iterations.remove(message.runId());
        }
        String begin = clock(message) + (manyRuns ? message.runId() + "  " : "");
        return iteration.lines(event, text).stream()
                .flatMap(line -> (begin + line).lines())
                .toList();
    }

    private String clock(FeedMessage message) {
        return message.at()
                .map(at -> Paint.DIM.on(console, CLOCK.format(at.atZone(zone))) + "  ")
                .orElse("");
    }

    private <E extends RunEvent> void line(Class<E> kind, Function<E, String> text) {
        texts.put(kind, event -> text.apply(kind.cast(event)));
    }

    private void addRunTexts() {
        line(RunCreated.class, e -> Paint.BOLD.on(console, "run " + e.runId()));
        line(
                RunQueued.class,
                e -> "waits for a slot" + (e.by().equals("submit") ? "" : ": " + asked(e.action(), e.by())));
        line(RunResumed.class, e -> "resumed: " + asked(e.action(), e.by()));
        line(
                RunPausing.class,
                e -> "pausing after the open steps: " + e.pause().reason().words());
        line(RunPaused.class, this::paused);
        line(
                RunWaiting.class,
                e -> "waiting"
                        + e.resumeAt()
                                .map(time -> " until " + CLOCK.format(time.atZone(zone)))
                                .orElse("")
                        + reason(e.message()));
        line(RunStopping.class, e -> "stopping: " + Words.shown(e.cause().summary()));
        line(RunEnded.class, this::ended);
    }

    private void addWorkTexts() {
        line(PhaseStarted.class, e -> "phase " + e.phase() + " (" + e.kind() + ")");
        line(PhaseFinished.class, this::phaseFinished);
        line(ItemStarted.class, e -> "item " + e.item() + again(e.attempt()));
        line(ItemFinished.class, this::itemFinished);
        line(BudgetWarning.class, e -> Paint.YELLOW.on(console, Words.shown(e.message())));
        line(Notice.class, e -> Paint.YELLOW.on(console, Words.shown(e.message())));
    }

    private void addStepTexts() {
        line(StepStarted.class, this::started);
        line(
                StepRetrying.class,
                e -> "  " + e.agent() + tried(e) + ": " + Words.shown(e.error().message()));
        line(StepFinished.class, this::stepFinished);
        line(StepSwept.class, this::swept);
        line(AskOpened.class, e -> Paint.YELLOW.on(console, "  " + Words.shown(e.text())));
        line(AskClosed.class, e -> "  " + Words.shown(e.text()));
    }

    private String tried(StepRetrying event) {
        return switch (event.reason()) {
            case SIGNAL -> " is launched again to write its signal";
            case SESSION -> " is launched again without its session";
            case OVERFLOW ->
                event.retry().fallback() == 0
                        ? " is launched again in a fresh session"
                        : " takes over, in a fresh session";
            case ERROR ->
                event.tries() == 0
                        ? " takes over"
                        : " is tried again at " + CLOCK.format(event.dueAt().atZone(zone));
        };
    }

    private static String asked(ResumeAction action, String by) {
        return action.wire() + (by.equals("operator") || by.equals(Requester.LOCAL) ? "" : " (by " + by + ")");
    }

    static String again(int attempt) {
        return attempt > 1 ? " (attempt " + attempt + ")" : "";
    }

    private static String reason(String message) {
        String shown = Words.shown(message);
        return shown.isEmpty() ? "" : ": " + shown;
    }

    private String paused(RunPaused event) {
        String line = "paused: " + Words.oneLine(event.reason().text(event.detail()))
                + reason(event.pause().message());
        return Paint.YELLOW.on(console, line);
    }

    private String ended(RunEnded event) {
        Termination termination = event.termination();
        String status = event.status().wire();
        String why = termination.success() ? "" : ": " + RunWords.ended(termination);
        String took = " after " + Words.duration(event.activeMs());
        String advice = termination
                .advice()
                .map(text -> "; advice: " + Words.shown(text))
                .orElse("");
        return Paint.ofStatus(status).on(console, status + took + why + advice);
    }

    private String phaseFinished(PhaseFinished event) {
        boolean good = event.outcome() == PhaseOutcome.PASSED || event.outcome() == PhaseOutcome.FINISHED;
        return "phase " + event.phase() + " "
                + (good ? Paint.GREEN : Paint.YELLOW)
                        .on(console, event.outcome().wire()) + reason(event.message());
    }

    /** The check of a loop has a line when it ends. */
    private String started(StepStarted event) {
        return event.position() != null && event.position().kind() == StepKind.CHECK
                ? ""
                : "  " + event.agent() + " started " + Paint.DIM.on(console, event.stepId())
                        + event.escalatedFrom()
                                .map(agent -> ", takes over from " + agent)
                                .orElse("");
    }

    private String itemFinished(ItemFinished event) {
        ItemStatus status = event.status();
        String text = status == ItemStatus.PENDING ? event.outcome().wire() + ", will be tried again" : status.wire();
        return "item " + event.item() + " "
                + (status == ItemStatus.APPROVED ? Paint.GREEN : Paint.YELLOW).on(console, text);
    }

    private String stepFinished(StepFinished event) {
        StepResult result = event.result();
        String exit =
                result.exitCode().isPresent() ? " exit " + result.exitCode().getAsInt() : " no exit status";
        String cost = result.costUsd().isPresent()
                ? ", " + Amounts.cost(result.costUsd().getAsDouble(), result.estimated())
                : "";
        String line = "  " + event.agent() + exit + " in " + Words.duration(result.durationMs()) + cost
                + result.signal().map(this::signalled).orElse("");
        if (event.rejection().isPresent()) {
            String why = Words.oneLine(Words.shown(event.rejection().get()));
            return line + Paint.RED.on(console, ", rejected") + "\n      " + why;
        }
        if (result.status() == StepStatus.COMPLETED) {
            return line;
        }
        if (hasInvalidSignal(event)) {
            return Paint.RED.on(console, line + ", no valid signal");
        }
        String error = Words.lastLines(
                        result.errorContext().map(ErrorContext::message).orElse(""), LAST_LINES)
                .stream()
                .map(ErrorContext::withoutExitCode)
                .filter(said -> !said.isEmpty())
                .map(said -> "\n      " + said)
                .collect(Collectors.joining());
        // The check of a loop reports its result by the exit code, so it did not fail.
        boolean answered = event.position() != null
                && event.position().kind() == StepKind.CHECK
                && result.exitCode().isPresent();
        return answered
                ? line + ", not done yet" + error
                : Paint.RED.on(console, line + ", " + RunWords.ending(result.termination()) + error);
    }

    /** The next line, a pause or another launch, says what is wrong with the signal. */
    private static boolean hasInvalidSignal(StepFinished event) {
        return Optional.ofNullable(event.note())
                .flatMap(StepSummary::failure)
                .filter(failure -> failure.kind() == FailureKind.SIGNAL_INVALID)
                .isPresent();
    }

    /** Returns the determination of the agent itself, e.g. {@code , PROGRESS: two tests fail}. */
    private String signalled(JsonNode signal) {
        StringBuilder words = new StringBuilder();
        for (String field : List.of("determination", "verdict", "readiness")) {
            if (signal.hasNonNull(field)) {
                String word = Words.oneLine(signal.get(field).asText());
                words.append(", ").append(Paint.ofVerdict(word).on(console, word));
            }
        }
        String concern = shortened(Words.shown(signal.path("keyConcern").asText()));
        return words + (concern.isEmpty() ? "" : ": " + concern);
    }

    private static String shortened(String text) {
        return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
    }

    /** Returns the orphaned processes of a step; empty if there were none. */
    private String swept(StepSwept event) {
        int left = event.survivors().size();
        if (left > 0) {
            return Paint.RED.on(console, "  " + left + " processes of " + event.stepId() + " could not be killed");
        }
        return event.count() == 0
                ? ""
                : "  " + event.count() + " orphaned processes of " + event.stepId() + ", ended"
                        + named(event.processes());
    }

    private static String named(List<SweptProcess> processes) {
        String all = processes.stream()
                .map(process -> new SweptProcess(process.pid(), Words.oneLine(process.command()), process.foundBy()))
                .map(SweptProcess::text)
                .collect(Collectors.joining("; "));
        return all.isEmpty() ? "" : ": " + shortened(all);
    }
}
