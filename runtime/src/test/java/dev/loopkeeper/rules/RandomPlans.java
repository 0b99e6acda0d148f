package dev.loopkeeper.rules;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.manifest.Manifest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/** Random manifests of one to three phases of every kind, with limits low enough to be met. */
final class RandomPlans {
    private static final String[] AGENTS = {"dev", "judge", "audit", "cheap"};
    private final Random random;

    /** A manifest and the document that it was read from. */
    record Plan(JsonNode document, Manifest manifest) {}

    RandomPlans(long seed) {
        random = new Random(new SplittableRandom(seed).nextLong());
    }

    Plan next() {
        JsonNode document = Manifests.document(text());
        return new Plan(document, Manifests.read(document));
    }

    private String text() {
        String[] phases = new String[1 + random.nextInt(3)];
        for (int i = 0; i < phases.length; i++) {
            phases[i] = "{name: p" + i + ", " + critical() + phase(i) + "}";
        }
        return escalating(Manifests.phases(phases)) + isolation(String.join("", phases)) + budget() + retry()
                + "reasons: [{code: licence-expired, category: " + one("fatal", "capacity", "retryable") + "}]\n";
    }

    private String escalating(String manifest) {
        String cheap = one("", "escalate: {after: 1, to: architect}, ");
        String dev = one("", "escalate: {after: 1, to: cheap}, ", "escalate: {after: 2, to: cheap}, ");
        return manifest.replace("dev: {", "dev: {" + dev)
                .replace("cheap: {", "cheap: {" + cheap)
                .replace("audit: {", "audit: {" + one("", "escalate: {to: judge}, "));
    }

    private String critical() {
        return random.nextInt(4) == 0 ? "critical: false, " : "";
    }

    private String phase(int index) {
        int kind = random.nextInt(index == 0 ? 3 : 4);
        return switch (kind) {
            case 0 -> "task: " + one(AGENTS);
            case 1 -> loop();
            case 2 -> each();
            default -> "retries: " + random.nextInt(2) + ", gate: " + one("audit", "gatekeeper");
        };
    }

    private String loop() {
        return "loop: {steps: [" + one("dev", "cheap") + one("", ", judge", ", judge")
                + one("", ", {agent: reflection, when: requested}", ", {agent: cheap, every: 2}")
                + "], maxIterations: " + random.nextInt(5) + ", until: "
                + one("signal", "signal", "iterations", "{output: done}", "{command: [check]}") + ", onStalled: "
                + one("continue", "pause", "stop") + ", pauseEvery: " + one("0", "0", "2") + ", noProgress: "
                + one("0", "2", "3") + "}";
    }

    private String each() {
        int items = random.nextInt(4);
        List<String> specs = new ArrayList<>();
        for (int i = 0; i <= items; i++) {
            String depends = i > 0 && random.nextInt(3) == 0 ? ", dependsOn: [f" + random.nextInt(i) + "]" : "";
            specs.add("{id: f" + i + depends + "}");
        }
        return "each: {steps: [" + one("dev", "dev, audit", "audit, judge") + "], items: [" + String.join(", ", specs)
                + "], maxAttempts: " + (1 + random.nextInt(3)) + ", concurrency: " + (1 + random.nextInt(3)) + "}";
    }

    private String isolation(String phases) {
        String none = phases.contains("each:") ? "step" : "none";
        return random.nextInt(3) != 0
                ? ""
                : "isolation: {git: worktree, commit: " + one("step", "step", "iteration", none) + "}\n";
    }

    private String budget() {
        return one("", "", "budget: {costUsd: 3, warnAt: 0.5}\n", "budget: {tokens: 900}\n", "budget: {turns: 5}\n");
    }

    private String retry() {
        return "retry: {transient: {max: " + random.nextInt(3) + ", wait: " + one("auto", "never")
                + "}, stopConditions: {maxConsecutiveFails: " + one("0", "2", "3") + ", circuitBreaker: "
                + one("0", "6", "12") + ", maxRejectRate: " + one("0", "0.3", "0.6") + ", maxRetryRate: "
                + one("0", "0.5") + ", minAttempted: " + (1 + random.nextInt(3)) + "}}\n";
    }

    private String one(String... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
