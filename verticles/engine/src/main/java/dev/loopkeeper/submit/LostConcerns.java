package dev.loopkeeper.submit;

import dev.loopkeeper.manifest.AgentSpec;
import dev.loopkeeper.manifest.ContextMode;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.manifest.TemplateNames;
import dev.loopkeeper.manifest.read.ManifestProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds judges whose concern reaches no other agent of their phase, since all of those say {@code context: none}. */
final class LostConcerns {
    private final Manifest manifest;
    private final Path baseDir;
    private final List<ManifestProblem> found = new ArrayList<>();

    private LostConcerns(Manifest manifest, Path baseDir) {
        this.manifest = manifest;
        this.baseDir = baseDir;
    }

    static List<ManifestProblem> of(Manifest manifest, Path baseDir) {
        LostConcerns concerns = new LostConcerns(manifest, baseDir);
        manifest.phases().forEach(concerns::phase);
        return concerns.found.stream().distinct().toList();
    }

    private void phase(PhaseSpec phase) {
        List<String> agents = phase.agents().stream().distinct().toList();
        for (String judge : agents) {
            List<String> others =
                    agents.stream().filter(other -> !other.equals(judge)).toList();
            boolean judges = manifest.agent(judge)
                    .flatMap(agent -> agent.program().signal())
                    .isPresent();
            if (judges && !others.isEmpty() && others.stream().noneMatch(this::isInformed)) {
                found.add(ManifestProblem.at(
                        "agents." + others.get(0) + ".context",
                        "is none, and its prompt uses no earlier results: the concerns of " + judge + " in "
                                + phase.name() + " reach no other agent; use {{last.concern}} or {{context}} in the"
                                + " prompt, or leave context out"));
            }
        }
    }

    private boolean isInformed(String agent) {
        Optional<AgentSpec> spec = manifest.agent(agent);
        return spec.filter(known -> known.continuation().context() == ContextMode.APPEND)
                        .isPresent()
                || spec.flatMap(declared -> declared.program().prompt())
                        .filter(this::namesIt)
                        .isPresent();
    }

    /** An unreadable prompt has its own problem. */
    private boolean namesIt(String prompt) {
        try {
            return TemplateNames.namesEarlierResults(Files.readString(baseDir.resolve(prompt)));
        } catch (IOException unreadable) {
            return true;
        }
    }
}
