package dev.loopkeeper.notify;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.store.Outbox.OutboxCursor;
import io.vertx.core.buffer.Buffer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Execution(ExecutionMode.CONCURRENT)
class WebhookTest {
    @TempDir
    private Path data;

    private NotifyHarness harness;

    @BeforeEach
    void open() {
        harness = new NotifyHarness(data);
    }

    @AfterEach
    void close() {
        harness.close();
    }

    private String onNotice() {
        return "[{webhook: \"" + harness.hook() + "\", events: [notice]}]";
    }

    private void awaitReceived(int count) {
        Awaitility.await().untilAsserted(() -> assertThat(harness.deliveries()).hasSize(count));
    }

    private void awaitNothingPending() {
        Awaitility.await().untilAsserted(() -> assertThat(harness.pending()).isEmpty());
    }

    @Test
    void theListedEventsArePostedAndNoOthers() {
        String id = harness.deploy(Map.of());
        harness.create("r", "[{webhook: \"" + harness.hook() + "\", events: [notice, run.created]}]");
        harness.notice("r", 2, "look here");
        awaitReceived(2);
        NotifyHarness.Received notice = harness.received.get(1);
        assertThat(notice.headers())
                .containsEntry("Content-Type", "application/json")
                .containsEntry("X-Loopkeeper-Event", "notice")
                .containsEntry("X-Loopkeeper-Delivery", "r:2")
                .doesNotContainKey("X-Loopkeeper-Signature");
        JsonNode body = notice.json();
        assertThat(body.toString())
                .isEqualTo("{\"runId\":\"r\",\"sequence\":2,\"at\":\"2026-11-20T15:12:33.120Z\",\"type\":\"notice\","
                        + "\"execution\":1,\"data\":{\"code\":\"c\",\"message\":\"look here\"},"
                        + "\"name\":\"nightly\",\"summary\":\"look here\"}");
        assertThat(harness.received.get(0).body()).contains("run.created").doesNotContain("hush", "nonce");
        harness.undeploy(id);
    }

