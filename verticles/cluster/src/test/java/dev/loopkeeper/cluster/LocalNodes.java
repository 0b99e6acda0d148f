package dev.loopkeeper.cluster;

import static dev.loopkeeper.store.StoreSamples.await;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.RequestChannel;
import dev.loopkeeper.embed.Loopkeeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.embed.LoopkeeperPart;
import dev.loopkeeper.embed.RunOptions;
import dev.loopkeeper.ownership.LeaseTerms;
import dev.loopkeeper.store.postgres.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;

/**
 * Nodes in this JVM, each with a Vert.x and a data folder of its own. Their leases outlast any pause of a machine in use:
 * one is lost only where the database says so, see {@link #fence}.
 */
final class LocalNodes implements AutoCloseable {
    private static final LeaseTerms LONG = new LeaseTerms(Duration.ofMinutes(5));
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    final TestDatabase database = TestDatabase.fresh();
    final Path root;
    private final Path folder;
    private final List<Node> nodes = new ArrayList<>();

    /** @param folder a fresh one; {@code shared} in it is a shared root */
    LocalNodes(Path folder) {
        this.folder = folder;
        try {
            this.root = Files.createDirectories(folder.resolve("shared"));
        } catch (IOException refused) {
            throw new IllegalStateException(refused);
        }
    }

    record Node(String name, Path data, Vertx vertx, Loopkeeper keeper) {
        <Q, A> A ask(RequestChannel<Q, A> channel, Q question) {
            return await(channel.ask(vertx.eventBus(), question, PATIENCE));
        }

        String submit(String manifest, Path workspace) {
            return await(keeper.submit(manifest, RunOptions.DEFAULTS.workspace(workspace)))
                    .runId();
        }

        /** In order; any number of times. */
        void end() {
            await(keeper.close());
        }
    }

    @CanIgnoreReturnValue
    Node start(String name) {
        return start(name, 0, url -> List.of());
    }

    /**
     * Answers when it has its lease and serves.
     *
     * @param slots how many runs it executes at a time; 0 = no limit
     * @param parts what is started with it, given its data folder
     */
    @CanIgnoreReturnValue
    Node start(String name, int slots, Function<Path, List<LoopkeeperPart>> parts) {
        Vertx vertx = Vertx.vertx();
        Path data = folder.resolve(name);
        LoopkeeperOptions engine = LoopkeeperOptions.of(data);
        LoopkeeperOptions member =
                ClusterNode.member(vertx, slots == 0 ? engine : engine.maxRuns(slots), options(name, slots));
        for (LoopkeeperPart part : parts.apply(data)) {
            member = member.with(part);
        }
        return start(name, vertx, member);
    }

    /** Waits as long as a test does for an owner that takes no command. */
    Node startPatient(String name) {
        Vertx vertx = Vertx.vertx();
        LoopkeeperOptions engine = LoopkeeperOptions.of(folder.resolve(name));
        return start(name, vertx, ClusterNode.member(vertx, engine, options(name, 0), PATIENCE));
    }

    /** In this Vert.x, which it closes in the end. */
    Node startIn(String name, Vertx vertx) {
        LoopkeeperOptions engine = LoopkeeperOptions.of(folder.resolve(name));
        return start(name, vertx, ClusterNode.member(vertx, engine, options(name, 0)));
    }

    /** With a bus of its own. */
    Node startWith(String name, Callable<Future<Vertx>> bus) {
        Vertx vertx = Vertx.vertx();
        LoopkeeperOptions engine = LoopkeeperOptions.of(folder.resolve(name));
        return start(name, vertx, ClusterNode.member(vertx, engine, options(name, 0), bus));
    }

    /** On other terms: where they are short, a machine in use may cost it its lease. */
    @CanIgnoreReturnValue
    Node start(String name, LeaseTerms terms) {
        Vertx vertx = Vertx.vertx();
        LoopkeeperOptions engine = LoopkeeperOptions.of(folder.resolve(name));
        return start(name, vertx, ClusterNode.member(vertx, engine, options(name, terms, 0)));
    }

    private ClusterOptions options(String name, int slots) {
        return options(name, LONG, slots);
    }

    private ClusterOptions options(String name, LeaseTerms terms, int slots) {
        return new ClusterOptions(name, database.options(), terms, List.of(root), () -> "", slots);
    }

    private Node start(String name, Vertx vertx, LoopkeeperOptions member) {
        Path data = folder.resolve(name);
        Node node = new Node(name, data, vertx, await(Loopkeeper.start(vertx, member)));
        nodes.add(node);
        return node;
    }

    /** A folder in the shared root. */
    Path workspace(String name) {
        try {
            return Files.createDirectories(root.resolve(name));
        } catch (IOException refused) {
            throw new IllegalStateException(refused);
        }
    }

    /** Ends a node's lease as another does that has not received it; it has not noticed yet. */
    void fence(String name) {
        database.execute("UPDATE nodes SET state = 'fenced' WHERE node = '" + name + "'");
    }

    @Override
    public void close() {
        nodes.forEach(Node::end);
        nodes.forEach(node -> await(node.vertx().close()));
        endAgents();
    }

    /** Agents outlive their nodes, but not their test. A launcher ends after its agent. */
    private void endAgents() {
        ProcessHandle.allProcesses()
                .filter(process -> process.info().command().orElse("").startsWith(folder.toString()))
                .flatMap(ProcessHandle::descendants)
                .forEach(ProcessHandle::destroyForcibly);
    }
}
