package dev.loopkeeper.manifest.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.NearestName;
import dev.loopkeeper.manifest.AgentSpec;
import dev.loopkeeper.manifest.Authority;
import dev.loopkeeper.manifest.Budget;
import dev.loopkeeper.manifest.CommandLine;
import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.manifest.EscalateSpec;
import dev.loopkeeper.manifest.GatePhase;
import dev.loopkeeper.manifest.LoopPhase;
import dev.loopkeeper.manifest.LoopStep;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.manifest.SessionMode;
import dev.loopkeeper.manifest.TemplateNames;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Warns about valid parts of a manifest that are rarely intended. */
public final class ManifestWarnings {
    private static final Set<String> SIGNAL_NAMES = Set.of("runId");
    private static final String SESSION_ID = "session.id";
    private static final Pattern LOOPBACK =
            Pattern.compile("(?i)localhost|127(\\.[0-9]{1,3}){3}|\\[(::1|0:0:0:0:0:0:0:1)]");

    private final Manifest manifest;
    private final JsonNode document;
    private final List<ManifestProblem> found = new ArrayList<>();

    private ManifestWarnings(JsonNode document, Manifest manifest) {
        this.document = document;
        this.manifest = manifest;
    }

    /** Returns all warnings; {@code document} is the source of the manifest. */
    public static List<ManifestProblem> of(JsonNode document, Manifest manifest) {
        ManifestWarnings warnings = new ManifestWarnings(document, manifest);
        warnings.withoutAnEnd();
        warnings.absent(document, "");
        manifest.agents().forEach(warnings::agent);
        warnings.firstPhase();
        warnings.unencrypted();
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
                || budget.turns().isPresent()
                || budget.time().isPresent();
        boolean timed = manifest.agents().values().stream()
                .map(AgentSpec::limits)
                .anyMatch(limits -> limits.timeout().isPresent()
                        || limits.idleTimeout().stream().anyMatch(limit -> !limit.isZero()));
        if (!capped && !timed) {
            warn("", "the manifest sets no budget and no timeout; set one to stop an agent that hangs or overspends");
        }
    }

    /** In YAML ~ and an empty value are null, and a null key is absent. */
    private void absent(JsonNode holder, String prefix) {
        for (String folder : List.of("workspace", "cwd")) {
            if (holder.path(folder).isNull()) {
                warn(
                        prefix + folder,
                        "has no value, as if it were left out: ~ is null in YAML; write a home folder in full");
            }
        }
        for (String variables : List.of("env", "vars")) {
            for (Map.Entry<String, JsonNode> variable : holder.path(variables).properties()) {
                if (variable.getValue().isNull()) {
                    warn(
                            prefix + variables + "." + variable.getKey(),
                            "has no value, as if it were left out: ~ is null in YAML; write '' for an empty text");
                }
            }
        }
    }

    private void agent(String name, AgentSpec agent) {
        String path = "agents." + name;
        absent(document.path("agents").path(name), path + ".");
        Optional<Duration> idle = agent.limits().idleTimeout();
        Optional<Duration> hard = agent.limits().timeout();
        if (idle.isPresent() && hard.isPresent() && idle.get().compareTo(hard.get()) >= 0) {
            warn(path + ".idleTimeout", "is not below timeout, which ends the step first");
        }
        TemplateNames.unknown(agent.program().signal().orElse(""), SIGNAL_NAMES)
                .forEach(template -> warn(
                        path + ".signal",
                        "{{" + template.name()
                                + "}} is not replaced: the path of a signal file may only contain {{runId}};"
                                + " parallel items have separate files anyway"));
        meant(agent.program().command()).forEach(template -> notReplaced(path + ".command", template));
        agent.continuation().resume().map(this::meant).ifPresent(names -> {
            names.stream()
                    .filter(template -> !template.equals(SESSION_ID))
                    .forEach(template -> notReplaced(path + ".resume", template));
            if (!names.contains(SESSION_ID)) {
                warn(
                        path + ".resume",
                        "does not contain {{session.id}}: the program itself chooses the session to continue");
            }
        });
    }

    /** The names in a command that are known or nearly known. */
    private List<String> meant(CommandLine command) {
        Set<String> known = names();
        return command.argv().stream()
                .flatMap(word -> TemplateNames.meant(word, known).stream())
                .distinct()
                .toList();
    }

    private Set<String> names() {
        Set<String> names = new TreeSet<>(TemplateNames.ofPrompt(manifest.vars().keySet()));
        names.add(SESSION_ID);
        return names;
    }

    private void notReplaced(String path, String template) {
        String remedy = template.startsWith("vars.")
                ? "variables are for prompts only"
                : "its environment has the values as LOOPKEEPER_...";
        boolean session = NearestName.of(template, names()).equals(Optional.of(SESSION_ID));
        warn(
                path,
                "{{" + template + "}} is not replaced: "
                        + (session
                                ? "only resume has the id of a session, as {{session.id}}"
                                : "a command is not a template; " + remedy));
    }

    /** Each attempt of an item with its own worktree begins in another workspace; its steps share the workspace. */
    private void continuing(EachPhase each, String path) {
        boolean worktrees = manifest.isolation().isPresent();
        each.steps().stream()
                .filter(name -> worktrees
                        && Collections.frequency(each.steps(), name) == 1
                        && manifest.agent(name).stream()
                                .anyMatch(agent -> agent.continuation().session() == SessionMode.CONTINUE))
                .forEach(name -> warn(
                        "agents." + name + ".session",
                        "is continue, which has no effect in " + path
                                + ": each attempt of an item has its own worktree and begins a new session"));
    }

