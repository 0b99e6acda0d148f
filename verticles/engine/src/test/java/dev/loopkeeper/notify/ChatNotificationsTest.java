package dev.loopkeeper.notify;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.loopkeeper.contract.ScheduleChannels;
import dev.loopkeeper.policy.Fire;
import dev.loopkeeper.run.AskClosed;
import dev.loopkeeper.run.AskOpened;
import dev.loopkeeper.run.Notice;
import dev.loopkeeper.run.RunPaused;
import dev.loopkeeper.run.step.AskOutcome;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.termination.PauseReason;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** Messages to services of chats and phones. */
class ChatNotificationsTest {
    @TempDir
    private Path data;

    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.loopkeeper.notify");
    private NotifyHarness harness;

    @BeforeEach
    void open() {
        logged.start();
        logger.addAppender(logged);
        logger.setAdditive(false);
        harness = new NotifyHarness(data);
    }

    @AfterEach
    void close() {
        harness.close();
        logger.setAdditive(true);
        logger.detachAppender(logged);
    }

    private void awaitLogged(String... lines) {
        Awaitility.await()
                .untilAsserted(() -> assertThat(List.copyOf(logged.list))
                        .extracting(ILoggingEvent::getFormattedMessage)
                        .containsExactlyInAnyOrder(lines));
    }

    private static RunPaused pause(PauseReason reason) {
        return RunPaused.of(Pause.of(reason, "dev: which database?", Instant.EPOCH), 0);
    }

    private NotifierOptions spaced(Duration spacing) {
        NotifierOptions usual = harness.options();
        return new NotifierOptions(
                data,
                usual.timeout(),
                usual.attempts(),
                usual.commandLimit(),
                usual.farewell(),
                Optional.of("https://loops.example"),
                spacing);
    }

    private void awaitReceived(int count) {
        Awaitility.await().untilAsserted(() -> assertThat(harness.received).hasSize(count));
    }

    private void awaitNothingPending() {
        Awaitility.await().untilAsserted(() -> assertThat(harness.pending()).isEmpty());
    }

    @Test
    void aPauseReachesAPhoneByTheAddressAndTokenOfTheEnvironment() {
        String id = harness.deploy(
                spaced(Duration.ofMinutes(1)),
                Map.of("NTFY_URL", harness.hook() + "\n", "NTFY_TOKEN", "Bearer tk_hush"));
        harness.create("r", "[{webhook: 'env:NTFY_URL', format: ntfy, headers: {Authorization: 'env:NTFY_TOKEN'}}]");
        harness.notice("r", 2, "no person needs this");
        harness.happens("r", 3, pause(PauseReason.ANOMALY));
        awaitReceived(1);
        awaitNothingPending();
        assertThat(harness.received.get(0).headers())
                .containsEntry("Authorization", "Bearer tk_hush")
                .containsEntry("Title", "nightly is paused")
                .containsEntry("Content-Type", "text/plain; charset=utf-8");
        assertThat(harness.received.get(0).headers().get("Click")).startsWith("https://loops.example/answer#r.3.");
        assertThat(harness.received.get(0).body()).contains("which database?");
        harness.undeploy(id);
    }

