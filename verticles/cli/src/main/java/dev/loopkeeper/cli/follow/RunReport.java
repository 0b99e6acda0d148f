package dev.loopkeeper.cli.follow;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.cli.print.Console;
import dev.loopkeeper.cli.print.Paint;
import dev.loopkeeper.cli.print.RunWords;
import dev.loopkeeper.cli.print.Times;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.Document;
import dev.loopkeeper.cli.session.JsonOption;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.RunFacts;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.statistics.RunStatistics;
import dev.loopkeeper.step.Amounts;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.termination.TerminalExhaustion;
import dev.loopkeeper.termination.Termination;
import dev.loopkeeper.view.Explanation;
import dev.loopkeeper.view.IterationRow;
import dev.loopkeeper.view.Position;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.view.RunPause;
import dev.loopkeeper.view.TotalUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Describes a run in lines for people. */
public final class RunReport {
    private static final String INDENT = "  ";
    private static final int LAST_LINES = 5;
    /** The exit code, which the line of the step already shows. */
    private static final Pattern EXIT = Pattern.compile("^exit \\d+: ");

    private final RootCommand root;
    private final Run run;
    private final Optional<ResumeSuggestion> command;
    private final Times times = Times.here();
    private final List<String> lines = new ArrayList<>();

    private RunReport(RootCommand root, Run run, Optional<Explanation> advice) {
        this.root = root;
        this.run = run;
        this.command = advice.map(ResumeSuggestion::new);
    }

    /** Returns id and status in one line. */
    public static String headline(Console console, Run run) {
        return headline(console, run.runId(), run.status().wire());
    }

    /** Returns id and status of a run object in one line. */
    public static String headline(Console console, JsonNode run) {
        return headline(console, run.path("runId").asText(), run.path("status").asText());
    }

    private static String headline(Console console, String runId, String status) {
        return Paint.BOLD.on(console, runId) + " is " + Paint.ofStatus(status).on(console, status);
    }

    /**
     * Returns why the run has its status, and what can be done next.
     *
     * @param advice what a resume needs, if known
     */
    public static List<String> why(RootCommand root, Run run, Optional<Explanation> advice) {
        RunReport report = new RunReport(root, run, advice);
        report.why();
        return report.lines;
    }

    /**
     * Returns the outcome of a followed run, with its usage.
     *
     * @param reasonPrinted whether the line above already gives the reason of the pause or the end
     */
    static List<String> outcome(RootCommand root, Run run, Optional<Explanation> advice, boolean reasonPrinted) {
        RunReport report = new RunReport(root, run, advice);
        report.state(reasonPrinted);
        RunWords.spent(run).ifPresent(report::add);
        report.branch();
        report.next();
        return report.lines;
    }

    /** Prints the outcome of a followed run, for people or as JSON; see {@link #outcome}. */
    public static void print(RootCommand root, boolean json, boolean reasonPrinted, Document<Run> run, RunFacts facts) {
        if (json) {
            root.console().print(JsonOption.pretty(run.json()));
        } else {
            outcome(root, run.view(), facts.advice(run.view()), reasonPrinted).forEach(root.console()::print);
        }
    }

    /**
     * Returns a complete report.
     *
     * @param iterations iterations whose commits are listed, oldest first
     */
    public static List<String> whole(
            RootCommand root, Run run, Optional<Explanation> advice, List<IterationRow> iterations) {
        RunReport report = new RunReport(root, run, advice);
        report.state(false);
        report.facts(iterations);
        report.next();
        return report.lines;
    }

    private void why() {
        state(false);
        next();
    }

    private void state(boolean reasonPrinted) {
        lines.add(headline(root.console(), run));
        RunWords.waits(run).ifPresent(this::add);
        RunWords.waiting(run, times).ifPresent(this::add);
        run.pause().ifPresent(pause -> paused(pause, reasonPrinted));
        run.termination().ifPresent(ended -> ended(ended, reasonPrinted));
    }

    /** Adds one command that can be used unchanged, except for text that only a person can give. */
    private void next() {
        if (run.status() == RunStatus.WAITING) {
            add("continue it now with: " + root.hint("resume " + run.runId()));
        } else if (run.status() == RunStatus.RUNNING) {
            add("follow the log with: " + root.hint("logs " + run.runId() + " -f"));
        }
        command.ifPresent(known -> {
            known.needs().forEach(need -> add("a resume needs " + need));
            known.line(Optional.empty()).ifPresent(line -> add("resume it with: " + root.hint(line)));
            known.waiver().ifPresent(waiver -> add("or with " + waiver));
        });
    }

    private void facts(List<IterationRow> iterations) {
        at(run.position());
        used(run.usage())
                .ifPresent(used -> add(
                        used + RunWords.caps(run).map(caps -> "; cap " + caps).orElse("")));
        counted(run.statistics());
        run.last()
                .ifPresent(last -> add("last verdict " + last.verdict() + " by " + last.stepId()
                        + last.concern()
                                .map(concern -> ": " + Words.shown(concern))
                                .orElse("")));
        branch();
        iterations.forEach(row -> row.git().ifPresent(git -> committed(row, git)));
        run.owner()
                .ifPresent(owner -> add(
                        "executed by node " + Words.oneLine(owner.node()) + " since " + times.moment(owner.since())));
        run.startedAt().ifPresent(started -> add("active for " + Words.duration(run.activeMs())));
        add("created " + times.moment(run.createdAt())
                + labelled(", started ", run.startedAt().map(times::moment))
                + labelled(", ended ", run.endedAt().map(times::moments)));
        add("execution " + run.execution() + ", event " + run.sequence());
        run.workspace().ifPresent(folder -> add("workspace " + folder));
    }

