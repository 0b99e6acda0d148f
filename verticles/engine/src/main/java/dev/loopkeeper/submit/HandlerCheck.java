package dev.loopkeeper.submit;

import dev.loopkeeper.json.NearestName;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.read.ManifestProblem;
import dev.loopkeeper.manifest.read.SourcePosition;
import dev.loopkeeper.step.Wording;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Checks the handlers that agents name. */
public final class HandlerCheck {
    private HandlerCheck() {}

    /** Returns a problem for each name that is not registered. */
    public static List<ManifestProblem> problems(Manifest manifest, Set<String> registered) {
        return manifest.agents().entrySet().stream()
                .flatMap(agent -> agent
                        .getValue()
                        .program()
                        .handler()
                        .flatMap(handler -> handler.name().filter(name -> !registered.contains(name)))
                        .map(name -> unknown("agents." + agent.getKey() + ".handler", name, registered))
                        .stream())
                .toList();
    }

    private static ManifestProblem unknown(String path, String name, Set<String> registered) {
        String known = registered.isEmpty()
                ? "; the program that embeds Loopkeeper registers handlers with LoopkeeperOptions.handler"
                : "; known are " + String.join(", ", new TreeSet<>(registered));
        String message = "no handler is registered as " + Wording.quoted(name) + known;
        return new ManifestProblem(path, SourcePosition.UNKNOWN, message, NearestName.of(name, registered));
    }
}
