package dev.loopkeeper.contract;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.checkpoint.CheckpointException;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.contract.ProcessChannels.KillRole;
import dev.loopkeeper.manifest.ManifestFile;
import dev.loopkeeper.policy.FiredAt;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.run.Requester;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.step.TraceContext;
import dev.loopkeeper.view.Run;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Event-bus channels of runs, {@code loopkeeper.runs.<command>}, each with its request and answer. The handlers are in
 * {@code scheduler}.
 */
public final class RunChannels {
    public static final RequestChannel<StartRun, RunAnswer> START = of("start", StartRun.class, RunAnswer.class);

    /**
     * Command: create a run from a validated manifest. Answered by {@link RunAnswer}.
     *
     * @param runId requested id; absent: {@code <name>-<yyyyMMdd>-<HHmmss>-<4 letters or digits>}
     * @param document the manifest as {@code submit} resolved it
     * @param workspace absolute path of an existing folder
     * @param baseDir absolute path of the manifest's folder
     * @param start whether to start at once; otherwise the run waits as {@code queued} for a resume
     * @param idempotencyKey a repeated key is answered with the run that it created; another command with the key is
     *     refused
     * @param file source of the manifest; absent if it was not a file
     * @param environment of the agents; absent: that of the runtime
     * @param startAt when to start; absent or past: as {@code start} says
     * @param trace where in a trace the submitter is
     * @param by who submits it, as in its first event
     * @param schedule the fire that begins it
     */
    public record StartRun(
            Optional<String> runId,
            JsonNode document,
            String workspace,
            String baseDir,
            boolean start,
            Optional<String> idempotencyKey,
            Optional<ManifestFile> file,
            Optional<ClientEnvironment> environment,
            Optional<Instant> startAt,
            Optional<TraceContext> trace,
            String by,
            Optional<FiredAt> schedule) {}

    public static final RequestChannel<StopRun, RunAnswer> STOP = of("stop", StopRun.class, RunAnswer.class);

    /**
     * Command: stop a run. Answered once {@code run.stopping} (or the ending) is durable.
     *
     * @param now skips the grace
     * @param by who requests it, as in its event
     */
    public record StopRun(String runId, Optional<String> reason, boolean now, String by) {
        /** Command of the owner of the data folder. */
        public StopRun(String runId, Optional<String> reason, boolean now) {
            this(runId, reason, now, Requester.LOCAL);
        }
    }

    public static final RequestChannel<EndRun, RunAnswer> END = of("end", EndRun.class, RunAnswer.class);

    /**
     * Command: end a run with the caller's reason. Answered once {@code run.stopping} (or the ending) is durable; refused
     * with {@code not-endable} if the run has ended, with {@code invalid-request} for an unknown reason.
     *
     * @param reasonCode a built-in code or one of the manifest's {@code reasons}, e.g. {@code licence-expired}
     * @param summary why, for people
     * @param qualifier recorded with the reason, e.g. {@code seat 7}
     * @param by who requests it, as in its event
     */
    public record EndRun(String runId, String reasonCode, String summary, Optional<String> qualifier, String by) {
        /** Command of the owner of the data folder. */
        public EndRun(String runId, String reasonCode, String summary, Optional<String> qualifier) {
            this(runId, reasonCode, summary, qualifier, Requester.LOCAL);
        }
    }

    public static final RequestChannel<PauseRun, RunAnswer> PAUSE = of("pause", PauseRun.class, RunAnswer.class);

    /**
     * Command: pause a run before its next step. Answered once that is durable.
     *
     * @param at when to pause; absent: now
     */
    public record PauseRun(String runId, Optional<String> reason, Optional<Instant> at, String by) {
        /** Command of the owner of the data folder to pause now. */
        public PauseRun(String runId, Optional<String> reason) {
            this(runId, reason, Optional.empty(), Requester.LOCAL);
        }
    }

    public static final RequestChannel<ResumeRun, RunAnswer> RESUME = of("resume", ResumeRun.class, RunAnswer.class);

