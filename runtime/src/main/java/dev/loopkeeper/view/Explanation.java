package dev.loopkeeper.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loopkeeper.run.ManifestFile;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.termination.ResumeField;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Why a run is where it is, what may be done next, and what that needs.
 *
 * @param summary for people, one line, e.g. {@code paused, cadence: 5 iterations are done}
 * @param pause as in {@link Run}
 * @param waiting as in {@link Run}
 * @param advice what to do about its end, as the manifest says beside the reason; absent for most endings
 * @param allowedActions what may follow, in the order in which it is offered; empty while it goes on by itself
 * @param resumeNeeds what a plain resume lacks, e.g. {@code maxIterations above 20}; empty: nothing. This and the next
 *     two are absent while a resume is out of the question
 * @param kept what stays as it is in a resume, in words
 * @param redone what is done again in a resume, in words
 * @param needs the same for a form: without each of these, or one of its alternatives, a resume is refused; empty: nothing
 * @param accepts what may be given to a resume besides
 * @param effects what each of the allowed actions leads to, in words
 * @param manifestFile from which the manifest was read, of the submission or of the last resume that changed it; absent
 *     where it was no file
 * @param chain what was decided, oldest first; of a long history the newest part
 */
public record Explanation(
        String runId,
        RunStatus status,
        String summary,
        Optional<RunPause> pause,
        Optional<PendingRetry> waiting,
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
    /** Older versions tell no effects and no file. */
    public Explanation {
        manifestFile = manifestFile == null ? Optional.empty() : manifestFile;
        effects = effects == null ? Map.of() : effects;
    }

    /**
     * One decision on the way.
     *
     * @param sequence of the event that recorded it
     * @param type of that event, e.g. {@code iteration.finished}
     * @param text for people, one line, e.g. {@code iteration 3 of build: PROGRESS}
     */
    public record Link(long sequence, Instant at, String type, String text) {}
}