    @Test
    void theSignatureIsTheHmacOfTheBody() throws GeneralSecurityException {
        String id = harness.deploy(Map.of("HOOK_SECRET", "s3cret"));
        harness.create("r", "[{webhook: \"" + harness.hook() + "\", events: [notice], secretEnv: HOOK_SECRET}]");
        harness.notice("r", 2, "größer");
        awaitReceived(1);
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec("s3cret".getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        String body = harness.received.get(0).body();
        assertThat(harness.received.get(0).headers())
                .containsEntry(
                        "X-Loopkeeper-Signature",
                        "sha256=" + HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8))));
        harness.undeploy(id);
    }

    @Test
    void theSignatureOfAKnownExampleIsRight() {
        assertThat(Webhook.signature("key", Buffer.buffer("The quick brown fox jumps over the lazy dog")))
                .isEqualTo("sha256=f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8");
    }

    @Test
    void withoutItsSecretNothingIsSent() {
        String id = harness.deploy(Map.of("HOOK_SECRET", ""));
        harness.create(
                "r",
                "[{webhook: \"" + harness.hook() + "\", events: [notice], secretEnv: HOOK_SECRET}, {webhook: \""
                        + harness.hook() + "\", events: [notice]}]");
        harness.notice("r", 2, "one");
        awaitReceived(1);
        awaitNothingPending();
        assertThat(harness.received.get(0).headers()).doesNotContainKey("X-Loopkeeper-Signature");
        assertThat(harness.received).hasSize(1);
        harness.undeploy(id);
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 503, 429, 408, NotifyHarness.NO_ANSWER})
    void whatMayPassIsTriedAgainAndInOrder(int status) {
        harness.answer(count -> count <= 2 ? status : 200);
        NotifierOptions options = status == NotifyHarness.NO_ANSWER ? harness.impatient() : harness.options();
        String id = harness.deploy(options, Map.of());
        harness.create("r", onNotice());
        harness.notice("r", 2, "one");
        harness.notice("r", 3, "two");
        awaitReceived(4);
        awaitNothingPending();
        assertThat(harness.deliveries()).containsExactly("r:2", "r:2", "r:2", "r:3");
        harness.undeploy(id);
    }

    @Test
    void anAnswerWithoutAnEndIsHungUpOn() {
        harness.answer(count -> count == 1 ? NotifyHarness.NO_END : 200);
        String id = harness.deploy(harness.impatient(), Map.of());
        harness.create("r", onNotice());
        harness.notice("r", 2, "one");
        Awaitility.await().untilAsserted(() -> assertThat(harness.hungUp).containsExactly("r:2"));
        awaitReceived(2);
        awaitNothingPending();
        assertThat(harness.deliveries()).containsExactly("r:2", "r:2");
        harness.undeploy(id);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 404, 410, 302})
    void whatWillNotPassIsGivenUp(int status) {
        harness.answer(count -> count == 1 ? status : 200);
        String id = harness.deploy(Map.of());
        harness.create("r", onNotice());
        harness.notice("r", 2, "one");
        harness.notice("r", 3, "two");
        awaitReceived(2);
        awaitNothingPending();
        assertThat(harness.deliveries()).containsExactly("r:2", "r:3");
        harness.undeploy(id);
    }

    @Test
    void afterItsTriesADeliveryIsGivenUp() {
        harness.answer(count -> 500);
        String id = harness.deploy(Map.of());
        harness.create("r", onNotice());
        harness.notice("r", 2, "one");
        awaitReceived(4);
        awaitNothingPending();
        assertThat(harness.received).hasSize(4);
        harness.undeploy(id);
    }

    @Test
    void aDeadReceiverHoldsUpNeitherTheStoreNorOtherReceivers() {
        harness.answer(count -> NotifyHarness.NO_ANSWER);
        String id = harness.deploy(NotifyHarness.leaving(harness.options(), Duration.ofSeconds(1)), Map.of());
        harness.create("slow", onNotice());
        harness.notice("slow", 2, "one");
        awaitReceived(1);
        harness.answer(count -> 200);
        harness.create("quick", onNotice());
        harness.notice("quick", 2, "one");
        Awaitility.await().until(() -> harness.deliveries().contains("quick:2"));
        harness.undeploy(id);
    }

    @Test
    void theNextRuntimeSendsPendingDeliveries() {
        harness.answer(count -> 503);
        NotifierOptions patient = new NotifierOptions(
                data,
                Duration.ofMinutes(1),
                new NotifierOptions.Attempts(8, Duration.ofMinutes(2), Duration.ofMinutes(2)),
                Duration.ofMinutes(1));
        String first = harness.deploy(patient, Map.of());
        harness.create("r", onNotice());
        harness.notice("r", 2, "one");
        awaitReceived(1);
        Awaitility.await()
                .untilAsserted(() -> assertThat(harness.pending())
                        .extracting(OutboxCursor::tries)
                        .containsExactly(1));
        harness.undeploy(first);
        harness.notice("r", 3, "while nobody listened");
        harness.answer(count -> 200);
        String second = harness.deploy(Map.of());
        awaitReceived(3);
        awaitNothingPending();
        assertThat(harness.deliveries()).containsExactly("r:2", "r:2", "r:3");
        harness.undeploy(second);
    }

    @Test
    void aCrashLosesNothingThatTheStoreHas() {
        String first = harness.deploy(Map.of());
        harness.create("r", onNotice());
        harness.notice("r", 2, "one");
        awaitReceived(1);
        awaitNothingPending();
        harness.undeploy(first);
        harness.notice("r", 3, "never heard by the notifier that crashed");
        String second = harness.deploy(Map.of());
        awaitReceived(2);
        awaitNothingPending();
        assertThat(harness.deliveries()).containsExactly("r:2", "r:3");
        harness.undeploy(second);
        String third = harness.deploy(Map.of());
        harness.notice("r", 4, "next");
        awaitReceived(3);
        assertThat(harness.deliveries()).as("nothing twice").containsExactly("r:2", "r:3", "r:4");
        harness.undeploy(third);
    }

    @Test
    void theEndDoesNotWaitForADeadReceiver() {
        harness.stopReceiver();
        String id = harness.deploy(NotifierOptions.of(data), Map.of());
        harness.create("r", onNotice());
        harness.notice("r", 2, "one");
        NotifyHarness.await(harness.vertx.undeploy(id));
        assertThat(harness.received).isEmpty();
    }

    @Test
    void anAddressIsLoggedWithoutItsPath() {
        assertThat(List.of("https://user:pw@hooks.example/T0/secret?x=y", "http://127.0.0.1:9000/hook"))
                .extracting(address -> Endpoint.label(URI.create(address)))
                .containsExactly("https://hooks.example", "http://127.0.0.1:9000");
    }
}
