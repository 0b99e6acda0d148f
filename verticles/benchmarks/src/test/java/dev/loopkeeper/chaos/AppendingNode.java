package dev.loopkeeper.chaos;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.loopkeeper.ownership.LeaseTerms;
import dev.loopkeeper.ownership.Placement;
import dev.loopkeeper.store.CheckpointWriter;
import dev.loopkeeper.store.EventStoreVerticle;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoreChannels.Appended;
import dev.loopkeeper.store.StoreSamples;
import dev.loopkeeper.store.postgres.NodeRegistration;
import dev.loopkeeper.store.postgres.PostgresEventStore;
import dev.loopkeeper.store.postgres.PostgresOptions;
import dev.loopkeeper.store.postgres.RunOwners;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The store of a node in a process of its own: a live row among the nodes, its connections, and the feed of all nodes on
 * its event bus, but no runs that do anything. It appends as fast as it is answered.
 */
final class AppendingNode implements AutoCloseable {
    /** Of what lists show of a run. */
    private static final int VIEW_CHARACTERS = 1500;

    static final int EVENTS = 2;

    private final Process process;
    private final BufferedReader said;
    private final BufferedWriter input;

    /**
     * What was appended in a stretch.
     *
     * @param medianMillis from asking to the answer
     * @param appends how many there were
     */
    record Throughput(double perSecond, double medianMillis, double appends) {}

    AppendingNode(String name, String url, Path log) throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        AppendingNode.class.getName(),
                        name,
                        url)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        said = process.inputReader(StandardCharsets.UTF_8);
        input = process.outputWriter(StandardCharsets.UTF_8);
        if (!"ready".equals(said.readLine())) {
            throw new AssertionError(name + " does not start, see " + log);
        }
    }

    /** So many runs append for that long; measured by {@link #end}. */
    void begin(int runs, long millis) throws IOException {
        input.write(runs + " " + millis + "\n");
        input.flush();
    }

    Throughput end() throws IOException {
        String line = said.readLine();
        if (line == null) {
            throw new AssertionError("a node has ended: " + process.info().commandLine());
        }
        String[] words = line.split(" ", 3);
        return new Throughput(Double.parseDouble(words[0]), Double.parseDouble(words[1]), Double.parseDouble(words[2]));
    }

    long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** The texts of one append, for a benchmark that writes the same without a store: of each event, and of the run's row. */
    static List<String> texts() {
        AppendEvents append = append("run-1-1-1", 1);
        List<String> texts = new ArrayList<>();
        append.events().forEach(event -> texts.add(event.data().toString()));
        texts.add(append.row().view().toString());
        return texts;
    }

    private static AppendEvents append(String runId, long sequence) {
        AppendEvents sample = StoreSamples.append(runId, sequence, EVENTS);
        RunRow row = sample.row();
        return new AppendEvents(
                runId,
                sequence,
                1,
                sample.events(),
                new RunRow(
                        runId,
                        row.name(),
                        row.status(),
                        row.createdAt(),
                        JsonNodeFactory.instance.objectNode().put("view", "x".repeat(VIEW_CHARACTERS))),
                Optional.empty(),
                Optional.empty());
    }

    /** Ends with any failure, which its caller receives. */
    public static void main(String[] words) {
        try {
            serve(words);
            System.exit(0);
        } catch (IOException | RuntimeException | Error failed) {
            failed.printStackTrace();
            System.exit(1);
        }
    }

    private static void serve(String... words) throws IOException {
        String name = words[0];
        PostgresOptions options = PostgresOptions.of(words[1]);
        Vertx vertx = Vertx.vertx();
        NodeRegistration registration = new NodeRegistration(name, row -> new Placement.Pinned(name));
        OpenStore store = StoreSamples.await(PostgresEventStore.openNode(vertx, options, registration));
        RunOwners owners = new RunOwners(vertx, options);
        RunOwners.NodeFacts facts = new RunOwners.NodeFacts(name, name, "", "", Set.of(), 1000, LeaseTerms.DEFAULTS);
        RunOwners.JoinResult.Joined joined = (RunOwners.JoinResult.Joined) StoreSamples.await(owners.join(facts));
        registration.take(joined.incarnation());
        StoreSamples.await(vertx.deployVerticle(new EventStoreVerticle(store)));
        Function<AppendEvents, Future<Appended>> asked = new CheckpointWriter(vertx.eventBus())::append;
        System.out.println("ready");
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        int stretch = 0;
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] order = line.split(" ", 2);
            String prefix = name + "-" + stretch++ + "-";
            System.out.println(measure(vertx, asked, prefix, Integer.parseInt(order[0]), Long.parseLong(order[1])));
        }
    }

    private static String measure(
            Vertx vertx, Function<AppendEvents, Future<Appended>> writer, String prefix, int runs, long millis) {
        long begun = System.nanoTime();
        long end = begun + millis * 1_000_000;
        List<Long> nanos = new ArrayList<>();
        Promise<Void> over = Promise.promise();
        vertx.getOrCreateContext()
                .runOnContext(now -> Future.all(IntStream.range(0, runs)
                                .mapToObj(run -> {
                                    Promise<Void> gone = Promise.promise();
                                    appendNext(writer, prefix + run, 0, end, nanos, gone);
                                    return gone.future();
                                })
                                .toList())
                        .<Void>mapEmpty()
                        .onComplete(over));
        StoreSamples.await(over.future());
        double seconds = (System.nanoTime() - begun) / 1e9;
        long[] sorted = nanos.stream().mapToLong(Long::longValue).toArray();
        Arrays.sort(sorted);
        return sorted.length / seconds + " " + sorted[sorted.length / 2] / 1e6 + " " + sorted.length;
    }

    /**
     * All on one context, so the list needs no lock. One promise for all appends of a run: a future of each that ends with
     * the next would be a chain as deep as there are appends.
     */
    private static void appendNext(
            Function<AppendEvents, Future<Appended>> writer,
            String runId,
            long sequence,
            long end,
            List<Long> nanos,
            Promise<Void> over) {
        long asked = System.nanoTime();
        if (asked >= end) {
            over.complete();
            return;
        }
        writer.apply(append(runId, sequence))
                .onSuccess(durable -> {
                    nanos.add(System.nanoTime() - asked);
                    appendNext(writer, runId, sequence + EVENTS, end, nanos, over);
                })
                .onFailure(over::fail);
    }
}
