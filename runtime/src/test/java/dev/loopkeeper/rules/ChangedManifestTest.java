package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.lasting;
import static dev.loopkeeper.rules.StepEnd.signal;
import static dev.loopkeeper.rules.StepEnd.silent;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.checkpoint.EventJson;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.rules.message.Capacity;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.rules.message.ResumePreview;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunQueued;
import dev.loopkeeper.run.RunResumed;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.run.progress.LoopWork;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.verdict.SignalDetail;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A resume with a changed manifest: what it changes, what it says of that, and what it refuses. */
class ChangedManifestTest {
    private static final String PLAN = "{name: plan, task: architect}";
    private static final String FRAMES =
            "{name: frames, each: {steps: [dev, audit], items: [{id: f1}, {id: f2, dependsOn: [f1]}]}}";
    private static final String TWO = Manifests.phases(PLAN, Manifests.loopPhase("maxIterations: 3"));

    private static RunKit inLoop() {
        return RunKit.started(TWO)
                .ends("architect", signal("readiness: READY"))
                .ends("dev", exit(0))
                .ends("judge", signal("determination: ANOMALY"));
    }

    /** In the open iteration dev is done and judge left no signal. */
    private static RunKit inJudge() {
        return RunKit.started(TWO)
                .ends("architect", signal("readiness: READY"))
                .ends("dev", exit(0))
                .ends("judge", silent(SignalDetail.ABSENT));
    }

    private static RunKit inItems() {
        return RunKit.started(Manifests.phases(FRAMES)).ends("dev", exit(0)).ends("audit", silent(SignalDetail.ABSENT));
    }

    private static RunKit exhausted() {
        return RunKit.started(Manifests.loop("maxIterations: 1"))
                .ends("dev", exit(0))
                .ends("judge", signal("determination: PROGRESS"));
    }

    private static RunKit starved() {
        return RunKit.started(Manifests.loop("maxIterations: 1"))
                .ends("dev", lasting("error_thinking_starved", "unclassified"));
    }

    @Test
    void theNextLaunchIsThatOfTheChangedManifest() {
        RunKit run =
                inLoop().resume(Resume.plain().manifest(TWO.replace("command: [dev]", "command: [dev, --careful]")));

        StepSpec launched = run.launched();
        assertThat(launched.identity().agent()).isEqualTo("dev");
        assertThat(launched.toString()).contains("--careful");
        assertThat(run.state().plan().document().at("/agents/dev/command/1").asText())
                .isEqualTo("--careful");
        RunResumed resumed = run.lastEvent(RunResumed.class);
        assertThat(resumed.request().changes()).containsExactly("agents.dev.command: changed");
        assertThat(resumed.text())
                .isEqualTo("resumed by operator: continue, with a changed manifest: agents.dev.command: changed");
    }

    @Test
    void aRecordedResumeLeadsToTheSameStateWhenItIsReadBack() {
        RunKit run = inLoop();
        var before = run.state();
        run.resume(Resume.plain().manifest(TWO.replace("maxIterations: 3", "maxIterations: 9")));
        RunResumed resumed = run.lastEvent(RunResumed.class);
        JsonNode recorded = EventJson.write(resumed);

        assertThat(EventJson.read("run.resumed", recorded).apply(before, run.now()))
                .isEqualTo(resumed.apply(before, run.now()));
        assertThat(run.state().limits().maxIterations()).isEmpty();
        assertThat(((LoopWork) run.state().cursor().work()).allowance()).isEqualTo(9);
    }

    /** As a command to another node is carried. */
    @Test
    void aRequestIsReadBackFromPlainJsonAsItWas() throws JsonProcessingException {
        ResumeRequest request = Resume.plain().manifest(TWO).request();

        assertThat(Json.MAPPER.readValue(Json.MAPPER.writeValueAsString(request), ResumeRequest.class))
                .isEqualTo(request);
    }

    @Test
    void aRunThatWaitsForASlotBeginsWithTheChangedManifest() {
        RunKit run = inLoop().placeFree(false);
        run.resume(Resume.plain().manifest(TWO.replace("command: [dev]", "command: [dev, --careful]")));
        assertThat(run.lastEvent(RunQueued.class).request().changes()).containsExactly("agents.dev.command: changed");

        run.placeFree(true).start();

        assertThat(run.launched().toString()).contains("--careful");
    }