    private void protecting(EachPhase each, String path) {
        boolean protects = !manifest.protect().isEmpty()
                || each.steps().stream()
                        .flatMap(name -> manifest.agent(name).stream())
                        .anyMatch(agent -> !agent.loss().protect().isEmpty());
        if (each.concurrency() > 1 && protects && manifest.isolation().isEmpty()) {
            warn(
                    path,
                    "is " + each.concurrency()
                            + " in one workspace: a change of a protected file rejects each step that"
                            + " runs at that moment; set isolation: {git: worktree} to reject only the one that made it");
        }
    }

    private void unencrypted() {
        for (int index = 0; index < manifest.notifications().size(); index++) {
            Optional<String> host = manifest.notifications().get(index).webhook().map(URI::create).stream()
                    .filter(url -> "http".equalsIgnoreCase(url.getScheme()))
                    .flatMap(url -> Authority.of(url).stream())
                    .map(Authority::host)
                    .filter(name -> !LOOPBACK.matcher(name).matches())
                    .findFirst();
            String path = "notify[" + index + "].webhook";
            host.ifPresent(name -> warn(
                    path,
                    "is sent to " + name + " without encryption, readable on the way, headers included; use https"));
        }
    }

    private void firstPhase() {
        String path = "phases[0]";
        if (manifest.phases().get(0) instanceof GatePhase gate && gate.retries() > 0 && isSet(path + ".retries")) {
            warn(
                    path + ".retries",
                    "is " + gate.retries()
                            + ", but no phase before this gate can run again: it is evaluated"
                            + " once; put the phase whose work it checks before it, or set retries to 0");
        }
    }

    private void phase(PhaseSpec phase, String path) {
        int breaker = manifest.retry().stopConditions().circuitBreaker();
        if (phase instanceof EachPhase each) {
            continuing(each, path);
            takeovers(each, "maxAttempts", each.maxAttempts());
            protecting(each, path + ".each.concurrency");
        }
        if (phase instanceof LoopPhase loop) {
            loop(loop, path, breaker);
        } else if (phase instanceof EachPhase each
                && breaker > 0
                && (long) each.items().size() * each.steps().size() > breaker) {
            warn(
                    path + ".each.items",
                    each.items().size() + " items need more than the " + breaker
                            + " launches after which the circuit breaker stops the run");
        }
    }

    /** No try is rejected without a signal, and rejected tries may reach another limit first. */
    private void takeovers(PhaseSpec phase, String key, int tries) {
        int fails = manifest.retry().stopConditions().maxConsecutiveFails();
        boolean stops = fails > 0 && (tries == 0 || fails <= tries);
        int most = stops ? fails : tries;
        boolean hasVerdicts = manifest.workers(phase)
                .flatMap(name -> manifest.agent(name).stream())
                .anyMatch(agent -> agent.program().signal().isPresent());
        for (String name : new LinkedHashSet<>(phase.agents())) {
            Optional<EscalateSpec> escalate = manifest.agent(name).flatMap(AgentSpec::escalate);
            String never = ": " + escalate.map(EscalateSpec::to).orElse("") + " never takes over";
            String path = "agents." + name + ".escalate";
            if (escalate.isPresent()
                    && !hasVerdicts
                    && manifest.isolation().isEmpty()) { // a merge conflict rejects, too
                warn(path, "counts verdicts, but no agent of " + phase.name() + " declares a signal" + never);
            } else if (most > 0 && escalate.filter(spec -> spec.after() >= most).isPresent()) {
                String limit = stops ? "retry.stopConditions.maxConsecutiveFails" : key;
                warn(path + ".after", limit + " ends " + phase.name() + " after " + most + " rejected tries" + never);
            }
        }
    }

    private void loop(LoopPhase loop, String path, int breaker) {
        int most = loop.maxIterations();
        takeovers(loop, "maxIterations", most);
        long steps = loop.steps().stream()
                .filter(step -> step.every() == 1 && !step.requested())
                .count();
        if (breaker > 0 && most * Math.max(1, steps) > breaker) {
            warn(
                    path + ".loop.maxIterations",
                    "is " + most + ", but the circuit breaker stops the run after " + breaker
                            + " launches; raise retry.stopConditions.circuitBreaker, or set it to 0");
        }
        if (most > 0 && loop.noProgress() > most && isSet(path + ".loop.noProgress")) {
            warn(path + ".loop.noProgress", "is " + loop.noProgress() + ", above maxIterations: it never applies");
        }
        if (most > 0 && loop.pauseEvery() > most) {
            warn(path + ".loop.pauseEvery", "is " + loop.pauseEvery() + ", above maxIterations: the run never pauses");
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
            Optional<String> signal = manifest.agent(step.agent())
                    .flatMap(agent -> agent.program().signal());
            String owner = signal.map(path -> owners.putIfAbsent(plain(path), step.agent()))
                    .orElse(null);
            if (owner != null && !owner.equals(step.agent())) {
                warn(
                        "agents." + step.agent() + ".signal",
                        "is also the signal file of " + owner + " too, in the loop " + loop.name()
                                + ": the signal of one agent may be read as that of the other");
            }
        }
    }

    private static String plain(String path) {
        return path.replaceAll("/(?:\\./|/)+", "/").replaceFirst("^(?:\\./)+", "");
    }
}
