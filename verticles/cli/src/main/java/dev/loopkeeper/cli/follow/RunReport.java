package dev.loopkeeper.cli.follow;

import dev.loopkeeper.cli.print.Console;
import dev.loopkeeper.cli.print.Paint;
import dev.loopkeeper.cli.print.RunWords;
import dev.loopkeeper.cli.print.Times;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.Document;
import dev.loopkeeper.cli.session.JsonOption;
import dev.loopkeeper.cli.session.LocalGit;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.RunFacts;
import dev.loopkeeper.json.WireName;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.run.step.LaunchHold;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.statistics.RunStatistics;
import dev.loopkeeper.step.Amounts;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.termination.TerminalExhaustion;
import dev.loopkeeper.termination.Termination;
import dev.loopkeeper.view.DecisiveStep;
import dev.loopkeeper.view.Explanation;
import dev.loopkeeper.view.IterationRow;
import dev.loopkeeper.view.OpenStepView;
import dev.loopkeeper.view.Position;
import dev.loopkeeper.view.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/** Describes a run in lines for people. */
public final class RunReport {
    private static final String INDENT = "  ";
    private static final int LAST_LINES = 5;
    private static final int DECISIONS = 5;
    /** Characters of a text by which it is known. */
    private static final int BEGINNING = 80;
    /** Types of the events that say who did something to the run. */
    private static final Set<String> BY_PEOPLE = Set.of("ask.closed", "stop", "run.resumed");

    private final RootCommand root;
    private final Run run;
    private final RunFacts facts;
    private final Times times = Times.here();
    private final List<String> lines = new ArrayList<>();
    private Optional<Explanation> explanation = Optional.empty();

    private RunReport(RootCommand root, Run run, RunFacts facts) {
        this.root = root;
        this.run = run;
        this.facts = facts;
    }

    /** Returns id and status in one line. */
    public static String headline(Console console, Run run) {
        String status = run.status().wire();
        return Paint.BOLD.on(console, run.runId()) + " is "
                + Paint.ofStatus(status).on(console, status);
    }

    /** Returns why the run has its status, and what can be done next. */
    public static List<String> why(RootCommand root, Run run, RunFacts facts) {
        RunReport report = new RunReport(root, run, facts);
        report.state(false);
        report.next();
        return report.lines;
    }

