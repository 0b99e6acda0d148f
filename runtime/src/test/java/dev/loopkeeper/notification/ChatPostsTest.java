package dev.loopkeeper.notification;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.NotifyFormat;
import dev.loopkeeper.run.AskOpened;
import dev.loopkeeper.run.RunPaused;
import dev.loopkeeper.run.step.Finding;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.termination.PauseReason;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ChatPostsTest {
    private static final Facts FACTS = new Facts(
            "fix-tests",
            OptionalDouble.of(1.25),
            List.of(new Link("Open the run", "https://loops.example/#/runs/r")),
            3);

    private static RunPaused asking(String question) {
        Pause pause = Pause.of(PauseReason.USER_INPUT_NEEDED, "dev: " + question, Instant.EPOCH)
                .withFinding(
                        "build.1.dev.1",
                        new Finding(
                                Optional.empty(),
                                Optional.empty(),
                                List.of(question),
                                List.of(question),
                                Optional.empty(),
                                Optional.empty()));
        return RunPaused.of(pause, 0);
    }

    private static JsonNode json(NotifyFormat format, String question) {
        try {
            return Json.MAPPER.readTree(
                    ChatPosts.of(format, asking(question), FACTS).body());
        } catch (JsonProcessingException broken) {
            throw new AssertionError(broken);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SLACK", "DISCORD", "TEAMS", "NTFY"})
    void everyMessageSaysNameWhyQuestionCostAndLink(NotifyFormat format) {
        Post post = ChatPosts.of(format, asking("Which database"), FACTS);

        assertThat(post.headers() + post.body())
                .contains("fix-tests is paused", "Which database", "$1.25", "https://loops.example/#/runs/r", "3 more");
    }

    @ParameterizedTest
    @EnumSource(names = {"SLACK", "DISCORD", "TEAMS", "NTFY"})
    void theQuestionAndTheChoicesOfAnAskAreSaidOnce(NotifyFormat format) {
        AskOpened ask = new AskOpened(
                "ask-5", "build", "Which database", List.of("PostgreSQL"), Instant.EPOCH, "key", "agent build");

        String body = ChatPosts.of(format, ask, FACTS).body();

        String text = format == NotifyFormat.SLACK ? body.substring(body.indexOf("blocks")) : body;
        assertThat(text).containsOnlyOnce("Which database").containsOnlyOnce("PostgreSQL");
    }

    @ParameterizedTest
    @EnumSource(names = {"SLACK", "DISCORD", "TEAMS", "NTFY"})
    void fourAsksHaveALinkEachWithinTheLimits(NotifyFormat format) {
        String page = "https://loops.example/answer#" + "r".repeat(128) + ".%d." + "s".repeat(43);
        List<Link> links = List.of(8, 7, 6, 5).stream()
                .map(sequence -> new Link("Answer ask-" + sequence, page.formatted(sequence)))
                .toList();
        AskOpened ask = new AskOpened(
                "ask-8",
                "build.1.dev.1",
                "\u6f22".repeat(30_000),
                List.of("\u6f22".repeat(30_000)),
                Instant.EPOCH,
                "key",
                "agent build");

        Post post = ChatPosts.of(format, ask, new Facts("fix-tests", OptionalDouble.of(1.25), links, 3));

        assertThat(links)
                .allSatisfy(
                        link -> assertThat(post.body()).contains(link.label()).contains(link.url()));
        if (format == NotifyFormat.NTFY) {
            assertThat(post.headers()).containsEntry("Click", links.get(0).url());
            assertThat(post.body().getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(4096);
        } else if (format == NotifyFormat.DISCORD) {
            assertThat(post.body()).hasSizeLessThanOrEqualTo(4096);
        }
    }

    @Test
    void slackGetsBlocksWithinItsLimitsAndNoMention() {
        for (String question : List.of("<!channel> & <@U1> <https://evil.example|here>", "<&>".repeat(20_000))) {
            JsonNode body = json(NotifyFormat.SLACK, question);

            assertThat(body.path("text").asText().length()).isLessThan(4000);
            assertThat(body.path("blocks")).hasSizeLessThan(50);
            assertThat(body.at("/blocks/0/type").asText()).isEqualTo("header");
            assertThat(body.at("/blocks/0/text/text").asText()).hasSizeLessThanOrEqualTo(150);
            body.path("blocks").forEach(block -> {
                String text = block.at("/text/text").asText();
                assertThat(text.length()).isBetween(1, 3000);
                assertThat(text.replace("<https://loops.example/#/runs/r|Open the run>", ""))
                        .doesNotContain("<", ">")
                        .doesNotContainPattern("&(?!amp;|lt;|gt;)");
            });
        }
    }

    @Test
    void discordGetsOneEmbedWithinItsLimitsAndNoMention() {
        for (String question : List.of("@everyone <@1> [x](https://evil.example) `a_b`", "*".repeat(20_000))) {
            JsonNode body = json(NotifyFormat.DISCORD, question);

            assertThat(body.at("/allowed_mentions/parse").isArray()).isTrue();
            assertThat(body.at("/allowed_mentions/parse")).isEmpty();
            assertThat(body.path("embeds")).hasSize(1);
            assertThat(body.at("/embeds/0/title").asText()).hasSizeLessThanOrEqualTo(256);
            assertThat(body.at("/embeds/0/description").asText().length()).isBetween(1, 4096);
            assertThat(body.at("/embeds/0/url").asText()).isEqualTo("https://loops.example/#/runs/r");
        }
        assertThat(json(NotifyFormat.DISCORD, "@everyone a_b")
                        .at("/embeds/0/description")
                        .asText())
                .contains("\\@everyone a\\_b");
    }

    @Test
    void teamsGetsAnAdaptiveCardWithinItsLimit() {
        JsonNode body = json(NotifyFormat.TEAMS, "[x](https://evil.example)");

        assertThat(body.path("type").asText()).isEqualTo("message");
        assertThat(body.at("/attachments/0/contentType").asText()).isEqualTo("application/vnd.microsoft.card.adaptive");
        JsonNode card = body.at("/attachments/0/content");
        assertThat(card.path("type").asText()).isEqualTo("AdaptiveCard");
        assertThat(card.path("body").toString()).contains("\\\\[x\\\\]");
        assertThat(card.at("/actions/0/type").asText()).isEqualTo("Action.OpenUrl");
        assertThat(card.at("/actions/0/url").asText()).isEqualTo("https://loops.example/#/runs/r");
        assertThat(json(NotifyFormat.TEAMS, "\u6f22".repeat(30_000)).toString().getBytes(StandardCharsets.UTF_8))
                .hasSizeLessThan(28 << 10);
    }

    @Test
    void ntfyGetsATextWithinItsLimitOfBytesAndHeadersOnOneLine() {
        for (String question : List.of("one\ntwo\r\u0007", "\u6f22".repeat(30_000), "\ud83d\ude00".repeat(30_000))) {
            Post post = ChatPosts.of(NotifyFormat.NTFY, asking(question), FACTS);

            assertThat(post.body().getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(4096);
            assertThat(post.body()).doesNotContain("\u0007", "\r", "?");
            assertThat(post.headers())
                    .containsEntry("Title", "fix-tests is paused")
                    .containsEntry("Priority", "high")
                    .containsEntry("Click", "https://loops.example/#/runs/r");
            assertThat(post.headers().values()).allMatch(value -> value.matches("[\\x20-\\x7e]+"));
        }
    }

    @Test
    void aCutEndsInDotsAndSplitsNoLetterAndNoEscape() {
        assertThat(Escapes.SLACK.of("a<b", 7)).isEqualTo("a&lt;b".substring(0, 6));
        assertThat(Escapes.SLACK.of("a<b<", 7)).isEqualTo("a&lt;b…");
        assertThat(Escapes.SLACK.of("<<", 5)).isEqualTo("&lt;…");
        assertThat(Escapes.PLAIN.of("\ud83d\ude00\ud83d\ude00", 7)).isEqualTo("\ud83d\ude00…");
        assertThat(Escapes.PLAIN.of("", 7)).isEmpty();
    }
}
