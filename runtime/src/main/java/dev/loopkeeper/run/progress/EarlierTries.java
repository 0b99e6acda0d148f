package dev.loopkeeper.run.progress;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loopkeeper.collection.Copies;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.run.step.Finding;
import dev.loopkeeper.run.step.StepSummary;
import dev.loopkeeper.run.step.Verdict;
import dev.loopkeeper.statistics.UnitOutcome;
import dev.loopkeeper.step.BoundedText;
import dev.loopkeeper.step.EarlierSession;
import dev.loopkeeper.step.Failure;
import dev.loopkeeper.step.FailureKind;
import dev.loopkeeper.step.LaunchContext;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * Collects earlier results of a phase or an item for its later launches. Bounded for runs of any length.
 *
 * @param last the newest verdict
 * @param history ended iterations of a loop or attempts of an item: the newest {@value LaunchContext#MOST_EARLIER}, oldest
 *     first
 * @param omitted number of older entries
 * @param failure why the current attempt is a retry; for a gate, why it did not pass
 * @param repeated the step of the current attempt to launch again, and why
 * @param costUsd of the current attempt's steps; absent when none was reported
 * @param files changed in the current attempt
 * @param escalated agents of the current attempt that took over from others
 * @param sessions by agent, the session that its next launch may continue
 * @param escalations by agent of the manifest, its rejections and takeovers
 */
@RecordBuilder
public record EarlierTries(
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<LaunchContext.Last> last,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<LaunchContext.Earlier> history,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) int omitted,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Failure> failure,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Repeated> repeated,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) OptionalDouble costUsd,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) int files,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> escalated,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, EarlierSession> sessions,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Escalation> escalations)
        implements EarlierTriesBuilder.With {
    public static final EarlierTries NONE = new EarlierTries(
            Optional.empty(),
            List.of(),
            0,
            Optional.empty(),
            Optional.empty(),
            OptionalDouble.empty(),
            0,
            List.of(),
            Map.of(),
            Map.of());

    /**
     * A step that is launched again.
     *
     * @param slot key of its position
     */
    public record Repeated(String slot, Failure failure) {}

    public EarlierTries withLatest(Optional<LaunchContext.Last> verdict) {
        return withLast(verdict.or(() -> last));
    }

    public EarlierTries costing(OptionalDouble more) {
        if (more.isEmpty()) {
            return this;
        }
        BigDecimal sum = BigDecimal.valueOf(costUsd.orElse(0)).add(BigDecimal.valueOf(more.getAsDouble()));
        return withCostUsd(OptionalDouble.of(sum.doubleValue()));
    }

    public EarlierTries changing(int more) {
        return withFiles(files + more);
    }

    /** Records the session that the agent's next launch may continue, or removes it. */
    public EarlierTries keeping(String agent, Optional<EarlierSession> session) {
        if (session.isEmpty() && !sessions.containsKey(agent)) {
            return this;
        }
        return withSessions(
                session.map(id -> Copies.plus(sessions, agent, id)).orElseGet(() -> Copies.minus(sessions, agent)));
    }

    /** The item restarts from nothing: no earlier session of it is continued, and its first agents work. */
    EarlierTries reset() {
        return withSessions(Map.of()).withEscalations(Map.of());
    }

    /** An agent that took over is launched. */
    public EarlierTries escalated(String agent) {
        return escalated.contains(agent) ? this : withEscalated(Copies.plus(escalated, agent));
    }

    /** The agent that took over from this agent of the manifest. */
    public Optional<String> holder(String agent, Manifest manifest) {
        return Optional.ofNullable(escalations.get(agent)).flatMap(held -> held.holder(manifest.escalations(agent)));
    }

    /** Counts a try for the agents of the phase that escalate. */
    public EarlierTries rated(Verdict verdict, PhaseSpec phase, Manifest manifest) {
        return withEscalations(Escalation.after(escalations, verdict, phase.agents(), manifest));
    }

    /** Failures of the attempt so far replace the reason of the attempt itself; without any it stays. */
    public EarlierTries failing(Stream<Failure> found) {
        return withFailure(Failure.first(found).or(() -> failure)).withRepeated(Optional.empty());
    }

    /** The step is launched again in the current attempt. A stop of an attempt replaces an older interruption. */
    public EarlierTries repeating(String position, Failure why, boolean cancelled) {
        boolean replaces = cancelled
                && why.kind() == FailureKind.INTERRUPTED
                && failure.filter(older -> older.kind() == FailureKind.INTERRUPTED)
                        .isPresent();
        return withRepeated(Optional.of(new Repeated(position, why)))
                .withFailure(replaces ? Optional.of(why) : failure);
    }

    /** Returns whether the current attempt waits for the repetition of a step that was interrupted. */
    public boolean isInterrupted() {
        return repeated.filter(step -> step.failure().kind() == FailureKind.INTERRUPTED)
                .isPresent();
    }

    /** The next attempt begins. */
    public EarlierTries begun() {
        return with().repeated(Optional.empty())
                .costUsd(OptionalDouble.empty())
                .files(0)
                .escalated(List.of())
                .build();
    }

    /** The same attempt begins again; {@code found} are its failures so far, oldest first. */
    public EarlierTries begunAgain(Stream<Failure> found) {
        return failing(Stream.concat(found, repeated.stream().map(Repeated::failure)))
                .begun();
    }

    /** The phase ended, or the item was approved. */
    public EarlierTries ended() {
        return withFailure(Optional.empty()).withEscalations(Map.of()).begun();
    }

    /** An iteration ended. After an interruption by a question, the failure stays. */
    public EarlierTries after(IterationResult result, Iteration iteration, boolean countsFiles) {
        Optional<String> concern =
                iteration.speaker().flatMap(StepSummary::finding).map(Finding::words);
        String verdict = result.verdict().wire();
        EarlierTries listed = listing(
                Optional.of(iteration.number()),
                iteration.attempt(),
                verdict,
                iteration.workConcern().or(() -> concern),
                countsFiles);
        if (!result.counts()) {
            return listed.begun();
        }
        Stream<Failure> judged = failureOf(result.verdict(), iteration, concern).stream();
        return listed.withFailure(Failure.first(Stream.concat(found(iteration), judged)))
                .begun();
    }

    /** The failures of an iteration so far: after a resume and of its steps. */
    public Stream<Failure> found(Iteration iteration) {
        Stream<Failure> resumed =
                failure.stream().filter(why -> why.stepId().stream().anyMatch(iteration::holds));
        return Stream.concat(
                resumed, iteration.notes().stream().map(StepSummary::failure).flatMap(Optional::stream));
    }

    private static Optional<Failure> failureOf(Verdict verdict, Iteration iteration, Optional<String> concern) {
        Optional<FailureKind> kind = switch (verdict) {
            case ANOMALY -> Optional.of(FailureKind.ANOMALY);
            // A step that was rejected has said so, with the files.
            case STALLED -> iteration.isRejected() ? Optional.empty() : Optional.of(FailureKind.REJECTED);
            case FAILED -> iteration.failed() ? Optional.empty() : Optional.of(FailureKind.REJECTED);
            default -> Optional.empty();
        };
        String plain = "iteration " + iteration.number() + " was " + verdict.wire();
        Optional<String> type =
                iteration.speaker().flatMap(StepSummary::finding).flatMap(Finding::anomalyType);
        return kind.map(failureKind -> saidBy(Failure.of(failureKind, concern.orElse(plain)), iteration.speaker())
                .withDetail(failureKind == FailureKind.ANOMALY ? type : Optional.empty()));
    }

    private static Failure saidBy(Failure failure, Optional<StepSummary> speaker) {
        return speaker.map(note -> failure.by(note.stepId())).orElse(failure);
    }

    /** An attempt of an item ended; {@code conflict} explains why it could not be merged. */
    public EarlierTries after(
            int attempt,
            UnitOutcome outcome,
            Optional<StepSummary> note,
            Optional<String> conflict,
            boolean countsFiles) {
        Optional<String> concern =
                conflict.or(() -> note.flatMap(StepSummary::finding).map(Finding::words));
        boolean failed = note.filter(StepSummary::failed).isPresent();
        EarlierTries listed = listing(
                Optional.empty(), attempt, failed ? Verdict.FAILED.wire() : outcome.wire(), concern, countsFiles);
        if (outcome == UnitOutcome.APPROVED) {
            return listed.ended().reset();
        }
        String plain = "attempt " + attempt + " was " + outcome.wire();
        Failure rejected = saidBy(Failure.of(FailureKind.REJECTED, concern.orElse(plain)), note);
        Stream<Failure> said =
                failure.stream().filter(why -> note.map(StepSummary::stepId).equals(why.stepId()));
        Stream<Failure> step = note.flatMap(StepSummary::failure).stream();
        return listed.withFailure(
                        Failure.first(Stream.of(Stream.of(rejected), said, step).flatMap(failures -> failures)))
                .begun();
    }

    private EarlierTries listing(
            Optional<Integer> iteration, int attempt, String verdict, Optional<String> concern, boolean countsFiles) {
        LaunchContext.Earlier ended = new LaunchContext.Earlier(
                iteration,
                attempt,
                verdict,
                concern.filter(words -> !words.isBlank()).map(BoundedText::beginning),
                costUsd,
                countsFiles ? OptionalInt.of(files) : OptionalInt.empty(),
                escalated);
        List<LaunchContext.Earlier> all = Copies.plus(history, ended);
        int older = Math.max(0, all.size() - LaunchContext.MOST_EARLIER);
        return withHistory(all.subList(older, all.size())).withOmitted(omitted + older);
    }
}
