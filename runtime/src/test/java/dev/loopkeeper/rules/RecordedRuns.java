package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.provider;
import static dev.loopkeeper.rules.StepEnd.signal;
import static dev.loopkeeper.rules.StepEnd.silent;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.checkpoint.EventJson;
import dev.loopkeeper.checkpoint.StateJson;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.verdict.SignalDetail;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Runs whose whole record is kept from version to version: events of every type, and a snapshot of their end. */
public final class RecordedRuns {
    private static final StepEnd PROGRESS = signal("determination: PROGRESS");
    private static final StepEnd REJECTED = signal("verdict: rejected");

    private RecordedRuns() {}

    /** By name: {@code {"events": [{"type", "at", "data"}], "snapshot": "..."}}. */
    public static ObjectNode record() {
        Map<String, RunKit> runs = new LinkedHashMap<>();
        List<RunKit> every = EveryEvent.runs();
        for (int index = 0; index < every.size(); index++) {
            runs.put("every-event-" + index, every.get(index));
        }
        runs.put("all-keys", allKeys());
        runs.put("accepted-iteration", accepted());
        runs.put("accepted-task", acceptedTask());
        runs.put("accepted-item", acceptedItem());
        runs.put("items-tried-again", itemsTriedAgain());
        runs.put("statistics-reset", statisticsReset());
        runs.put("limits-raised", limitsRaised());
        runs.put("no-place", noPlace());
        runs.put("gate", gate());
        runs.put("by-itself", automaticResume());
        runs.put("escalated", escalated());
        ObjectNode record = Json.MAPPER.createObjectNode();
        runs.forEach((name, run) -> record.set(name, record(run)));
        return record;
    }

    private static ObjectNode record(RunKit run) {
        ObjectNode record = Json.MAPPER.createObjectNode();
        ArrayNode events = record.putArray("events");
        for (int index = 0; index < run.history().size(); index++) {
            RunEvent event = run.history().get(index);
            events.addObject()
                    .put("type", EventTypes.of(event))
                    .put("at", run.times().get(index).toString())
                    .set("data", EventJson.write(event));
        }
        return record.put("snapshot", StateJson.write(run.state()));
    }

    private static RunKit allKeys() {
        return RunKit.started("""
                name: all
                workspace: work
                env: {LANG: C.UTF-8}
                vars: {shot: 7}
                agents:
                  dev: {command: [claude, -p], prompt: dev.md, output: claude-code, signal: dev.json, env: {KEY: v}, cwd: sub,
                    stop: {signal: INT, grace: 3s}, timeout: 45m, idleTimeout: 10m, fallback: [cheap],
                    escalate: {after: 3, to: cheap}, containment: namespace, onRuntimeDeath: kill}
                  cheap: {command: ./cheap.sh --now}
                phases:
                  - {name: plan, task: dev, critical: false}
                  - name: build
                    loop: {maxIterations: 7, steps: [dev, {agent: cheap, every: 5}, {agent: cheap, when: requested}],
                      until: {output: DONE}, onStalled: pause, pauseEvery: 2, noProgress: 4}
                  - {name: check, loop: {steps: [dev], until: {command: [make, test], first: false}}}
                  - {name: count, loop: {steps: [cheap]}}
                  - {name: frames, each: {items: [{id: f1}, {id: f2, dependsOn: [f1], vars: {x: y}}], steps: [dev],
                      maxAttempts: 2, concurrency: 2}}
                  - {name: verify, gate: cheap, retries: 2}
                budget: {costUsd: 25, tokens: 2000000, turns: 400, warnAt: 0.7}
                retry:
                  backoff: {initial: 2s, factor: 3, max: 1m, jitter: 0.1}
                  transient: {max: 4, wait: never}
                  stop_conditions: {max_retry_rate: 0.4, maxRejectRate: null, maxConsecutiveFails: 5, circuitBreaker: 60}
                notify:
                  - {webhook: "http://127.0.0.1:9/hook", events: [run.paused], secretEnv: SECRET}
                  - {command: [notify-send, "{{name}}"], events: [run.ended]}
                reasons: [{code: licence-expired, category: fatal, advice: Renew it.}]
                """);
    }

