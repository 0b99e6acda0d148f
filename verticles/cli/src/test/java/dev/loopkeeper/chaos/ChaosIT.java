package dev.loopkeeper.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three nodes as users start them, a PostgreSQL as durable as in earnest, and one fault after the other, while clients
 * follow the feed and ask changing nodes for this and that. {@code -Dloopkeeper.chaos.seconds=3600} requests an hour,
 * {@code -Dloopkeeper.seed=N} repeats the faults of an earlier one, {@code -Dloopkeeper.chaos.lease=8s} is for a machine
 * that does nothing else: only then a time is demanded of it.
 */
class ChaosIT {
    private static final int RUNS = 8;
    private static final int READERS = 3;
    private static final String DEFAULT_LEASE = "8s";
    private static final String LEASE = System.getProperty("loopkeeper.chaos.lease", "12s");
    private static final boolean BUS = !"false".equals(System.getProperty("loopkeeper.chaos.bus"));
    private static final long SECONDS = Long.getLong("loopkeeper.chaos.seconds", 20);
    /** What a fault lasts, in seconds, where there is time for it. */
    private static final int LONGEST = SECONDS < 600 ? 12 : 60;

    private static final String MANIFEST = """
            name: chaos
            agents:
              worker: {command: SCRIPT, signal: .loopkeeper/work.json}
            phases:
              - name: work
                loop: {maxIterations: 0, steps: [worker], until: iterations, noProgress: 0}
            retry:
              stopConditions: {maxRetryRate: 0, maxRejectRate: 0, maxConsecutiveFails: 0, circuitBreaker: 0}
            """;

    @TempDir
    private Path folder;

    private final long seed = Long.getLong("loopkeeper.seed", 20_261_126L);
    private final Random random = new Random(seed);
    private final List<FeedReader> readers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    /** What ended a client before its time. */
    private final List<Throwable> unexpected = new CopyOnWriteArrayList<>();
    /** When nodes stood still as a whole, in hundredths of a second of the machine's boot clock. */
    private final Map<String, List<long[]>> paused = new HashMap<>();

    private final Map<String, Integer> faults = new LinkedHashMap<>();
    private ChaosCluster cluster;
    private ChaosDatabase database;
    private Commander commander;
    private Path lines;

    private interface Fault {
        void befall(ChaosNode node) throws Exception;
    }

    @Test
    void nothingIsLostOrDoneTwiceWhateverHappens() throws Exception {
        say("seed " + seed + ", " + SECONDS + " s, lease " + LEASE);
        try (ChaosCluster opened = new ChaosCluster(folder, LEASE, BUS)) {
            cluster = opened;
            database = opened.database;
            begin();
            try {
                play();
                settle();
                check();
            } catch (Throwable failed) {
                keep();
                throw failed;
            } finally {
                readers.forEach(FeedReader::end);
                commander.end();
            }
        }
    }

    /** For the search for the cause. */
    private void keep() throws IOException {
        Path kept = Files.createDirectories(Path.of("target", "chaos-" + seed).toAbsolutePath());
        for (ChaosNode node : cluster.nodes) {
            Files.writeString(kept.resolve(node.name + ".log"), node.saidAll());
        }
        Files.write(
                kept.resolve("events"),
                database.ask("SELECT position, run_id, sequence, epoch, at, type, data FROM events ORDER BY position"));
        Files.write(kept.resolve("runs"), database.ask("SELECT run_id, status, owner, owner_epoch FROM runs"));
        Files.write(kept.resolve("ownership"), database.ask("SELECT * FROM ownership ORDER BY since"));
        Files.write(kept.resolve("nodes"), database.ask("SELECT * FROM nodes"));
        Files.write(kept.resolve("requests"), database.ask("SELECT id, run_id, action, body, answer FROM requests"));
        say("what there was is in " + kept);
    }

    private static void say(String what) {
        System.out.println("chaos: " + what);
    }

