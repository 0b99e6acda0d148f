package dev.loopkeeper.cluster;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.embed.Loopkeeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.embed.RunOptions;
import dev.loopkeeper.ownership.LeaseTerms;
import dev.loopkeeper.store.postgres.PostgresOptions;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** A node in a process of its own, which submits what its input names and ends in order with it. */
final class NodeProcess {
    /** Requested by {@code true}; a node is given its own port and those of all. */
    private static final String BUS = "loopkeeper.cluster.bus";

    private static final int FIRST_PORT = 21_500;
    private static final int MOST_NODES = 6;
    private static final List<String> NAMES = new CopyOnWriteArrayList<>();
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration A_MOMENT = Duration.ofSeconds(60);

    private final String name;
    private final Process process;
    private final BufferedReader output;

    private NodeProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        this.output = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Answers when it has its lease and serves. */
    static NodeProcess start(String name, Path folder, PostgresOptions store, LeaseTerms terms, Optional<Path> root) {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx160m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-D" + BUS + "=" + bus(name),
                "-cp",
                System.getProperty("java.class.path"),
                NodeProcess.class.getName(),
                name,
                folder.resolve(name).toString(),
                store.url(),
                Long.toString(terms.lease().toMillis())));
        root.ifPresent(path -> words.add(path.toString()));
        try {
            Process started = new ProcessBuilder(words)
                    .redirectError(ProcessBuilder.Redirect.appendTo(
                            folder.resolve(name + ".log").toFile()))
                    .start();
            NodeProcess node = new NodeProcess(name, started);
            String word = node.line();
            if (!"ready".equals(word)) {
                throw new AssertionError(name + " said " + word + " and " + ended(started) + ": "
                        + Files.readString(folder.resolve(name + ".log")));
            }
            return node;
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    /** The node's port; 0 for none. A node that is started again has the same. */
    private static int bus(String name) {
        if (!Boolean.getBoolean(BUS)) {
            return 0;
        }
        NAMES.add(name);
        return FIRST_PORT + NAMES.indexOf(name) % MOST_NODES;
    }

    private static LoopkeeperOptions member(Vertx vertx, LoopkeeperOptions engine, ClusterOptions node) {
        int port = Integer.getInteger(BUS);
        if (port == 0) {
            return ClusterNode.member(vertx, engine, node);
        }
        List<BusAddress> members = IntStream.range(FIRST_PORT, FIRST_PORT + MOST_NODES)
                .mapToObj(each -> new BusAddress("127.0.0.1", each))
                .toList();
        BusOptions bus = new BusOptions(members, new BusAddress("127.0.0.1", port), Optional.empty());
        return ClusterNode.member(vertx, engine, node, new HazelcastBus(bus));
    }

    /** A process that was killed says nothing itself: its exit code is 128 and the signal. */
    private static String ended(Process started) {
        try {
            boolean over = started.waitFor(A_MOMENT.toSeconds(), TimeUnit.SECONDS);
            return over ? "ended with " + started.exitValue() : "goes on";
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        } finally {
            started.destroyForcibly();
        }
    }

    @CanIgnoreReturnValue
    String submit(Path manifest) {
        try {
            process.outputWriter(StandardCharsets.UTF_8)
                    .append(manifest.toString())
                    .append('\n')
                    .flush();
            return line();
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    /** What it prints next; null once it has ended. */
    private String line() {
        return CompletableFuture.supplyAsync(() -> {
                    try {
                        return output.readLine();
                    } catch (IOException broken) {
                        throw new UncheckedIOException(broken);
                    }
                })
                .orTimeout(SOON.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    long pid() {
        return process.pid();
    }

    /** As kill -9 does. */
    void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    /** In order; its agents stay. */
    void stop() {
        try {
            process.outputWriter(StandardCharsets.UTF_8).close();
        } catch (IOException gone) {
            // It has ended already.
        }
        awaitEnd();
    }

    private void awaitEnd() {
        try {
            if (!process.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(name + " does not end");
            }
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    /** Threads of Vert.x would keep one that could not start alive. */
    public static void main(String[] words) {
        try {
            serve(words);
            System.exit(0);
        } catch (Exception | Error failed) {
            failed.printStackTrace();
            System.exit(1);
        }
    }

    private static void serve(String[] words) throws Exception {
        Vertx vertx = Vertx.vertx();
        List<Path> roots = words.length > 4 ? List.of(Path.of(words[4])) : List.of();
        ClusterOptions node = new ClusterOptions(
                words[0],
                new PostgresOptions(words[2], Optional.empty(), Duration.ofSeconds(25)),
                new LeaseTerms(Duration.ofMillis(Long.parseLong(words[3]))),
                roots,
                () -> "",
                0);
        Loopkeeper keeper = Loopkeeper.start(vertx, member(vertx, LoopkeeperOptions.of(Path.of(words[1])), node))
                .toCompletionStage()
                .toCompletableFuture()
                .get();
        System.out.println("ready");
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            System.out.println(keeper.submit(Path.of(line), RunOptions.DEFAULTS)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get()
                    .runId());
        }
        keeper.close().toCompletionStage().toCompletableFuture().get();
        vertx.close().toCompletionStage().toCompletableFuture().get();
    }
}