    /** Adds the branch of the run, and the commands to show and to merge its changes. */
    private void branch() {
        run.git().ifPresent(git -> {
            add("branch " + Words.oneLine(git.branch()) + ", " + Amounts.count(git.files(), "file") + " changed, +"
                    + git.insertions() + " -" + git.deletions());
            add("show the changes with: " + root.hint("diff " + run.runId()));
            add("merge them with: " + root.hint("merge " + run.runId()));
            git.kept()
                    .forEach(kept -> add(
                            "the worktree " + Words.oneLine(kept.path()) + " stays: " + Words.oneLine(kept.reason())));
        });
    }

    private void committed(IterationRow row, IterationRow.Committed git) {
        String again = row.attempt() > 1 ? ", attempt " + row.attempt() : "";
        add("iteration " + row.iteration() + again + ": " + Amounts.count(git.commits(), "commit") + ", "
                + Amounts.count(git.files(), "file") + ", +" + git.insertions() + " -" + git.deletions());
    }

    private void add(String line) {
        lines.add(INDENT + line);
    }

    private static String labelled(String word, Optional<?> value) {
        return value.map(known -> word + known).orElse("");
    }

    private void paused(RunPause pause, boolean reasonPrinted) {
        String message = Words.shown(pause.message());
        if (!reasonPrinted) {
            add("reason: " + Words.oneLine(pause.reason().text(pause.detail()))
                    + (message.isEmpty() ? "" : ": " + message));
        }
        pause.keyConcern().ifPresent(concern -> said("concern", concern, message));
        pause.refusedValue().ifPresent(value -> said("refused value", value, message));
        pause.errorContext().ifPresent(error -> said(error, message));
        pause.gaps().forEach(gap -> said("gap", gap, ""));
        pause.questions().forEach(question -> said("question", question, ""));
        if (pause.reason() == PauseReason.MISSING_SIGNALS) {
            pause.stepId()
                    .ifPresent(step ->
                            add("show the log of the step with: " + root.hint("logs " + run.runId() + " " + step)));
        }
        String actions = pause.allowedActions().stream().map(ResumeAction::wire).collect(Collectors.joining(", "));
        add("next actions: " + actions + "; any of them with --feedback TEXT");
    }

    /** Adds a detail unless the message already contains it. */
    private void said(String word, String text, String message) {
        String shown = Words.shown(text);
        if (!shown.isEmpty() && !message.contains(shown)) {
            add(word + ": " + shown);
        }
    }

    private void said(ErrorContext error, String message) {
        Words.lastLines(error.message(), LAST_LINES).stream()
                .filter(line -> !message.contains(EXIT.matcher(line).replaceFirst("")))
                .forEach(line -> add("error: " + line));
    }

    private void ended(Termination termination, boolean reasonPrinted) {
        String outcome = "ended: " + RunWords.ended(termination);
        if (!reasonPrinted) {
            // The summary of a success needs no reason before it.
            add(termination.success() ? "ended: " + Words.shown(termination.summary()) : outcome);
        }
        termination.errorContext().ifPresent(error -> said(error, outcome));
        run.terminalExhaustion()
                .flatMap(TerminalExhaustion::qualifier)
                .ifPresent(qualifier -> said("qualifier", qualifier, ""));
        termination.advice().ifPresent(advice -> said("advice", advice, ""));
    }

    private void at(Position position) {
        position.phase()
                .ifPresent(phase -> add("at phase " + phase
                        + labelled(", iteration ", RunWords.iteration(run))
                        + labelled(", item ", position.item())
                        + labelled(", step ", position.stepId())));
    }

    /** Returns e.g. {@code used $1.25 or more, 46230 tokens, unknown turns}; empty if nothing is known. */
    static Optional<String> used(TotalUsage usage) {
        if (usage.tokens().isEmpty()
                && usage.costUsd().isEmpty()
                && usage.turns().isEmpty()) {
            return Optional.empty();
        }
        String tokens = usage.tokens().isPresent() ? "" + usage.tokens().getAsLong() : "unknown";
        String turns = usage.turns().isPresent() ? "" + usage.turns().getAsLong() : "unknown";
        return Optional.of("used " + cost(usage) + ", " + tokens + " tokens, " + turns + " turns");
    }

    private static String cost(TotalUsage usage) {
        if (usage.costUsd().isEmpty()) {
            return "unknown cost";
        }
        String least = usage.costKnown() ? "" : " or more";
        return String.format(Locale.ROOT, "$%.2f", usage.costUsd().getAsDouble()) + least;
    }

    private void counted(RunStatistics counts) {
        if (counts.itemsTotal() > 0) {
            boolean items = run.phases().stream().anyMatch(phase -> phase.kind().equals("each"));
            String approved = items ? " units approved, " : " iterations with success or progress, ";
            String rejected = items ? " rejected, " : " stalled, ";
            add(counts.ended().itemsApproved() + " of " + counts.itemsTotal() + approved
                    + counts.ended().itemsRejected() + rejected + counts.ended().itemsFailed() + " failed, "
                    + Amounts.count(counts.totalAttempts(), "attempt"));
        }
    }
}