    /**
     * Returns the outcome of a followed run, with its usage.
     *
     * @param reasonPrinted whether the line above already gives the reason of the pause or the end
     */
    public static List<String> outcome(RootCommand root, Run run, RunFacts facts, boolean reasonPrinted) {
        RunReport report = new RunReport(root, run, facts);
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
            outcome(root, run.view(), facts, reasonPrinted).forEach(root.console()::print);
        }
    }

    /**
     * Returns a complete report.
     *
     * @param iterations iterations whose commits are listed, oldest first
     */
    public static List<String> whole(RootCommand root, Run run, RunFacts facts, List<IterationRow> iterations) {
        RunReport report = new RunReport(root, run, facts);
        report.state(false);
        report.facts(iterations);
        report.next();
        return report.lines;
    }

    private void state(boolean reasonPrinted) {
        lines.add(headline(root.console(), run));
        if (facts.abandoned(run)) {
            Optional<String> open =
                    run.openSteps().stream().map(OpenStepView::stepId).reduce((one, other) -> one + ", " + other);
            add("no process executes it" + labelled("; at work when its process ended: ", open));
        }
        RunWords.waits(run).ifPresent(this::add);
        RunWords.waitsForPool(run, times, () -> Optional.of(facts.pools().view()))
                .or(() -> RunWords.waiting(run, times))
                .ifPresent(this::add);
        run.asks().forEach(ask -> {
            add(RunWords.asked(ask));
            add("answer it with: " + root.hint("answer " + run.runId() + " " + ask.askId() + " TEXT"));
        });
        run.pauseAt().ifPresent(due -> add("pauses at " + times.moments(due)));
        run.pause().ifPresent(pause -> paused(pause, reasonPrinted));
        run.termination().ifPresent(ended -> ended(ended, reasonPrinted));
    }

    /** Names the log of the step that caused the pause or the ending. */
    private void log() {
        DecisiveStep.of(run)
                .ifPresent(
                        step -> add("show the log of the step with: " + root.hint("logs " + run.runId() + " " + step)));
    }

    /** Adds one command that can be used unchanged, except for text that only a person can give. */
    private void next() {
        if (facts.abandoned(run)) {
            add("resume it with: " + root.hint("resume " + run.runId()));
            add("or all open runs with: " + root.hint("serve"));
            return;
        }
        if (run.status() == RunStatus.RUNNING) {
            add("follow the log with: " + root.hint("logs " + run.runId() + " -f"));
        }
        Optional.of(run).filter(Run::resumable).flatMap(known -> explained()).ifPresent(advice -> {
            if (run.status() == RunStatus.RUNNING && advice.pause().isPresent()) {
                add(Words.shown(advice.summary()));
            }
            ResumeSuggestion command = new ResumeSuggestion(advice);
            command.needs().forEach(need -> add("a resume needs " + need));
            boolean unwritten = isSignalUnwritten();
            if (unwritten) {
                add("correct the prompt or the path of the signal first: the same agent would pause the run again");
            }
            command.line(Optional.empty())
                    .filter(line -> !waitsForOthers())
                    .ifPresent(line -> add(resumes() + root.hint(line)));
            if (unwritten) {
                command.line(Optional.of(ResumeAction.CONTINUE.wire()))
                        .ifPresent(line -> add("or accept the step as it is with: " + root.hint(line)));
            }
            command.others().forEach(option -> add("or with " + option));
        });
    }

    /** Adds who answered, stopped and resumed lately. */
    private void decisions() {
        List<Explanation.Link> decisions = explained().map(Explanation::chain).orElse(List.of()).stream()
                .filter(link -> BY_PEOPLE.contains(link.type()))
                .toList();
        decisions.stream()
                .skip(Math.max(0, decisions.size() - DECISIONS))
                .forEach(link -> add(times.moments(link.at()) + ": " + Words.shown(link.text())));
    }

    private Optional<Explanation> explained() {
        if (explanation.isEmpty()) {
            explanation = facts.explained(run.runId());
        }
        return explanation;
    }

    /** Whether a resume would only wait again. */
    private boolean waitsForOthers() {
        return run.waiting()
                .flatMap(waiting -> WireName.find(LaunchHold.Kind.class, waiting.reason()))
                .isPresent();
    }

    private String resumes() {
        return switch (run.status()) {
            case WAITING -> "continue it now with: ";
            case QUEUED -> "start it with: ";
            default -> "resume it with: ";
        };
    }

    /** Whether the agent ended as if it had done its work, so that a rerun would end the same way. */
    private boolean isSignalUnwritten() {
        return run.pause()
                .filter(pause -> pause.reason() == PauseReason.MISSING_SIGNALS)
                .flatMap(pause -> DecisiveStep.of(run))
                .flatMap(stepId -> facts.step(run.runId(), stepId).view().result())
                .filter(result -> result.exitCode().equals(OptionalInt.of(0)))
                .isPresent();
    }

    private void facts(List<IterationRow> iterations) {
        at(run.position());
        RunWords.used(run.usage())
                .ifPresent(used -> add(
                        used + RunWords.caps(run).map(caps -> "; cap " + caps).orElse("")));
        counted(run.statistics());
        run.last()
                .ifPresent(last -> add("last verdict " + RunWords.verdict(run, last) + " by " + last.stepId()
                        + last.concern()
                                .map(concern -> ": " + Words.shown(concern))
                                .orElse("")));
        branch();
        decisions();
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

    /** Adds the branch of the run, and the commands to show its changes and to merge them. */
    private void branch() {
        run.git().ifPresent(git -> {
            add("branch " + Words.oneLine(git.branch()) + ", " + Amounts.count(git.files(), "file") + " changed, +"
                    + git.insertions() + " -" + git.deletions());
            if (!git.head().equals(git.base())) {
                add("show the changes with: " + root.hint("diff " + run.runId()));
                if (run.atRest()) {
                    add(
                            LocalGit.isMerged(run, git)
                                    ? "the branch that is checked out contains them"
                                    : "merge them with: " + root.hint("merge " + run.runId()));
                }
            }
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

    private void paused(Pause pause, boolean reasonPrinted) {
        String message = Words.shown(pause.message());
        if (!reasonPrinted) {
            add("reason: " + Words.oneLine(pause.reason().text(pause.detail()))
                    + (message.isEmpty() ? "" : ": " + message));
        }
        pause.keyConcern().ifPresent(concern -> said("concern", concern, message));
        pause.refusedValue().ifPresent(value -> said("refused value", value, message));
        pause.errorContext().ifPresent(error -> said(error, message));
        pause.gaps().forEach(gap -> said("gap", gap, ""));
        // A list is complete; a single question may be the message.
        boolean several = pause.questions().size() > 1;
        pause.questions().forEach(question -> said("question", question, several ? "" : message));
        log();
        String actions = pause.allowedActions().stream().map(ResumeAction::wire).collect(Collectors.joining(", "));
        add("next actions: " + actions + "; any of them with --feedback TEXT");
    }

    /** Whether the message contains this text, or its beginning where the message is cut. */
    private static boolean contains(String message, String text) {
        return message.contains(text.substring(0, Math.min(text.length(), BEGINNING)));
    }

    /** Adds a detail unless the message already contains it. */
    private void said(String word, String text, String message) {
        String shown = Words.shown(text);
        if (!shown.isEmpty() && !contains(message, shown)) {
            add(word + ": " + shown);
        }
    }

    private void said(ErrorContext error, String message) {
        Words.lastLines(error.message(), LAST_LINES).stream()
                .filter(line -> !contains(message, ErrorContext.withoutExitCode(line)))
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
        if (!termination.success()) {
            log();
        }
    }

    private void at(Position position) {
        position.phase()
                .ifPresent(phase -> add("at phase " + phase
                        + labelled(", iteration ", RunWords.iteration(run))
                        + labelled(", item ", position.item())
                        + labelled(", step ", position.stepId())));
    }

    private void counted(RunStatistics counts) {
        if (counts.itemsTotal() > 0) {
            boolean items = RunWords.hasItems(run);
            String approved = items ? " units approved, " : " iterations with success or progress, ";
            String rejected = items ? " rejected, " : " stalled, ";
            add(counts.ended().itemsApproved() + " of " + counts.itemsTotal() + approved
                    + counts.ended().itemsRejected() + rejected + counts.ended().itemsFailed() + " failed, "
                    + Amounts.count(counts.totalAttempts(), "launch", "launches"));
        }
    }
}