    /**
     * Command: resume a paused, stopped, failed or queued run. Answered once that is durable.
     *
     * @param pausedAt since when the pause lasts that is answered; refused if the run has left this pause
     */
    public record ResumeRun(String runId, ResumeRequest request, String by, Optional<Instant> pausedAt) {
        /** Command of the owner of the data folder. */
        public ResumeRun(String runId, ResumeRequest request) {
            this(runId, request, Requester.LOCAL, Optional.empty());
        }
    }

    /**
     * Ends all live steps of one role, within their grace. Answered by the
     * {@link KillReceipt}; refused with {@code not-found} if there is no such step.
     */
    public static final RequestChannel<KillRole, RunAnswer> KILL = of("kill", KillRole.class, RunAnswer.class);

    public static final RequestChannel<RecordNotice, RunAnswer> REMARK =
            of("remark", RecordNotice.class, RunAnswer.class);

    /**
     * Command: record a notice in a run, without another effect. Answered once that is durable.
     *
     * @param code stable, e.g. {@code control-file-refused}
     * @param message one sentence
     */
    public record RecordNotice(String runId, String code, String message) {}

    /**
     * Answer: a document about a run, or a refusal; exactly one is present.
     *
     * @param document the run object or another requested document (steps, checkpoint, explanation, dry run)
     * @param created whether a {@link StartRun} created a run (false: its idempotency key was known)
     */
    public record RunAnswer(Optional<JsonNode> document, Optional<Refusal> refusal, boolean created) {
        /** An answer with this document. */
        public static RunAnswer of(JsonNode document) {
            return new RunAnswer(Optional.of(document), Optional.empty(), false);
        }

        /** An answer with this record as document. */
        public static RunAnswer of(Record view) {
            return of(ViewJson.write(view));
        }

        /** An answer with a new run. */
        public static RunAnswer created(JsonNode run) {
            return new RunAnswer(Optional.of(run), Optional.empty(), true);
        }

        /** A refusal with its reason. */
        public static RunAnswer refused(Refusal refusal) {
            return new RunAnswer(Optional.empty(), Optional.of(refusal), false);
        }

        /** Returns the run; empty for a refusal, and if the run's record is damaged. */
        public Optional<Run> run() {
            return document.flatMap(ViewJson::intact);
        }

        /**
         * Returns the document as a record, e.g. {@link dev.loopkeeper.view.Run}. Fails with
         * {@link dev.loopkeeper.checkpoint.CheckpointException} if it is of another kind, or a refusal.
         */
        public <V extends Record> V as(Class<V> kind) {
            return ViewJson.read(document.orElseThrow(() -> new CheckpointException("refused: " + refusal)), kind);
        }
    }

    /** Returns the run object. */
    public static final RequestChannel<GetRun, RunAnswer> GET = of("get", GetRun.class, RunAnswer.class);

    /** Returns the checkpoint: run object, format version, manifest, items. */
    public static final RequestChannel<GetRun, RunAnswer> CHECKPOINT = of("checkpoint", GetRun.class, RunAnswer.class);

    public static final RequestChannel<GetRun, RunAnswer> EXPLAIN = of("explain", GetRun.class, RunAnswer.class);

    /** Request about a run. */
    public record GetRun(String runId) {}

    /**
     * Selects runs of the store, newest first.
     *
     * @param statuses wire names; empty: all
     * @param limit 1 to 1000
     * @param cursor {@code nextCursor} of the former page
     * @param prefix beginning of run ids; absent: any
     * @param text part of the id or name, case-insensitive for a to z; absent: any
     */
    public record RunQuery(
            Set<String> statuses, int limit, Optional<String> cursor, Optional<String> prefix, Optional<String> text) {
        private static final int MOST = 1000;

        /** Queries runs whose id or name has the prefix. */
        public RunQuery(Set<String> statuses, int limit, Optional<String> cursor, Optional<String> prefix) {
            this(statuses, limit, cursor, prefix, Optional.empty());
        }

        /** Queries runs with any id. */
        public RunQuery(Set<String> statuses, int limit, Optional<String> cursor) {
            this(statuses, limit, cursor, Optional.empty());
        }

        /** Fails with {@link IllegalArgumentException} for another limit or an invalid cursor. */
        public RunQuery {
            if (limit < 1 || limit > MOST) {
                throw new IllegalArgumentException("limit must be 1 to " + MOST + ", was " + limit);
            }
            if (cursor.isPresent() && !RunCursor.isCursor(cursor.get())) {
                throw new IllegalArgumentException("not a cursor of this store: " + cursor.get());
            }
        }
    }

