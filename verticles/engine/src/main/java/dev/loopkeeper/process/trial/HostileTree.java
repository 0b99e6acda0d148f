package dev.loopkeeper.process.trial;

import dev.loopkeeper.manifest.AgentSpec;
import dev.loopkeeper.manifest.CommandLine;
import dev.loopkeeper.manifest.Containment;
import dev.loopkeeper.manifest.LossSpec;
import dev.loopkeeper.manifest.OnNodeLoss;
import dev.loopkeeper.manifest.OnRuntimeDeath;
import dev.loopkeeper.manifest.ProgramSpec;
import dev.loopkeeper.manifest.StepLimits;
import dev.loopkeeper.manifest.StopSpec;
import dev.loopkeeper.process.Containing;
import dev.loopkeeper.process.tree.Identity;
import dev.loopkeeper.process.tree.ProcFs;
import dev.loopkeeper.process.tree.ProcessStat;
import dev.loopkeeper.process.tree.Signals;
import dev.loopkeeper.step.LaunchContext;
import dev.loopkeeper.step.StepIdentity;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.step.StepSpecBuilder;
import dev.loopkeeper.step.TraceContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** A tree of processes that do not want to go; a mark in their command lines finds them whatever else they did. */
final class HostileTree {
    private static final String LIVES = "while :; do : MARK; sleep 0.2; done";
    private static final String TREE = """
            cd "$1" || exit 1
            sh -c 'trap "" TERM; : >1; LIVES' &
            setsid sh -c 'trap "" TERM HUP; : >2; LIVES' &
            (setsid sh -c '(trap "" TERM; : >3; LIVES) &' </dev/null >/dev/null 2>&1 &)
            HIDDEN
            until [ -e 1 ] && [ -e 2 ] && [ -e 3 ] && [ -e 4 ]; do sleep 0.02; done
            trap '' TERM
            : >ready
            LIVES
            """;
    private static final String HIDDEN =
            "(env -i PATH=\"$PATH\" setsid sh -c '(trap \"\" TERM; : >4; LIVES) &' </dev/null >/dev/null 2>&1 &)";

    private final Path folder;
    private final Containing kind;
    private final String mark = "nasty-" + UUID.randomUUID();
    private final ProcFs processes = new ProcFs();

    HostileTree(Path folder, Containing kind) {
        this.folder = folder;
        this.kind = kind;
    }

    /** The file that exists once every process of the tree runs. */
    Path readyFile() {
        return folder.resolve("ready");
    }

    /**
     * Returns the step that launches the tree. A process that clears its environment is part of the tree only where it
     * can be found.
     */
    StepSpec step() {
        String script = TREE.replace("HIDDEN", kind == Containing.SESSION ? ": >4" : HIDDEN)
                .replace("LIVES", LIVES)
                .replace("MARK", mark);
        ProgramSpec program =
                ProgramSpec.of(CommandLine.ofWords(List.of("sh", "-c", script, "nasty", folder.toString())));
        StopSpec stop = new StopSpec("TERM", Duration.ofMillis(100));
        return step(AgentSpec.of(program, new StepLimits(stop, Optional.empty(), Optional.empty()))
                .withLoss(LossSpec.of(
                        kind == Containing.NAMESPACE ? Containment.NAMESPACE : Containment.SESSION,
                        OnRuntimeDeath.KEEP,
                        OnNodeLoss.PAUSE)));
    }

    private StepSpec step(AgentSpec agent) {
        StepIdentity identity =
                new StepIdentity("trial", "trial.1", "trial", Optional.empty(), Optional.empty(), 1, "nasty");
        return StepSpecBuilder.builder()
                .identity(identity)
                .execution(1)
                .nonce("nonce-" + UUID.randomUUID())
                .trace(TraceContext.begin("trial"))
                .agentSpec(agent)
                .env(Map.of())
                .vars(Map.of())
                .feedback("")
                .context(LaunchContext.nothing(identity))
                .workspace(folder.toString())
                .baseDir(folder.toString())
                .errors(List.of())
                .reasons(List.of())
                .guard(List.of())
                .build();
    }

    /** Returns the living processes of the tree. */
    List<Identity> living() {
        return processes.all().stream()
                .filter(ProcessStat::living)
                .filter(stat -> marked(processes.commandLine(stat.pid())))
                .map(processes::identity)
                .toList();
    }

    /** The launcher, which is about to end, has the agent's words among its own. */
    private boolean marked(String words) {
        return words.contains(mark) && !words.contains("/launcher/launcher-");
    }

    /** Ends whatever a trial that failed has left; answers with how many that were. */
    long endAll(Signals signals) {
        return living().stream()
                .filter(left -> signals.send(left, Signals.KILL))
                .count();
    }
}