    private void begin() throws Exception {
        lines = Files.createDirectories(folder.resolve("lines"));
        Path script = folder.resolve("work.sh");
        Files.writeString(script, AgentLines.SCRIPT.replace("LINES", lines.toString()));
        assertThat(script.toFile().setExecutable(true)).isTrue();
        for (ChaosNode node : cluster.nodes) {
            node.ownDisk();
        }
        cluster.start();
        if (BUS) {
            cluster.nodes.forEach(node -> node.awaitSaid("joined the cluster's event bus"));
        }
        for (int reader = 0; reader < READERS; reader++) {
            readers.add(new FeedReader(cluster.nodes, cluster.client, random.nextLong()));
        }
        commander = new Commander(
                cluster.nodes,
                cluster.client,
                random.nextLong(),
                cluster.shared,
                MANIFEST.replace("SCRIPT", script.toString()),
                RUNS);
        for (FeedReader reader : readers) {
            follow(reader);
        }
        Thread.sleep(1000);
        follow(commander);
    }

    private void follow(Runnable work) {
        Thread thread = new Thread(work, "client");
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((client, failure) -> unexpected.add(failure));
        thread.start();
        threads.add(thread);
    }

    private void play() throws Exception {
        Map<String, Fault> kinds = new LinkedHashMap<>();
        for (NodeFault fault : NodeFault.values()) {
            kinds.put(fault.toString(), node -> befall(node, fault));
        }
        kinds.put("delay", node -> {
            node.link.set(true, true, 50 + random.nextInt(400));
            pause(2 + random.nextInt(6));
            node.link.heal();
        });
        kinds.put("restart database", node -> database.restart("INT"));
        kinds.put("restart database at once", node -> database.restart("QUIT"));
        if (BUS && cluster.ways.get(0).canBeCut()) {
            kinds.put("cut from the nodes", node -> {
                cluster.way(node).cut();
                pause(random.nextInt(LONGEST));
                cluster.way(node).heal();
            });
            kinds.put("cut from the nodes and the database", node -> {
                cluster.way(node).cut();
                befall(node, NodeFault.CUT);
                cluster.way(node).heal();
            });
        }
        if (cluster.nodes.get(0).disk.isPresent()) {
            kinds.put("full disk", node -> {
                SmallDisk disk = node.disk.orElseThrow();
                disk.fill();
                pause(random.nextInt(LONGEST));
                disk.empty();
            });
        }
        kinds.put("restart in order", node -> {
            node.end();
            node.start();
            node.awaitLive(cluster.client);
        });
        List<String> names = new ArrayList<>(kinds.keySet());
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (System.nanoTime() < until) {
            pause(random.nextInt(6));
            String kind = names.get(random.nextInt(names.size()));
            ChaosNode node = cluster.nodes.get(random.nextInt(cluster.nodes.size()));
            say(kind + " " + node.name);
            faults.merge(kind, 1, Integer::sum);
            kinds.get(kind).befall(node);
        }
    }

    private void befall(ChaosNode node, NodeFault fault) throws Exception {
        long from = uptime();
        fault.begin(node);
        pause(random.nextInt(LONGEST));
        fault.end(node);
        if (fault == NodeFault.EVERYTHING_STOPPED) {
            paused.computeIfAbsent(node.name, name -> new ArrayList<>()).add(new long[] {from, uptime()});
        }
        if (!fault.isOverAtOnce()) {
            node.awaitLive(cluster.client);
        }
    }

    /** Draws half seconds, so that faults meet a renewal before and after. */
    private void pause(int seconds) throws InterruptedException {
        Thread.sleep(seconds * 1000L + random.nextInt(1000));
    }

    private static long uptime() throws IOException {
        String text = Files.readString(Path.of("/proc/uptime"));
        return Long.parseLong(text.substring(0, text.indexOf(' ')).replace(".", ""));
    }

    private static final String ORPHANS = "SELECT run_id, status, coalesce(owner, '-') FROM runs r"
            + " WHERE status NOT IN ('completed', 'stopped', 'failed')"
            + " AND NOT EXISTS (SELECT 1 FROM nodes n WHERE n.node = r.owner AND n.state = 'live')";