    @Test
    void aRunThatIsHeldBeginsWithTheChangedManifest() {
        RunKit run = RunKit.held(TWO).resume(Resume.plain().manifest(TWO.replace(PLAN, "{name: other, task: dev}")));

        assertThat(run.launched().identity().agent()).isEqualTo("dev");
        assertThat(run.state().phase().orElseThrow().name()).isEqualTo("other");
    }

    @Test
    void thePreviewNamesWhatChangedAndChangesNothing() {
        RunKit run = inLoop();
        String changed = TWO.replace("maxIterations: 3", "maxIterations: 9")
                .replace("command: [audit]", "command: [audit], timeout: 3m, env: {TOKEN: s3cret}");
        ResumePreview preview = preview(run, Resume.plain().manifest(changed));

        assertThat(preview.allowed()).isTrue();
        assertThat(preview.changes())
                .containsExactly(
                        "agents.audit.timeout: added",
                        "agents.audit.env: added",
                        "phases.build.loop.maxIterations: 3 -> 9");
        assertThat(preview.toString()).doesNotContain("s3cret");
    }

    @Test
    void aManifestThatMeansTheSameIsNoChange() {
        assertThat(preview(inLoop(), Resume.plain().manifest(TWO)).changes()).isEmpty();
    }

    @Test
    void manyChangesAreCounted() {
        String agents = TWO.replace(
                "  dev:",
                String.join(
                                "",
                                Stream.iterate(0, i -> i + 1)
                                        .limit(70)
                                        .map(i -> "  a" + i + ": {command: x}\n")
                                        .toList())
                        + "  dev:");
        List<String> changes =
                preview(inLoop(), Resume.plain().manifest(agents)).changes();
        assertThat(changes).hasSize(51).last().isEqualTo("and 20 more");
    }

    @Test
    void aLimitThatAnEarlierResumeRaisedStaysWhereTheManifestLeavesIt() {
        RunKit run = RunKit.started("budget: {costUsd: 5}\n" + Manifests.loop("maxIterations: 3"))
                .ends("dev", exit(0))
                .ends("judge", signal("determination: ANOMALY"))
                .resume(Resume.plain().costUsd(20).maxIterations(8))
                .ends("dev", exit(0))
                .ends("judge", signal("determination: ANOMALY"));
        String changed = "budget: {costUsd: 5}\n" + Manifests.loop("maxIterations: 4, pauseEvery: 9");
        run.resume(Resume.plain().manifest(changed));

        assertThat(run.state().limits().budget().costUsd()).hasValue(20);
        assertThat(((LoopWork) run.state().cursor().work()).allowance()).isEqualTo(4);
    }

    @Test
    void aHigherLimitInTheManifestIsWhatTheResumeNeeds() {
        RunKit refused = exhausted().resume(Resume.plain().manifest(Manifests.loop("maxIterations: 1, pauseEvery: 3")));
        assertThat(refused.status()).isEqualTo(RunStatus.STOPPED);

        RunKit run = exhausted().resume(Resume.plain().manifest(Manifests.loop("maxIterations: 2")));
        assertThat(run.open()).containsExactly("build.2.dev.1");
    }

    @Test
    void moreAttemptsInTheManifestAreWhatTheResumeNeeds() {
        String frames = "{name: frames, each: {steps: [audit], items: [{id: f1}], maxAttempts: 1}}";
        String rules = "retry: {stopConditions: {maxConsecutiveFails: 0, maxRejectRate: 0}}\n";
        RunKit run = RunKit.started(rules + Manifests.phases(frames)).ends("audit", signal("verdict: rejected"));
        run.resume(
                Resume.plain().manifest(rules + Manifests.phases(frames.replace("maxAttempts: 1", "maxAttempts: 2"))));

        assertThat(run.open()).containsExactly("frames.f1.audit.2");
    }

    @Test
    void anEndingThatNeedsAChangedManifestIsResumedWithOne() {
        String changed = Manifests.loop("maxIterations: 1").replace("command: [dev]", "command: [dev, --think]");
        assertThat(starved().resume(Resume.plain().manifest(changed)).status()).isEqualTo(RunStatus.RUNNING);
    }

    @Test
    void anEndingThatNeedsAChangedManifestRefusesTheSame() {
        ResumePreview same = preview(starved(), Resume.plain().manifest(Manifests.loop("maxIterations: 1")));
        assertThat(same.allowed()).isFalse();
        assertThat(same.missing()).containsExactly("a changed manifest (the given one is identical), or force");
        assertThat(preview(starved(), Resume.plain()).missing()).containsExactly("a changed manifest, or force");
    }

