package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.ManifestFile;
import dev.loopkeeper.policy.FiredAt;
import dev.loopkeeper.run.git.GitOrigin;
import dev.loopkeeper.step.TraceContext;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code run.created}: the first event of every run, with everything that recovery requires.
 *
 * @param manifest the original document
 * @param resolved the parsed document with defaults; the document is never parsed again
 * @param git origin of its worktrees; absent without worktrees
 * @param file the submitted file; absent when it was not a file
 * @param trace where in a trace its submitter was
 * @param by who submitted it, as {@link Requester} says
 * @param schedule the fire that began it
 */
@JsonTypeName("run.created")
public record RunCreated(
        String runId,
        String name,
        String nonce,
        String workspace,
        String baseDir,
        boolean start,
        JsonNode manifest,
        Manifest resolved,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<GitOrigin> git,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<ManifestFile> file,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<TraceContext> trace,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> by,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<FiredAt> schedule)
        implements RunEvent {
    /** The initial state of the run. */
    public RunState begin(Instant at) {
        return RunStateBuilder.builder()
                .runId(runId)
                .plan(new Plan(manifest, resolved, workspace, baseDir, file))
                .createdAt(at)
                .nonce(nonce)
                .parent(trace)
                .schedule(schedule)
                .sequence(1)
                .condition(new Condition.Queued(start, Optional.empty()))
                .executions(List.of())
                .limits(Limits.of(resolved))
                .cursor(Cursor.START)
                .steps(Map.of())
                .retries(Map.of())
                .pauses(List.of())
                .toleratedSurvivors(List.of())
                .automaticResumes(Map.of())
                .overflows(Map.of())
                .asks(List.of())
                .ledger(Ledger.EMPTY)
                .git(gitState())
                .active(ActiveTime.NONE)
                .build();
    }

    private Optional<GitState> gitState() {
        return resolved.isolation()
                .flatMap(isolation -> git.map(origin -> GitState.begin(origin, isolation.branchOf(runId, name))));
    }

    @Override
    public RunState apply(RunState state, Instant at) {
        return state;
    }

    @Override
    public String text() {
        return "created in " + workspace
                + by.map(who -> ", submitted by " + who).orElse("");
    }
}