    private static RunKit accepted() {
        return RunKit.started(Manifests.loop("maxIterations: 3"))
                .ends("dev", exit(0).costing(0.5))
                .ends("judge", silent(SignalDetail.ABSENT))
                .resume(Resume.plain().feedback("look again"))
                .ends("dev", exit(0));
    }

    private static RunKit acceptedTask() {
        return RunKit.started(Manifests.phases("{name: plan, task: judge}", "{name: build, task: dev}"))
                .ends("judge", silent(SignalDetail.EMPTY))
                .resume(Resume.plain());
    }

    private static RunKit acceptedItem() {
        return RunKit.started(Manifests.each("{id: f1}, {id: f2}", "maxAttempts: 2"))
                .ends("dev", exit(0))
                .ends("audit", silent(SignalDetail.MALFORMED))
                .resume(Resume.plain());
    }

    private static RunKit lost() {
        return RunKit.started("retry: {stopConditions: {maxRejectRate: 0}}\n"
                        + Manifests.each("{id: f1}, {id: f2, dependsOn: [f1]}, {id: f3}", "maxAttempts: 1"))
                .ends("dev", exit(0))
                .ends("audit", REJECTED)
                .ends("dev", exit(0))
                .ends("audit", signal("verdict: approved"));
    }

    private static RunKit itemsTriedAgain() {
        return lost().resume(Resume.plain().maxAttempts(2)).ends("dev", exit(0));
    }

    private static RunKit statisticsReset() {
        return lost().resume(Resume.plain().resetItems("f1", "f3").resetStatistics())
                .ends("dev", exit(0));
    }

    private static RunKit limitsRaised() {
        return RunKit.started("budget: {costUsd: 1}\n" + Manifests.loop("maxIterations: 1"))
                .ends("dev", exit(0).costing(0.9))
                .ends("judge", PROGRESS)
                .resume(Resume.plain().maxIterations(3).costUsd(5))
                .ends("dev", exit(0).costing(0.5))
                .ends("judge", PROGRESS)
                .stop()
                .ends("dev", StepEnd.by(ExitCause.STOPPED))
                .resume(Resume.plain().feedback("faster").maxRejectRate(0.9));
    }

    private static RunKit noPlace() {
        return RunKit.started(Manifests.loop("maxIterations: 5"))
                .ends("dev", provider(OptionalLong.of(1000)))
                .pause()
                .placeFree(false)
                .resume(Resume.plain().feedback("go"))
                .placeFree(true)
                .start();
    }

    private static RunKit automaticResume() {
        StepEnd away = provider(OptionalLong.empty()).backAt(RunKit.BEGIN.plusSeconds(60));
        return RunKit.started("retry: {transient: {max: 1}, backoff: {jitter: 0}}\n"
                        + Manifests.phases("{name: plan, task: cheap}"))
                .ends("cheap", away)
                .later(Duration.ofMinutes(2))
                .timer()
                .ends("cheap", away)
                .later(Duration.ofMinutes(2))
                .timer();
    }

    private static RunKit escalated() {
        String manifest = Manifests.loop("maxIterations: 9").replace("[dev]", "[dev], escalate: {after: 1, to: cheap}");
        return RunKit.started(manifest)
                .ends("dev", exit(0))
                .ends("judge", REJECTED)
                .ends("cheap", exit(0))
                .ends("judge", PROGRESS)
                .crash();
    }

    private static RunKit gate() {
        RunKit run = RunKit.started(Manifests.phases("{name: verify, gate: gatekeeper, retries: 0}"))
                .ends("gatekeeper", exit(1));
        return run.resume(Resume.plain());
    }
}
