package dev.loopkeeper.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.loopkeeper.rules.message.GitFailure;
import dev.loopkeeper.rules.message.StepOutcome;
import dev.loopkeeper.run.git.Changed;
import dev.loopkeeper.run.step.LaunchHold;
import dev.loopkeeper.step.ErrorCategory;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.ErrorKind;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.OwnRetry;
import dev.loopkeeper.step.ReportedSession;
import dev.loopkeeper.step.StepReport;
import dev.loopkeeper.step.StepSession;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.verdict.SignalDetail;
import dev.loopkeeper.verdict.SignalExpectation;
import dev.loopkeeper.verdict.SignalReader;
import dev.loopkeeper.verdict.SignalReading;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** How a step ends, written in a few words. */
record StepEnd(
        ExitCause cause,
        OptionalInt exitCode,
        SignalReading reading,
        StepReport report,
        boolean matched,
        Optional<String> digest,
        List<String> survivors,
        Optional<StepOutcome.Git> git,
        Optional<String> diagnostic) {
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final SignalExpectation ANY = new SignalExpectation("any", 1, Optional.empty());

    /** It exits with 0 and leaves this signal, e.g. {@code determination: SUCCESS}. */
    static StepEnd signal(String fields) {
        SignalReading reading =
                SignalReader.read(Optional.of(json(fields).toString().getBytes(StandardCharsets.UTF_8)), ANY);
        if (!(reading instanceof SignalReading.Valid)) {
            throw new IllegalArgumentException(reading.toString());
        }
        return exit(0).reading(reading);
    }

    /** It exits so and declares no signal. */
    static StepEnd exit(int code) {
        return new StepEnd(
                ExitCause.EXITED,
                OptionalInt.of(code),
                new SignalReading.NotDeclared(),
                StepReport.plain(code == 0 ? "stop" : "error_during_execution", Optional.empty()),
                false,
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Optional.empty());
    }

    /** It exits with 0 and its declared signal does not count. */
    static StepEnd silent(SignalDetail detail) {
        return exit(0).reading(new SignalReading.Invalid(detail, "the signal is " + detail.wire()));
    }

    /** It ends in another way than on its own, without a declared signal. */
    static StepEnd by(ExitCause cause) {
        return exit(1).causedBy(cause);
    }

    /** It could not be launched because the disk was full. */
    static StepEnd withoutDiskSpace() {
        ErrorContext error = ErrorContext.of(ErrorKind.INFRASTRUCTURE, "request.json: No space left on device");
        return by(ExitCause.LAUNCH_FAILED).reporting(StepReport.plain("error_infrastructure", Optional.of(error)));
    }

    /** It could not be launched since its prompt cannot be used. */
    static StepEnd withoutPrompt() {
        String text = "prompt dev.md cannot be used: line 3: unknown name {{shoot}}";
        ErrorContext error = ErrorContext.of(ErrorKind.BAD_PROMPT, text);
        return by(ExitCause.LAUNCH_FAILED)
                .knowing(text)
                .reporting(StepReport.plain("error_during_execution", Optional.of(error)));
    }

    /** It could not be launched since a leftover signal file cannot be moved aside. */
    static StepEnd withBlockedSignalPath() {
        return by(ExitCause.LAUNCH_FAILED)
                .knowing("signal file dev.json of root cannot be moved aside")
                .reading(new SignalReading.PathBlocked());
    }

    /** A launch waits for the pool {@code shared}. */
    static LaunchHold held(Optional<Instant> resumeAt) {
        return new LaunchHold(LaunchHold.Kind.POOL, "shared", "waits for pool shared", resumeAt);
    }

    /** The provider fails it; it may pass. */
    static StepEnd provider(OptionalLong retryAfterMs) {
        return provider("overloaded", retryAfterMs);
    }

    /** The provider fails it so; it may pass. */
    static StepEnd provider(String kind, OptionalLong retryAfterMs) {
        return erring("error_provider_unavailable", kind, true, retryAfterMs);
    }

    /** A usage window of the provider is used up, and it says when the next one begins. */
    static StepEnd window(Instant back) {
        return erring("error_provider_unavailable", "usage-window", true, OptionalLong.empty())
                .backAt(back);
    }

    /** An error that does not pass. */
    static StepEnd lasting(String termination, String kind) {
        return erring(termination, kind, false, OptionalLong.empty());
    }

    private static StepEnd erring(String termination, String kind, boolean isTransient, OptionalLong retryAfterMs) {
        ErrorContext error =
                new ErrorContext(kind, ErrorCategory.PROVIDER, kind, Optional.empty(), isTransient, retryAfterMs);
        return exit(1).reporting(StepReport.plain(termination, Optional.of(error)));
    }

    /** An agent's own try, of ten. */
    static OwnRetry retry(int attempt) {
        return new OwnRetry("529 overloaded", OptionalInt.of(attempt), OptionalInt.of(10), OptionalLong.of(600));
    }

    static JsonNode json(String fields) {
        try {
            return YAML.readTree("{" + fields + "}");
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    static Usage cost(double dollars) {
        return new Usage(OptionalDouble.of(dollars), OptionalLong.of(100), OptionalLong.of(10), OptionalLong.of(1));
    }

    /** What it changed could not be committed, for this reason. */
    StepEnd uncommitted(GitFailure why) {
        return became(new StepOutcome.Git(Optional.empty(), Optional.of(why)));
    }

    StepEnd reading(SignalReading changed) {
        return new StepEnd(cause, exitCode, changed, report, matched, digest, survivors, git, diagnostic);
    }

    StepEnd causedBy(ExitCause changed) {
        return new StepEnd(changed, exitCode, reading, report, matched, digest, survivors, git, diagnostic);
    }

    StepEnd reporting(StepReport changed) {
        return new StepEnd(cause, exitCode, reading, changed, matched, digest, survivors, git, diagnostic);
    }

    StepEnd withExit(int code) {
        return new StepEnd(cause, OptionalInt.of(code), reading, report, matched, digest, survivors, git, diagnostic);
    }

    StepEnd costing(double dollars) {
        return reporting(report.withUsage(cost(dollars)));
    }

    /** It ran in this session, and continues with that of a step where one is given. */
    StepEnd in(String session, Optional<String> continuedFrom) {
        return in("here", session, continuedFrom);
    }

    /** The same on this node. */
    StepEnd in(String node, String session, Optional<String> continuedFrom) {
        return reporting(new ReportedSession(new StepSession(session, continuedFrom), node, report.usage(), false));
    }

    /** Its output says that it began to work. */
    StepEnd working() {
        ReportedSession known = report.session().orElseThrow();
        return reporting(new ReportedSession(known.session(), known.host(), known.totals(), true));
    }

    /** Its output reported these totals of the session. */
    StepEnd totalling(Usage totals) {
        ReportedSession known = report.session().orElseThrow();
        return reporting(new ReportedSession(known.session(), known.host(), totals, known.worked()));
    }

    private StepEnd reporting(ReportedSession session) {
        return reporting(report.withSession(Optional.of(session)));
    }

    /** Its output reported this usage. */
    StepEnd telling(Usage usage) {
        return reporting(report.withUsage(usage));
    }

    /** It printed this last. */
    StepEnd printing(String lastLines) {
        return reporting(report.withLastLines(Optional.of(lastLines)));
    }

    StepEnd backAt(Instant resumeAt) {
        return reporting(report.withResumeAt(Optional.of(resumeAt)));
    }

    StepEnd printingTheText() {
        return new StepEnd(cause, exitCode, reading, report, true, digest, survivors, git, diagnostic);
    }

    /** It prints and changes the same as others that do this. */
    StepEnd withDigest(String same) {
        return new StepEnd(cause, exitCode, reading, report, matched, Optional.of(same), survivors, git, diagnostic);
    }

    /** It prints this beside what it does. */
    StepEnd withText(String words) {
        return withDigest(digest.orElseThrow() + "/" + words);
    }

    /** What it changed is this commit. */
    StepEnd committing(String hash) {
        StepOutcome.Commit commit = new StepOutcome.Commit(hash, new Changed(2, 30, 4), new Changed(5, 60, 7));
        return became(new StepOutcome.Git(Optional.of(commit), Optional.empty()));
    }

    StepEnd became(StepOutcome.Git inGit) {
        return new StepEnd(
                cause, exitCode, reading, report, matched, digest, survivors, Optional.of(inGit), diagnostic);
    }

    StepEnd leaving(String... processes) {
        return new StepEnd(cause, exitCode, reading, report, matched, digest, List.of(processes), git, diagnostic);
    }

    /** What the process that watched it knows of its end. */
    StepEnd knowing(String what) {
        return new StepEnd(cause, exitCode, reading, report, matched, digest, survivors, git, Optional.of(what));
    }

    StepOutcome outcome(Instant endedAt, String fresh) {
        Instant startedAt = endedAt.minus(Duration.ofSeconds(2));
        String workspace = digest.map(same -> same.split("/")[0]).orElse(fresh);
        return new StepOutcome(
                new StepOutcome.Exit(cause, OptionalLong.of(4711), exitCode, startedAt, endedAt, diagnostic),
                reading,
                report,
                matched,
                new StepOutcome.Digests(digest.orElse(fresh), workspace),
                new StepOutcome.Sweep(List.of(), survivors),
                git);
    }
}