    /** The last fault is over: every open run gets a living owner, with the default lease within ten seconds. */
    private void settle() throws Exception {
        commander.end();
        cluster.awaitLive();
        long healed = System.nanoTime();
        List<String> orphans = database.ask(ORPHANS);
        while (!orphans.isEmpty() && System.nanoTime() - healed < TimeUnit.MINUTES.toNanos(2)) {
            Thread.sleep(100);
            orphans = database.ask(ORPHANS);
        }
        assertThat(orphans).as("open runs that nobody carries out").isEmpty();
        say("every open run has an owner after " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - healed) + " ms");
        if (LEASE.equals(DEFAULT_LEASE)) {
            assertThat(System.nanoTime() - healed)
                    .as("nanoseconds until every open run had an owner")
                    .isLessThan(TimeUnit.SECONDS.toNanos(10));
        }
        threads.get(threads.size() - 1).join(TimeUnit.MINUTES.toMillis(1));
    }

    private void check() throws Exception {
        // Nothing new comes: what is left continues until it is stopped, and the readers get to the end of that.
        for (ChaosNode node : cluster.nodes) {
            node.end();
        }
        cluster.start();
        List<String> open =
                database.ask("SELECT run_id FROM runs WHERE status NOT IN ('completed', 'stopped', 'failed')");
        for (String run : open) {
            stop(run);
        }
        List<String> events = database.ask("SELECT run_id, sequence, type FROM events ORDER BY position");
        for (FeedReader reader : readers) {
            long until = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
            while (reader.received.size() < events.size() && System.nanoTime() < until) {
                Thread.sleep(50);
            }
            reader.end();
            assertThat(reader.received)
                    .as("events of a client that went from node to node, " + reader.odd)
                    .containsExactlyElementsOf(events);
        }
        assertThat(unexpected).as("answers that no client expects").isEmpty();
        assertThat(database.ask("SELECT count(*) = coalesce(max(position), 0) FROM events"))
                .as("positions without holes")
                .containsExactly("t");
        assertThat(database.ask("SELECT run_id FROM events GROUP BY run_id HAVING count(*) <> max(sequence)"))
                .as("sequences without holes")
                .isEmpty();
        assertThat(database.ask("SELECT run_id, epoch FROM ownership GROUP BY run_id, epoch HAVING count(*) > 1"))
                .as("two owners of one epoch")
                .isEmpty();
        assertThat(database.ask("SELECT e.run_id, e.sequence FROM events e LEFT JOIN ownership o USING (run_id, epoch)"
                        + " WHERE o.node IS NULL"))
                .as("events of nobody")
                .isEmpty();
        assertThat(database.ask("SELECT e.run_id, e.sequence, e.epoch, f.epoch FROM events e JOIN events f"
                        + " ON f.run_id = e.run_id AND f.sequence = e.sequence + 1 WHERE f.epoch < e.epoch"))
                .as("events of an epoch that was over")
                .isEmpty();
        checkRuns();
        checkCommands();
        List<String> overlaps = AgentLines.overlaps(lines, paused);
        say(events.size() + " events, " + commander.runs.size() + " runs, " + commander.commands.size()
                + " commands, faults " + faults + ", takeovers "
                + database.ask("SELECT count(*) FROM ownership WHERE epoch > 1"));
        assertThat(overlaps).as("two agents of one run at a time").isEmpty();
    }

    private void stop(String run) throws Exception {
        String status = "SELECT status FROM runs WHERE run_id = '" + run + "'";
        long until = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
        int round = 0;
        for (List<String> now = database.ask(status);
                !now.equals(List.of("stopped")) && System.nanoTime() < until;
                now = database.ask(status)) {
            if (round++ % 100 == 0) {
                commander.stop(run);
            }
            Thread.sleep(100);
        }
        assertThat(database.ask(status)).as(run + " was stopped").containsExactly("stopped");
    }

    private void checkRuns() {
        Map<String, String> kept = new HashMap<>();
        database.ask("SELECT key, run_id FROM idempotency_keys")
                .forEach(row -> kept.put(row.split(" ", -1)[0], row.split(" ", -1)[1]));
        assertThat(kept).as("runs that were answered").containsAllEntriesOf(commander.runs);
        assertThat(database.ask("SELECT run_id FROM runs")).hasSameElementsAs(kept.values());
    }

    private void checkCommands() {
        Map<String, List<String>> executed = new HashMap<>();
        for (String word : commander.commands.keySet()) {
            executed.put(
                    word,
                    database.ask("SELECT type FROM events WHERE strpos(data, '" + word
                            + "') > 0 AND type IN ('run.pausing', 'run.stopping', 'run.resumed', 'run.pause-requested')"
                            + " ORDER BY position"));
        }
        commander.commands.forEach((word, fate) -> {
            List<String> types = executed.get(word);
            assertThat(types).as(word + " " + fate + ": carried out twice").doesNotHaveDuplicates();
            if (fate == Commander.CommandOutcome.REFUSED) {
                assertThat(types).as(word + " was refused").isEmpty();
            }
        });
    }
}
