package dev.loopkeeper.submit;

import dev.loopkeeper.manifest.AgentSpec;
import dev.loopkeeper.manifest.LoopPhase;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.manifest.Until;
import dev.loopkeeper.manifest.read.ManifestProblem;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Whether Linux can start the programs of a manifest: their arguments and environment together have a limit. */
final class LaunchSize {
    /** A quarter of the usual stack of 8 MiB, execve(2), without what each step adds: its own variables and feedback. */
    static final int MOST_BYTES = 2 * 1024 * 1024 - 256 * 1024;

    private static final int POINTER = 8;

    private final Manifest manifest;
    private final Map<String, String> inherited;
    private final List<ManifestProblem> problems = new ArrayList<>();

    private LaunchSize(Manifest manifest, Map<String, String> inherited) {
        this.manifest = manifest;
        this.inherited = inherited;
    }

    static List<ManifestProblem> problems(Manifest manifest, Map<String, String> inherited) {
        LaunchSize check = new LaunchSize(manifest, inherited);
        manifest.agents().forEach(check::agent);
        int index = 0;
        for (PhaseSpec phase : manifest.phases()) {
            String path = "phases[" + index++ + "].loop.until.command";
            if (phase instanceof LoopPhase loop && loop.until() instanceof Until.Command until) {
                check.check(path, until.command().argv(), Map.of());
            }
        }
        return check.problems;
    }

    private void agent(String name, AgentSpec agent) {
        check(
                "agents." + name + ".env",
                agent.program().command().argv(),
                agent.program().env());
        agent.continuation()
                .resume()
                .ifPresent(resume -> check(
                        "agents." + name + ".resume",
                        resume.argv(),
                        agent.program().env()));
    }

    private void check(String path, List<String> words, Map<String, String> own) {
        Map<String, String> environment = new HashMap<>(inherited);
        environment.putAll(manifest.env());
        environment.putAll(own);
        long bytes = words.stream().mapToLong(LaunchSize::size).sum()
                + environment.entrySet().stream()
                        .mapToLong(entry -> size(entry.getKey()) - POINTER + size(entry.getValue()))
                        .sum();
        if (bytes > MOST_BYTES) {
            problems.add(ManifestProblem.at(
                    path,
                    "the command and its whole environment have " + bytes + " bytes; at most " + MOST_BYTES
                            + " are possible; put large values into files"));
        }
    }

    private static long size(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length + 1L + POINTER;
    }
}
