package dev.loopkeeper.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loopkeeper.manifest.ManifestFile;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.termination.ResumeField;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Explains the status of a run, its next actions and their requirements.
 *
 * @param summary for people, one line, e.g. {@code paused, review due (cadence): 5 iterations are done}
 * @param pause as in {@link Run}; of a running run the requested one, which takes effect when its open steps have ended
 * @param waiting as in {@link Run}
 * @param advice the manifest's advice for the reason of the ending, if any
 * @param allowedActions next actions, in the order in which they are offered; empty while a resume would change nothing
 * @param resumeNeeds missing requirements of a plain resume, e.g. {@code maxIterations above 20}. This and the next two
 * are absent while no resume is possible
 * @param kept what a resume keeps, for people
 * @param redone what a resume redoes, for people
 * @param needs fields that a resume requires; each may have alternatives
 * @param accepts optional fields of a resume
 * @param effects result of each allowed action, for people
 * @param manifestFile file of the current manifest; absent when it did not come from a file
 * @param chain the decisions, oldest first; the newest part of a long history
 */
public record Explanation(
        String runId,
        RunStatus status,
        String summary,
        @Pause.Shown Optional<Pause> pause,
        Optional<PendingWait> waiting,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> advice,
        List<ResumeAction> allowedActions,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<List<String>> resumeNeeds,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<List<String>> kept,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<List<String>> redone,
        List<ResumeField> needs,
        List<ResumeField> accepts,
        Map<ResumeAction, String> effects,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<ManifestFile> manifestFile,
        List<Link> chain) {
    /**
     * A decision of the run.
     *
     * @param sequence of the event that recorded it
     * @param type of that event, e.g. {@code iteration.finished}
     * @param text for people, one line, e.g. {@code iteration 3 of build: PROGRESS}
     */
    public record Link(long sequence, Instant at, String type, String text) {}
}
