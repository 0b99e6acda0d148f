package dev.loopkeeper.manifest.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.manifest.AgentSpec;
import dev.loopkeeper.manifest.Budget;
import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.manifest.GatePhase;
import dev.loopkeeper.manifest.LoopPhase;
import dev.loopkeeper.manifest.LoopStep;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.manifest.SessionMode;
import dev.loopkeeper.manifest.TemplateNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a valid manifest says that hardly anybody means. */
public final class ManifestWarnings {
    private static final Set<String> SIGNAL_NAMES = Set.of("runId");

    private final Manifest manifest;
    private final JsonNode document;
    private final List<ManifestProblem> found = new ArrayList<>();

    private ManifestWarnings(JsonNode document, Manifest manifest) {
        this.document = document;
        this.manifest = manifest;
    }

    /** All of them; the document is the one that the manifest was read from. */
    public static List<ManifestProblem> of(JsonNode document, Manifest manifest) {
        ManifestWarnings warnings = new ManifestWarnings(document, manifest);
        warnings.withoutAnEnd();
        manifest.agents().forEach(warnings::agent);
        warnings.firstPhase();
        for (int index = 0; index < manifest.phases().size(); index++) {
            warnings.phase(manifest.phases().get(index), "phases[" + index + "]");
        }
        return List.copyOf(warnings.found);
    }

    private void warn(String path, String message) {
        found.add(ManifestProblem.at(path, message));
    }

    private void withoutAnEnd() {
        Budget budget = manifest.budget();
        boolean capped = budget.costUsd().isPresent()
                || budget.tokens().isPresent()
                || budget.turns().isPresent();
        boolean timed = manifest.agents().values().stream()
                .anyMatch(agent ->
                        agent.timeout().isPresent() || agent.idleTimeout().isPresent());
        if (!capped && !timed) {
            warn("", "there is no budget and no timeout: nothing ends an agent that hangs or spends without end");
        }
    }

    private void agent(String name, AgentSpec agent) {
        String path = "agents." + name;
        Optional<Duration> idle = agent.idleTimeout();
        if (idle.isPresent()
                && agent.timeout()
                        .filter(hard -> idle.get().compareTo(hard) >= 0)
                        .isPresent()) {
            warn(path + ".idleTimeout", "is not below timeout, which ends the step before");
        }
        TemplateNames.unknown(agent.signal().orElse(""), SIGNAL_NAMES)
                .forEach(used -> warn(
                        path + ".signal",
                        "{{" + used.name()
                                + "}} stays as it is written, the path of a signal file knows {{runId}} only;"
                                + " items that run at once have files of their own anyway"));
        agent.command().argv().stream()
                .flatMap(word -> TemplateNames.meant(
                        word, TemplateNames.ofPrompt(manifest.vars().keySet()))
                        .stream())
                .distinct()
                .forEach(used -> warn(
                        path + ".command",
                        "{{" + used + "}} stays as it is written, a command is no template; its environment has the"
                                + " values as LOOPKEEPER_..."));
        agent.resume()
                .filter(command -> command.argv().stream().noneMatch(word -> word.contains("session.id")))
                .ifPresent(command -> warn(
                        path + ".resume",
                        "does not hold {{session.id}}: the program itself chooses the session that it goes on with"));
    }

    /** Each attempt of an item that has a worktree of its own starts in another workspace; steps of one attempt share it. */
    private void continuing(EachPhase each, String path) {
        boolean worktrees = manifest.isolation().isPresent();
        each.steps().stream()
                .filter(name -> worktrees
                        && Collections.frequency(each.steps(), name) == 1
                        && manifest.agent(name)
                                .filter(agent -> agent.session() == SessionMode.CONTINUE)
                                .isPresent())
                .forEach(name -> warn(
                        "agents." + name + ".session",
                        "is continue, which has no effect in " + path
                                + ": each attempt of an item has a worktree of its own and begins a session"));
    }

    private void firstPhase() {
        String path = "phases[0]";
        if (manifest.phases().get(0) instanceof GatePhase gate && gate.retries() > 0 && isSet(path + ".retries")) {
            warn(
                    path + ".retries",
                    "is " + gate.retries()
                            + ", but there is no phase before this gate that could run again: it is evaluated"
                            + " once; put the phase whose work it checks before it, or set retries to 0");
        }
    }

    private void phase(PhaseSpec phase, String path) {
        int breaker = manifest.retry().stopConditions().circuitBreaker();
        if (phase instanceof EachPhase each) {
            continuing(each, path);
        }
        if (phase instanceof LoopPhase loop) {
            loop(loop, path, breaker);
        } else if (phase instanceof EachPhase each
                && breaker > 0
                && (long) each.items().size() * each.steps().size() > breaker) {
            warn(
                    path + ".each.items",
                    each.items().size() + " items need more than the " + breaker
                            + " launches after which the circuit breaker ends the run");
        }
    }

    private void loop(LoopPhase loop, String path, int breaker) {
        int most = loop.maxIterations();
        long steps = Math.max(
                1,
                loop.steps().stream()
                        .filter(step -> step.every() == 1 && !step.requested())
                        .count());
        if (breaker > 0 && most * steps > breaker) {
            warn(
                    path + ".loop.maxIterations",
                    "is " + most + ", but the circuit breaker ends the run after " + breaker
                            + " launches; raise retry.stopConditions.circuitBreaker, or set it to 0");
        }
        if (most > 0 && loop.noProgress() > most && isSet(path + ".loop.noProgress")) {
            warn(path + ".loop.noProgress", "is " + loop.noProgress() + ", above maxIterations: it can never hold");
        }
        if (most > 0 && loop.pauseEvery() > most) {
            warn(path + ".loop.pauseEvery", "is " + loop.pauseEvery() + ", above maxIterations: it can never be due");
        }
        sharedSignals(loop);
    }

    private boolean isSet(String path) {
        return document.at("/" + path.replace("[", "/").replace("]", "").replace('.', '/'))
                .isNumber();
    }

    private void sharedSignals(LoopPhase loop) {
        Map<String, String> owners = new HashMap<>();
        for (LoopStep step : loop.steps()) {
            Optional<String> signal = manifest.agent(step.agent()).flatMap(AgentSpec::signal);
            String owner = signal.map(path -> owners.putIfAbsent(plain(path), step.agent()))
                    .orElse(null);
            if (owner != null && !owner.equals(step.agent())) {
                warn(
                        "agents." + step.agent() + ".signal",
                        "is the signal file of " + owner + " too, in the loop " + loop.name()
                                + ": one may answer for the other");
            }
        }
    }

    private static String plain(String path) {
        return path.replaceAll("/(?:\\./|/)+", "/").replaceFirst("^(?:\\./)+", "");
    }
}
