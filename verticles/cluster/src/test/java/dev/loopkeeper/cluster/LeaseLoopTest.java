package dev.loopkeeper.cluster;

import static dev.loopkeeper.store.StoreSamples.await;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.loopkeeper.ownership.BootTime;
import dev.loopkeeper.ownership.LeaseFile;
import dev.loopkeeper.ownership.LeaseInput;
import dev.loopkeeper.ownership.LeaseState;
import dev.loopkeeper.ownership.LeaseTerms;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.postgres.DatabaseProxy;
import dev.loopkeeper.store.postgres.PostgresOptions;
import dev.loopkeeper.store.postgres.RunOwners;
import dev.loopkeeper.store.postgres.RunOwners.JoinResult;
import dev.loopkeeper.store.postgres.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntPredicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

/** The loop itself against a real database, from which it is cut off. */
@Isolated("reads the log of the process, or changes what it has once")
class LeaseLoopTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int MANY = 12;

    private final Vertx vertx = Vertx.vertx();
    private final TestDatabase database = TestDatabase.fresh();
    private final Logger logger = (Logger) LoggerFactory.getLogger(LeaseLoop.class);
    private final Lines lines = new Lines();
    private DatabaseProxy proxy;
    private RunOwners owners;
    private LeaseLoop loop;
    private volatile LeaseState state;

    private static final class Lines extends AppenderBase<ILoggingEvent> {
        private final List<ILoggingEvent> all = new CopyOnWriteArrayList<>();

        @Override
        protected void append(ILoggingEvent line) {
            all.add(line);
        }

        List<String> of(Level level) {
            return all.stream()
                    .filter(line -> line.getLevel().equals(level))
                    .map(ILoggingEvent::getFormattedMessage)
                    .toList();
        }
    }

    /** Has no processes. */
    private class NoProcesses implements LeaseLoop.Effects {
        @Override
        public void stateChanged(LeaseState now) {
            state = now;
        }

        @Override
        public void write(LeaseFile file) {}

        @Override
        public void resumeRuns(JoinResult.Joined joined) {}

        @Override
        public void dropRuns() {}

        @Override
        public void endTrees(BootTime killAt) {
            loop.feed(LeaseInput.TreesGone::new);
        }

        @Override
        public void release(long incarnation) {}

        @Override
        public void left() {}

        @Override
        public void joinRefused(String reason) {}
    }

    @BeforeEach
    void start() {
        OpenStore made = await(TestDatabase.open(vertx, database.options()));
        await(made.close());
        proxy = await(DatabaseProxy.before(vertx, TestDatabase.port()));
        lines.start();
        logger.addAppender(lines);
        logger.setAdditive(false);
        logger.setLevel(Level.INFO);
        String url = "postgresql://postgres@127.0.0.1:" + proxy.port() + "/" + database.name();
        owners = new RunOwners(vertx, new PostgresOptions(url, Optional.empty(), LeaseTerms.ANSWER));
        LeaseTerms terms = new LeaseTerms(Duration.ofSeconds(6));
        RunOwners.NodeFacts facts = new RunOwners.NodeFacts("n1", "folder", "", "", Set.of(), 1, terms);
        loop = new LeaseLoop(vertx, vertx.getOrCreateContext(), terms, owners, () -> facts, new NoProcesses());
        loop.start(Optional.empty());
        awaitLive();
    }

    private void awaitLive() {
        Awaitility.await().atMost(PATIENCE).until(() -> state instanceof LeaseState.Live);
    }

    @AfterEach
    void end() {
        loop.stop();
        await(owners.close());
        await(vertx.close());
        logger.setAdditive(true);
        logger.setLevel(null);
        logger.detachAppender(lines);
    }

    @Test
    void logsADatabaseOutageAtItsStartAndEndOnly() {
        proxy.down();
        Awaitility.await().atMost(PATIENCE).until(() -> proxy.refused() >= MANY);
        List<String> reported = lines.of(Level.WARN);
        proxy.up();
        awaitLive();

        assertThat(reported.get(0)).contains("the lease was not renewed", "does not answer", "logs this once a minute");
        assertThat(reported).as("where each question has a line").hasSizeLessThan(MANY / 2);
        assertThat(lines.of(Level.INFO))
                .filteredOn(line -> line.startsWith("the database answers again"))
                .hasSize(1);
    }

    /** Nothing was said, for as long as the lease of the other may be. */
    @Test
    void logsTheWaitForASilentDuplicateNode() {
        loop.stop();
        LeaseTerms terms = new LeaseTerms(Duration.ofSeconds(7));
        RunOwners.NodeFacts facts = new RunOwners.NodeFacts("n1", "another", "", "", Set.of(), 1, terms);
        loop = new LeaseLoop(vertx, vertx.getOrCreateContext(), terms, owners, () -> facts, new NoProcesses());
        loop.start(Optional.empty());

        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(lines.of(Level.INFO))
                        .filteredOn(line -> line.startsWith("node n1 was active with another data folder"))
                        .hasSize(1)
                        .allMatch(line -> line.contains("silent for its lease of 6 s")));
    }

    /** It was decided on a thread of Netty's, beside what the loop decides. */
    @Test
    void anAnswerThatDoesNotComeIsDecidedOnTheLoop() {
        Set<Thread> decided = decidedBy(
                asked -> Promise.<JoinResult>promise().future(),
                asks -> asks >= 2); // It asks again once it was decided that the first was not answered.

        assertThat(decided).hasSize(1);
    }

    @Test
    void anAnswerFromAnotherThreadIsDecidedOnTheLoop() {
        Set<Thread> decided = decidedBy(this::answeredElsewhere, asks -> state instanceof LeaseState.Live);

        assertThat(decided).hasSize(1);
    }

    /** When the loop waits for it already. */
    private Future<JoinResult> answeredElsewhere(RunOwners.NodeFacts facts) {
        Promise<JoinResult> answer = Promise.promise();
        vertx.runOnContext(later ->
                ForkJoinPool.commonPool().execute(() -> answer.complete(new JoinResult.Joined(1, List.of()))));
        return answer.future();
    }

    /** On which threads it was decided until this holds of the number of times that it asked to join. */
    private Set<Thread> decidedBy(Function<RunOwners.NodeFacts, Future<JoinResult>> join, IntPredicate enough) {
        loop.stop();
        state = null;
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        AtomicInteger asks = new AtomicInteger();
        RunOwners other = new RunOwners(vertx, database.options()) {
            @Override
            public Future<JoinResult> join(NodeFacts asking) {
                return join.apply(asking);
            }

            @Override
            public Future<Boolean> renew(NodeFacts asking, long incarnation) {
                return Promise.<Boolean>promise().future();
            }
        };
        LeaseTerms terms = new LeaseTerms(Duration.ofSeconds(7));
        RunOwners.NodeFacts facts = new RunOwners.NodeFacts("n2", "another", "", "", Set.of(), 1, terms);
        loop = new LeaseLoop(
                vertx,
                vertx.getOrCreateContext(),
                terms,
                other,
                () -> {
                    asks.incrementAndGet();
                    return facts;
                },
                new NoProcesses() {
                    @Override
                    public void stateChanged(LeaseState now) {
                        threads.add(Thread.currentThread());
                        super.stateChanged(now);
                    }
                });
        loop.start(Optional.empty());
        Awaitility.await().atMost(PATIENCE).until(() -> enough.test(asks.get()));
        return threads;
    }
}
