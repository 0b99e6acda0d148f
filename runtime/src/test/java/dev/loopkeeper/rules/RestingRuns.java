package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.lasting;
import static dev.loopkeeper.rules.StepEnd.provider;
import static dev.loopkeeper.rules.StepEnd.signal;
import static dev.loopkeeper.rules.StepEnd.silent;

import dev.loopkeeper.run.RunState;
import dev.loopkeeper.verdict.SignalDetail;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/** Runs at rest, one for each kind of ending and some pauses, by a name. */
public final class RestingRuns {
    private static final StepEnd PROGRESS = signal("determination: PROGRESS");

    private RestingRuns() {}

    /** Their states. */
    public static Map<String, RunState> states() {
        Map<String, RunKit> runs = new LinkedHashMap<>();
        runs.put(
                "completed",
                loop("").ends("judge", signal("determination: SUCCESS").costing(0.25)));
        runs.put("submitted", loop("").ends("judge", signal("determination: SUCCESS, deliverable: {answer: 42}")));
        runs.put("convergence-limit", loop("").ends("judge", PROGRESS));
        runs.put("budget-exceeded", loop("budget: {costUsd: 1}\n").ends("judge", PROGRESS.costing(2)));
        runs.put("no-progress", noProgress());
        runs.put("stop-condition", items(0.3));
        runs.put("dependency-blocked", items(0));
        runs.put(
                "operator-stop",
                loop("").pause().ends("judge", silent(SignalDetail.ABSENT)).stop());
        runs.put("provider-auth", loop("").ends("judge", lasting("error_provider_auth", "auth")));
        runs.put("gate-hard-fail", gate());
        runs.put("cleared", gate().resume(Resume.plain()).ends("gatekeeper", exit(0)));
        runs.put("paused-missing-signals", loop("").ends("judge", silent(SignalDetail.ABSENT)));
        runs.put(
                "paused-user-input",
                loop("").ends("judge", signal("status: partial, userInputNeeded: true, questions: ['which?']")));
        runs.put(
                "paused-provider",
                loop("retry: {transient: {max: 0}}\n").ends("judge", provider(OptionalLong.of(600_000))));
        runs.put("waiting", loop("").ends("judge", provider(OptionalLong.of(60_000))));
        Map<String, RunState> states = new LinkedHashMap<>();
        runs.forEach((name, run) -> states.put(name, run.state()));
        return states;
    }

    private static RunKit loop(String manifest) {
        return RunKit.started(manifest + Manifests.loop("maxIterations: 1")).ends("dev", exit(0));
    }

    private static RunKit noProgress() {
        RunKit run = RunKit.started(Manifests.loop("maxIterations: 9"));
        for (int iteration = 0; iteration < 3; iteration++) {
            run.ends("dev", exit(0).withDigest("same")).ends("judge", PROGRESS.withDigest("same"));
        }
        return run;
    }

    private static RunKit items(double maxRejectRate) {
        return RunKit.started("retry: {stopConditions: {minAttempted: 1, maxRejectRate: " + maxRejectRate + "}}\n"
                        + Manifests.phases("{name: frames, each: {steps: [audit], items: [{id: f1}, {id: f2,"
                                + " dependsOn: [f1]}], maxAttempts: 1}}"))
                .ends("audit", signal("verdict: rejected"));
    }

    private static RunKit gate() {
        return RunKit.started(
                        Manifests.phases("{name: plan, task: dev}", "{name: verify, gate: gatekeeper, retries: 0}"))
                .ends("dev", exit(0))
                .ends("gatekeeper", exit(1));
    }
}