    @ParameterizedTest
    @CsvSource({"1, ''", "'', '{\"message\": \"You are being rate limited.\", \"retry_after\": 1.0}'"})
    void theWaitThatAServiceRequestsIsKept(String header, String body) {
        harness.answerWith(header.isEmpty() ? Map.of() : Map.of("Retry-After", header), body);
        harness.answer(count -> count == 1 ? 429 : 204);
        String id = harness.deploy(Map.of());
        harness.create("r", "[{webhook: '" + harness.hook() + "', format: discord}]");
        harness.happens("r", 2, pause(PauseReason.ANOMALY));
        awaitReceived(1);
        long limited = System.nanoTime();
        awaitReceived(2);
        assertThat(System.nanoTime() - limited).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(700));
        awaitNothingPending();
        assertThat(harness.deliveries()).containsExactly("r:2", "r:2");
        harness.undeploy(id);
    }

    @Test
    void withoutItsVariableNothingIsSent() {
        String id = harness.deploy(Map.of("HOOK", harness.hook()));
        harness.create(
                "r",
                "[{webhook: 'env:SLACK_URL', format: slack},"
                        + " {webhook: 'env:HOOK', format: slack, headers: {Authorization: 'env:TOKEN'}}]");
        harness.happens("r", 2, pause(PauseReason.ANOMALY));
        awaitLogged(
                "run r: environment variable SLACK_URL is not set, so the notification is not sent; set the variable for"
                        + " the Loopkeeper process",
                "run r: environment variable TOKEN is not set, so the notification is not sent; set the variable for"
                        + " the Loopkeeper process");
        awaitNothingPending();
        assertThat(harness.received).isEmpty();
        harness.undeploy(id);
    }

    @Test
    void whatAServiceRefusesIsLoggedWithoutTheSecretsThatItRepeats() {
        harness.answer(count -> 404);
        harness.answerWith(Map.of(), "no_service at /hook/very-secret-path for Bearer tk_hush");
        String id = harness.deploy(Map.of("HOOK", harness.hook(), "TOKEN", "Bearer tk_hush"));
        harness.create("r", "[{webhook: 'env:HOOK', format: slack, headers: {Authorization: 'env:TOKEN'}}]");
        harness.happens("r", 2, pause(PauseReason.ANOMALY));
        awaitLogged("notification r:2 will not be delivered: env:HOOK answers with HTTP status 404: no_service at"
                + " (hidden) for (hidden)");
        harness.undeploy(id);
    }

    private void ranBefore(Instant at) {
        NotifyHarness.await(harness.store.addFire(
                Fire.due("nightly", at.minusSeconds(86_400), "one", Fire.By.CRON, Optional.empty(), Map.of())
                        .started("r")));
    }

    private Fire failed(Instant at) {
        return NotifyHarness.await(
                harness.store.addFire(Fire.due("nightly", at, "at " + at, Fire.By.CRON, Optional.empty(), Map.of())
                        .with(Fire.Outcome.FAILED, "m.yaml: cannot be read")));
    }

    @Test
    void failedFiresThatACrashLeftUnsentAreOneMessageOfTheNextRuntime() {
        String id = harness.deploy(spaced(Duration.ofMinutes(1)), Map.of());
        harness.create(
                "r",
                "[{webhook: '" + harness.hook() + "', format: slack}, {webhook: '" + harness.hook()
                        + "', events: [notice]}]");
        harness.undeploy(id);
        Instant at = Instant.parse("2026-06-02T02:00:00Z");
        ranBefore(at);
        failed(at);
        failed(at.plusSeconds(60));

        id = harness.deploy(spaced(Duration.ofMinutes(1)), Map.of());

        Awaitility.await()
                .untilAsserted(() -> assertThat(NotifyHarness.await(harness.store.unsentFires()))
                        .isEmpty());
        assertThat(harness.received)
                .hasSize(3)
                .filteredOn(message -> message.body().contains("blocks"))
                .singleElement()
                .satisfies(slack -> assertThat(slack.body())
                        .contains("began no run at 2026-06-02T02:01:00Z", "Open the schedule", "1 more"));
        harness.undeploy(id);
    }

    /** No event of a run reports it, so no notification did either. */
    @Test
    void aFailedFireReachesTheReceiversOfTheSchedulesNewestRun() {
        harness.answer(count -> count == 1 ? 503 : 204);
        String id = harness.deploy(spaced(Duration.ofMinutes(1)), Map.of());
        harness.create(
                "r",
                "[{webhook: '" + harness.hook() + "', format: ntfy}, {webhook: '" + harness.hook()
                        + "', format: slack}, {webhook: '" + harness.hook()
                        + "', events: [notice]}, {webhook: '" + harness.hook() + "', events: [run.ended]}]");
        Instant at = Instant.parse("2026-06-02T02:00:00Z");
        ranBefore(at);
        Fire failed = failed(at);
        ScheduleChannels.FAILED.publish(harness.vertx.eventBus(), failed);

        awaitReceived(4);
        List<String> bodies =
                harness.received.stream().map(NotifyHarness.Received::body).toList();
        assertThat(bodies)
                .allSatisfy(body -> assertThat(body)
                        .contains("schedule nightly began no run at 2026-06-02T02:00:00Z: m.yaml: cannot be read")
                        .contains("https://loops.example/#/policy/nightly"));
        assertThat(harness.received)
                .anySatisfy(ntfy -> assertThat(ntfy.headers()).containsEntry("Title", "nightly was not started"))
                .anySatisfy(
                        slack -> assertThat(slack.body()).contains("\"blocks\"").contains("nightly was not started"))
                .anySatisfy(json -> assertThat(json.body()).contains("\"code\":\"fire-failed\""));
        assertThat(harness.deliveries()).containsOnly("r:" + at.toEpochMilli());
        harness.undeploy(id);
    }

    @Test
    void sendsAReachedCapToPhonesAndANearOneToSubscribers() {
        String id = harness.deploy(spaced(Duration.ofMinutes(1)), Map.of());
        harness.create(
                "r",
                "[{webhook: '" + harness.hook() + "', format: ntfy}, {webhook: '" + harness.hook()
                        + "', format: slack, events: [notice]}]");
        harness.happens("r", 2, Notice.of("cap-near", "cap night: $32 of $40 used"));
        awaitReceived(1);
        assertThat(harness.received.get(0).body()).contains("nightly is near a cap", "cap night: $32 of $40 used");
        harness.happens("r", 3, Notice.of("cap-reached", "cap night: $40 of $40 used"));
        awaitReceived(3);
        assertThat(harness.received.subList(1, 3))
                .anySatisfy(ntfy -> assertThat(ntfy.headers()).containsEntry("Title", "nightly has reached a cap"))
                .anySatisfy(slack -> assertThat(slack.body()).contains("nightly has reached a cap"));
        harness.undeploy(id);
    }

    private static AskOpened ask(String step, long sequence) {
        return new AskOpened(
                "ask-" + sequence, step, "Which of " + sequence, List.of(), Instant.EPOCH, "key", "agent " + step);
    }

    private static AskClosed closed(String step, long sequence) {
        return new AskClosed("ask-" + sequence, step, AskOutcome.ANSWERED, Optional.of("x"), Optional.of("local"));
    }

    private List<String> links(int message) {
        return Pattern.compile("answer#r\\.([0-9]+)\\.")
                .matcher(harness.received.get(message).body())
                .results()
                .map(link -> link.group(1))
                .toList();
    }

    /** The link of the newest one alone was sent, and a person was asked what was answered already. */
    @Test
    void eachOpenAskOfAMessageHasItsLinkAndAClosedOneIsLeftOut() {
        String id = harness.deploy(spaced(Duration.ofSeconds(4)), Map.of());
        harness.create("r", "[{webhook: '" + harness.hook() + "', format: ntfy}]");
        harness.happens("r", 2, ask("a", 2));
        awaitReceived(1);
        harness.happens("r", 3, ask("b", 3));
        harness.happens("r", 4, ask("c", 4));
        harness.happens("r", 5, ask("d", 5));
        harness.happens("r", 6, closed("c", 4));
        awaitReceived(2);
        awaitNothingPending();
        assertThat(links(0)).containsExactly("2");
        assertThat(harness.received.get(0).body()).contains("\n\nAnswer: https");
        assertThat(links(1)).containsExactly("5", "3");
        assertThat(harness.received.get(1).body()).contains("Answer ask-5: https", "Answer ask-3: https", "1 more");
        harness.undeploy(id);
    }

    @Test
    void noMessageIsSentForAsksThatAreClosedByThen() {
        String id = harness.deploy(spaced(Duration.ofSeconds(2)), Map.of());
        harness.create("r", "[{webhook: '" + harness.hook() + "', format: slack}]");
        harness.happens("r", 2, ask("a", 2));
        awaitReceived(1);
        harness.happens("r", 3, ask("b", 3));
        harness.happens("r", 4, closed("b", 3));
        awaitNothingPending();
        assertThat(harness.received).hasSize(1);
        harness.undeploy(id);
    }

    @Test
    void moreThanFourAsksAreTwoMessages() {
        String id = harness.deploy(spaced(Duration.ofSeconds(2)), Map.of());
        harness.create("r", "[{webhook: '" + harness.hook() + "', format: slack}]");
        harness.happens("r", 2, ask("a", 2));
        awaitReceived(1);
        for (int sequence = 3; sequence <= 7; sequence++) {
            harness.happens("r", sequence, ask("b", sequence));
        }
        awaitReceived(3);
        awaitNothingPending();
        assertThat(links(1)).containsExactly("6", "5", "4", "3");
        assertThat(links(2)).containsExactly("7");
        harness.undeploy(id);
    }

    @Test
    void repeatedEventsOfOneRunShareAMessageAndOthersDoNotWait() {
        String id = harness.deploy(spaced(Duration.ofSeconds(4)), Map.of());
        harness.create("r", "[{webhook: '" + harness.hook() + "', format: ntfy, events: [notice, attention]}]");
        harness.notice("r", 2, "one");
        awaitReceived(1);
        harness.notice("r", 3, "two");
        harness.notice("r", 4, "three");
        harness.notice("r", 5, "four");
        harness.happens("r", 6, pause(PauseReason.ANOMALY));
        harness.notice("r", 7, "five");
        awaitReceived(3);
        awaitNothingPending();
        assertThat(harness.deliveries()).isEqualTo(List.of("r:2", "r:6", "r:7"));
        assertThat(harness.received.get(2).body()).contains("five", "3 more");
        harness.undeploy(id);
    }
}
