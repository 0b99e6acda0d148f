package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.loopkeeper.cluster.BusAddress;
import dev.loopkeeper.cluster.BusOptions;
import dev.loopkeeper.cluster.BusTls;
import dev.loopkeeper.cluster.HazelcastBus;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Nodes of a bus prove to each other who they are: a member without that proof sends and receives nothing. */
@Execution(ExecutionMode.CONCURRENT)
class HazelcastBusTest {
    private static final Duration SOON = Duration.ofSeconds(90);
    private static final int MEMBERS = 3;

    @TempDir
    static Path keys;

    private static TestAuthority authority;
    private static BusTls first;
    private static BusTls second;
    private static BusTls stranger;

    private final List<Vertx> joined = new ArrayList<>();
    private List<BusAddress> members;

    @BeforeAll
    static void sign() throws Exception {
        authority = new TestAuthority(keys.resolve("authority"));
        TestAuthority others = new TestAuthority(keys.resolve("stranger"));
        Path trust = authority.certificate();
        first = files(authority.sign("dns:n1", 1, 30), trust);
        second = files(authority.sign("dns:n2", 1, 30), trust);
        // It trusts the others, so that only what it shows keeps it out.
        stranger = files(others.sign("dns:n3", 1, 30), trust);
    }

    private static BusTls files(TestAuthority.Certificate own, Path trust) {
        return new BusTls(own.certificate(), own.key(), trust);
    }

    @BeforeEach
    void prepare() {
        members = Stream.generate(BusPorts::free).limit(MEMBERS).toList();
    }

    @AfterEach
    void end() throws Exception {
        for (Vertx bus : joined) {
            await(bus.close());
        }
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(SOON.toSeconds(), TimeUnit.SECONDS);
    }

    private Vertx join(int member, Optional<BusTls> tls) throws Exception {
        Vertx bus = await(new HazelcastBus(new BusOptions(members, members.get(member), tls)).call());
        joined.add(bus);
        return bus;
    }

    private static Future<String> ask(Vertx asking, String address) {
        return asking.eventBus()
                .<String>request(address, "hello", new DeliveryOptions().setSendTimeout(2_000))
                .map(Message::body);
    }

    private static List<String> listen(Vertx bus, String address) throws Exception {
        List<String> received = new CopyOnWriteArrayList<>();
        await(bus.eventBus()
                .<String>consumer(address, message -> {
                    received.add(message.body());
                    message.reply("yes");
                })
                .completion());
        return received;
    }

    @Test
    void nodesOfOneAuthorityExchangeMessages() throws Exception {
        Vertx one = join(0, Optional.of(first));
        Vertx two = join(1, Optional.of(second));
        assertThat(listen(one, "one")).isEmpty();
        assertThat(listen(two, "two")).isEmpty();

        Awaitility.await()
                .atMost(SOON)
                .until(() -> "yes".equals(await(ask(two, "one").otherwise(""))));
        Awaitility.await()
                .atMost(SOON)
                .until(() -> "yes".equals(await(ask(one, "two").otherwise(""))));
    }

    @Test
    void nodesAtTranslatedAddressesMeetAndLogUnknownMembers() throws Exception {
        int port = members.get(0).port();
        BusAddress unknown = new BusAddress("no-such-host.invalid", port);
        members = List.of(new BusAddress("127.0.0.2", port), new BusAddress("127.0.0.3", port), unknown);
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        root.addAppender(log);
        try {
            Vertx one = join(0, Optional.empty());
            Vertx two = join(1, Optional.empty());
            assertThat(listen(one, "one")).isEmpty();
            Awaitility.await()
                    .atMost(SOON)
                    .until(() -> "yes".equals(await(ask(two, "one").otherwise(""))));
        } finally {
            root.detachAppender(log);
        }
        // On a busy machine Hazelcast itself warns of a migration that it repeats.
        assertThat(List.copyOf(log.list))
                .filteredOn(line -> line.getFormattedMessage().contains(unknown.host()))
                .hasSize(2) // one for each node
                .allSatisfy(line -> {
                    assertThat(line.getFormattedMessage()).contains(unknown + ", a member", "is unknown");
                    assertThat(line.getThrowableProxy()).isNull();
                });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aNodeWithoutATrustedCertificateExchangesNothing(boolean showsOne) throws Exception {
        Vertx one = join(0, Optional.of(first));
        Vertx two = join(1, Optional.of(second));
        Vertx out = join(2, Optional.of(stranger).filter(any -> showsOne));
        List<String> received = listen(one, "one");
        List<String> abroad = listen(out, "out");
        Awaitility.await()
                .atMost(SOON)
                .until(() -> "yes".equals(await(ask(two, "one").otherwise(""))));
        int known = received.size();

        assertThat(await(ask(out, "one").otherwise("no"))).isEqualTo("no");
        assertThat(await(ask(one, "out").otherwise("no"))).isEqualTo("no");
        assertThat(received).hasSize(known);
        assertThat(abroad).isEmpty();
    }
}
