package dev.loopkeeper.process;

import dev.loopkeeper.process.tree.ProcessSnapshot;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Tells of a step of which no note can be read what its processes tell: they carry its mark, and its launcher names it. */
final class MarkedAgent {
    private MarkedAgent() {}

    /**
     * How the step stands, by who lives: its agent is the child of its launcher. It is lost where others of it live, and
     * stands as before where nobody does. From the context of the supervisor.
     *
     * @param unnoted how it stands by its notes
     */
    static Future<StepFolderState> find(
            SupervisorContext around, StepOrder order, StepFolder folder, StepFolderState unnoted) {
        return around.scanner()
                .take()
                .compose(snapshot -> around.workers()
                        .executeBlocking(
                                () -> standing(around, marked(snapshot, order), launcher(order, folder), unnoted),
                                false));
    }

    private static List<ProcessSnapshot.Seen> marked(ProcessSnapshot snapshot, StepOrder order) {
        return snapshot.processes().stream()
                .filter(seen -> seen.nonce().equals(order.nonce()))
                .toList();
    }

    /** Words of the command that no process but its launcher has. */
    private static String launcher(StepOrder order, StepFolder folder) {
        return " record " + folder.path() + " " + order.nonce() + " ";
    }

    private static StepFolderState standing(
            SupervisorContext around, List<ProcessSnapshot.Seen> marked, String launcher, StepFolderState unnoted) {
        List<ProcessSnapshot.Seen> living = marked.stream()
                .filter(seen -> around.processes().living(seen.identity()))
                .toList();
        Optional<StepFolderState> agent = living.stream()
                .filter(seen ->
                        around.processes().commandLine(seen.stat().parent()).contains(launcher))
                .findFirst()
                .map(seen -> new StepFolderState.Alive(seen.identity(), startedAt(around, seen)));
        return agent.orElse(living.isEmpty() ? unnoted : new StepFolderState.Lost(Optional.empty()));
    }

    private static Instant startedAt(SupervisorContext around, ProcessSnapshot.Seen seen) {
        return ProcessHandle.of(seen.stat().pid())
                .flatMap(process -> process.info().startInstant())
                .orElse(around.clock().instant());
    }
}
