package dev.loopkeeper.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.run.ChangedManifest;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.statistics.StopConditionChanges;
import dev.loopkeeper.termination.ResumeAction;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** A request to continue, written in a few words. */
record Resume(ResumeRequest request) {
    static Resume plain() {
        return new Resume(ResumeRequest.PLAIN);
    }

    static Resume with(ResumeAction action) {
        ResumeRequest plain = ResumeRequest.PLAIN;
        return of(plain, Optional.of(action), plain.feedback(), plain.waive(), plain.force(), plain.dryRun());
    }

    Resume feedback(String text) {
        return of(request, request.action(), Optional.of(text), request.waive(), request.force(), request.dryRun());
    }

    Resume waive(String gate) {
        return of(request, request.action(), request.feedback(), Optional.of(gate), request.force(), request.dryRun());
    }

    Resume force() {
        return of(request, request.action(), request.feedback(), request.waive(), true, request.dryRun());
    }

    Resume dryRun() {
        return of(request, request.action(), request.feedback(), request.waive(), request.force(), true);
    }

    Resume costUsd(double cap) {
        return limits(OptionalDouble.of(cap), request.maxIterations(), request.maxAttempts(), request.stopConditions());
    }

    Resume maxIterations(int limit) {
        return limits(request.costUsd(), OptionalInt.of(limit), request.maxAttempts(), request.stopConditions());
    }

    Resume maxAttempts(int limit) {
        return limits(request.costUsd(), request.maxIterations(), OptionalInt.of(limit), request.stopConditions());
    }

    Resume maxRejectRate(double rate) {
        StopConditionChanges none = StopConditionChanges.NONE;
        return limits(
                request.costUsd(),
                request.maxIterations(),
                request.maxAttempts(),
                new StopConditionChanges(
                        none.maxRetryRate(),
                        OptionalDouble.of(rate),
                        none.maxConsecutiveFails(),
                        none.circuitBreaker(),
                        none.minAttempted()));
    }

    Resume resetItems(String... items) {
        return counts(List.of(items), request.resetStatistics(), request.acknowledge());
    }

    Resume resetStatistics() {
        return counts(request.resetItems(), true, request.acknowledge());
    }

    Resume acknowledge() {
        return counts(request.resetItems(), request.resetStatistics(), true);
    }

    /** With this manifest in place of the run's, as it is written. */
    Resume manifest(String yaml) {
        JsonNode document = Manifests.document(yaml);
        return new Resume(request.changedManifest(
                new ChangedManifest(document, Manifests.read(document), "/work", Optional.empty(), List.of())));
    }

    /** With another environment in the manifest of this run. */
    Resume changed(RunState state) {
        ObjectNode document = state.plan().document().deepCopy();
        document.putObject("env").put("AGAIN", "1");
        return manifest(document.toString());
    }

    private static Resume of(
            ResumeRequest old,
            Optional<ResumeAction> action,
            Optional<String> feedback,
            Optional<String> waive,
            boolean force,
            boolean dryRun) {
        return new Resume(old.with(copy ->
                copy.action(action).feedback(feedback).waive(waive).force(force).dryRun(dryRun)));
    }

    private Resume limits(
            OptionalDouble costUsd, OptionalInt iterations, OptionalInt attempts, StopConditionChanges thresholds) {
        return new Resume(request.with(copy -> copy.costUsd(costUsd)
                .tokens(OptionalLong.empty())
                .turns(OptionalLong.empty())
                .maxIterations(iterations)
                .maxAttempts(attempts)
                .stopConditions(thresholds)));
    }

    private Resume counts(List<String> resetItems, boolean resetStatistics, boolean acknowledge) {
        return new Resume(request.with(copy ->
                copy.resetItems(resetItems).resetStatistics(resetStatistics).acknowledge(acknowledge)));
    }
}