    static Stream<Arguments> unfit() {
        Supplier<RunKit> loop = ChangedManifestTest::inLoop;
        return Stream.of(
                Arguments.of(loop, TWO.replace("name: plan", "name: planning"), "phases[0]", "found the task planning"),
                Arguments.of(
                        loop,
                        TWO.replace("task: architect", "gate: gatekeeper"),
                        "phases[0]",
                        "expected the task plan, which has begun"),
                Arguments.of(loop, Manifests.phases(Manifests.loopPhase(""), PLAN), "phases[0]", "the loop build"),
                Arguments.of(loop, Manifests.phases(PLAN), "phases[1]", "which has begun, found no phase"),
                Arguments.of(loop, TWO.replace("name: demo", "name: other"), "name", "which is demo"),
                Arguments.of(loop, "workspace: /other\n" + TWO, "workspace", "which is /work"),
                Arguments.of(loop, "isolation: {git: worktree}\n" + TWO, "isolation", "keeps its isolation"),
                Arguments.of(
                        loop,
                        "notify: [{command: [mail], events: [run.ended]}]\n" + TWO,
                        "notify",
                        "keeps its notifications"),
                Arguments.of(
                        (Supplier<RunKit>) ChangedManifestTest::inItems,
                        Manifests.phases(FRAMES.replace("{id: f1}", "{id: f0}, {id: f1}")),
                        "phases[0].each.items",
                        "add new items in a new phase"),
                Arguments.of(
                        (Supplier<RunKit>) ChangedManifestTest::inItems,
                        Manifests.phases(FRAMES.replace("[dev, audit]", "[judge, dev]")),
                        "phases[0].each.steps",
                        "has completed the steps dev;"),
                Arguments.of(
                        (Supplier<RunKit>) ChangedManifestTest::inJudge,
                        TWO.replace("steps: [dev, judge]", "steps: [judge]"),
                        "phases[1].loop.steps",
                        "has completed the steps dev"));
    }

    @ParameterizedTest
    @MethodSource("unfit")
    void whatHasBegunCannotChange(Supplier<RunKit> made, String manifest, String path, String message) {
        RunKit run = made.get();
        Decision decision = decide(run, Resume.plain().manifest(manifest));

        Refusal refusal = decision.refusal().orElseThrow();
        assertThat(refusal.code()).isEqualTo(RefusalCode.INVALID_MANIFEST);
        assertThat(refusal.message()).contains(path, message, "submit the changed manifest as a new run");
        assertThat(refusal.details().toString()).contains(path);
        assertThat(decide(run, Resume.plain().force().dryRun().manifest(manifest))
                        .refusal())
                .isPresent();
    }

    @Test
    void aPhaseThatHasNotBegunMayBeAnother() {
        RunKit run = RunKit.started(TWO).ends("architect", signal("readiness: BLOCKED, gaps: [no tests]"));
        run.resume(Resume.plain().manifest(Manifests.phases(PLAN, "{name: check, gate: gatekeeper}")))
                .ends("architect", signal("readiness: READY"));

        assertThat(run.open()).containsExactly("check.gatekeeper.1");
    }

    @Test
    void theSignalFilesAreThoseOfTheChangedManifest() {
        RunKit run = inLoop();
        String changed = TWO.replace("signal: judge.json", "signal: verdict.json");
        RunInput next =
                new RunInput.Resume(run.now(), Resume.plain().manifest(changed).request());

        assertThat(SignalFiles.ahead(run.state(), next))
                .contains("verdict.json")
                .doesNotContain("judge.json");
    }

    @Test
    void aRunThatCannotBeResumedSaysThatFirst() {
        RunKit run = RunKit.started(TWO);
        assertThat(decide(run, Resume.plain().manifest(Manifests.phases(PLAN)))
                        .refusal()
                        .orElseThrow()
                        .code())
                .isEqualTo(RefusalCode.NOT_RESUMABLE);
    }

    private static Decision decide(RunKit run, Resume resume) {
        return RunMachine.decide(run.state(), new RunInput.Resume(run.now(), resume.request()), Capacity.FREE);
    }

    private static ResumePreview preview(RunKit run, Resume resume) {
        return decide(run, resume.dryRun()).preview().orElseThrow();
    }
}