    /**
     * Position of the last run of a page, after which the next page begins. Clients get it as base64url of
     * {@code createdAt runId}.
     *
     * @param createdAt in the store's sortable form
     */
    public record RunCursor(String createdAt, String runId) {
        /** Returns the text for clients. */
        public String text() {
            byte[] bytes = (createdAt + " " + runId).getBytes(StandardCharsets.UTF_8);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        }

        /** Parses a cursor; throws {@link IllegalArgumentException} for other texts. */
        public static RunCursor parse(String text) {
            String[] parts = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8).split(" ", 2);
            if (parts.length != 2) {
                throw new IllegalArgumentException("not a cursor of this store: " + text);
            }
            return new RunCursor(parts[0], parts[1]);
        }

        /** Returns whether the text has the form of a cursor. */
        public static boolean isCursor(String text) {
            try {
                return !parse(text).runId().isEmpty();
            } catch (IllegalArgumentException notOurs) {
                return false;
            }
        }
    }

    public static final RequestChannel<ListSteps, RunAnswer> STEP_PAGE =
            of("step-page", ListSteps.class, RunAnswer.class);

    /**
     * Request: steps of a run, by the sequence of the event that records their start.
     *
     * @param since the oldest after this sequence; absent: the newest
     * @param before the newest before this sequence; absent: of all. Never together with {@code since}
     * @param limit most steps, 1 or more
     */
    public record ListSteps(String runId, OptionalLong since, OptionalLong before, int limit) {
        /** Cursor of the first page, oldest first. */
        public static final String OLDEST = "after-0";

        /** Cursor of the last page, whose following pages lead to the oldest. */
        public static final String NEWEST = "before-999999999999999999";

        private static final Pattern CURSOR = Pattern.compile("(after|before)-(\\d{1,18})");

        /** The page at this {@link dev.loopkeeper.view.StepPage#nextCursor}; empty for other texts. */
        public static Optional<ListSteps> at(String cursor, String runId, int limit) {
            Matcher parts = CURSOR.matcher(cursor);
            if (!parts.matches()) {
                return Optional.empty();
            }
            OptionalLong position = OptionalLong.of(Long.parseLong(parts.group(2)));
            return Optional.of(
                    parts.group(1).equals("after")
                            ? new ListSteps(runId, position, OptionalLong.empty(), limit)
                            : new ListSteps(runId, OptionalLong.empty(), position, limit));
        }

        /** Cursor of the page that follows a page with these first and last positions. */
        public String next(long first, long last) {
            return since.isPresent() ? "after-" + last : "before-" + first;
        }
    }

    public static final RequestChannel<GetStep, RunAnswer> STEP = of("step", GetStep.class, RunAnswer.class);

    /** Request: a step of a run. */
    public record GetStep(String runId, String stepId) {}

    public static final RequestChannel<ListItems, RunAnswer> ITEMS = of("items", ListItems.class, RunAnswer.class);

    /**
     * Request: a page of a run's items, in the order of its plan.
     *
     * @param since number of items to skip, 0 or more
     * @param limit most items, 1 or more
     */
    public record ListItems(String runId, int since, int limit) {}

    private RunChannels() {}

    private static <Q, A> RequestChannel<Q, A> of(String name, Class<Q> question, Class<A> answer) {
        return new RequestChannel<>("loopkeeper.runs." + name, question, answer);
    }
}
