package dev.loopkeeper.notification;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.NotifyFormat;
import dev.loopkeeper.run.RunEvent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Writes a message in the shape and within the limits of its service. The limits are those of Slack's reference of
 * blocks, Discord's embed limits, Microsoft's Adaptive Cards for Workflows (28 KB) and ntfy's publishing (4096 bytes).
 */
public final class ChatPosts {
    private static final String TEXT = "text";
    private static final String TYPE = "type";
    private static final String URL = "url";
    private static final int SLACK_TITLE = 150;
    private static final int SLACK_SECTION = 3000;
    private static final int TITLE = 250;
    private static final int RED = 0xD64545;
    private static final int BLUE = 0x3B82F6;

    private ChatPosts() {}

    /** The message about this event; not for {@link NotifyFormat#JSON}. */
    public static Post of(NotifyFormat format, RunEvent event, Facts facts) {
        ChatMessage message = ChatMessage.of(event, facts);
        return switch (format) {
            case SLACK -> Post.json(slack(message));
            case DISCORD -> Post.json(discord(message));
            case TEAMS -> Post.json(teams(message));
            case NTFY -> ntfy(message);
            case JSON -> throw new IllegalArgumentException("JSON is the event itself");
        };
    }

    /** Each part with its label in these marks, escaped and cut. */
    private static List<String> parts(ChatMessage message, Escapes escapes, String mark) {
        return message.parts().stream()
                .map(part -> mark + part.label() + mark + "\n" + escapes.of(part.text(), part.most()))
                .toList();
    }

    private static ObjectNode slack(ChatMessage message) {
        String title = Escapes.SLACK.of(message.title(), SLACK_TITLE);
        List<String> parts = parts(message, Escapes.SLACK, "*");
        // The text is what a phone shows of a message with blocks.
        ObjectNode body = Json.MAPPER.createObjectNode().put(TEXT, title + "\n" + String.join("\n", parts));
        ArrayNode blocks = body.putArray("blocks");
        blocks.addObject().put(TYPE, "header").set(TEXT, slackText("plain_text", title));
        parts.forEach(part -> blocks.addObject().put(TYPE, "section").set(TEXT, slackText("mrkdwn", part)));
        message.links().stream()
                .map(link -> "<" + link.url() + "|" + link.label() + ">")
                .filter(text -> text.length() <= SLACK_SECTION)
                .forEach(text -> blocks.addObject().put(TYPE, "section").set(TEXT, slackText("mrkdwn", text)));
        return body;
    }

    private static ObjectNode slackText(String type, String text) {
        ObjectNode object = Json.MAPPER.createObjectNode().put(TYPE, type).put(TEXT, text);
        // Without it Slack turns names of channels and people into links.
        return type.equals("mrkdwn") ? object.put("verbatim", true) : object;
    }

    private static ObjectNode discord(ChatMessage message) {
        String parts = String.join("\n\n", parts(message, Escapes.MARKDOWN, "**"));
        String links = message.links().stream()
                .map(to -> "\n\n[" + to.label() + "](" + to.url() + ")")
                .collect(Collectors.joining());
        ObjectNode body = Json.MAPPER.createObjectNode();
        ObjectNode embed = body.putArray("embeds")
                .addObject()
                .put("title", Escapes.MARKDOWN.of(message.title(), TITLE))
                .put("description", parts + links)
                .put("color", message.urgent() ? RED : BLUE);
        message.links().stream().findFirst().ifPresent(to -> embed.put(URL, to.url()));
        body.putObject("allowed_mentions").putArray("parse");
        return body;
    }

    private static ObjectNode teams(ChatMessage message) {
        ObjectNode card = Json.MAPPER
                .createObjectNode()
                .put("$schema", "http://adaptivecards.io/schemas/adaptive-card.json")
                .put(TYPE, "AdaptiveCard")
                .put("version", "1.4");
        ArrayNode body = card.putArray("body");
        body.add(teamsText(Escapes.MARKDOWN.of(message.title(), TITLE))
                .put("weight", "Bolder")
                .put("size", "Medium"));
        parts(message, Escapes.MARKDOWN, "**").forEach(part -> body.add(teamsText(part.replace("\n", "\n\n"))));
        message.links()
                .forEach(to -> card.withArray("actions")
                        .addObject()
                        .put(TYPE, "Action.OpenUrl")
                        .put("title", to.label())
                        .put(URL, to.url()));
        ObjectNode post = Json.MAPPER.createObjectNode().put(TYPE, "message");
        post.putArray("attachments")
                .addObject()
                .put("contentType", "application/vnd.microsoft.card.adaptive")
                .set("content", card);
        return post;
    }

    private static ObjectNode teamsText(String text) {
        return Json.MAPPER
                .createObjectNode()
                .put(TYPE, "TextBlock")
                .put(TEXT, text)
                .put("wrap", true);
    }

    private static Post ntfy(ChatMessage message) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "text/plain; charset=utf-8");
        headers.put("Title", message.title());
        headers.put("Priority", message.urgent() ? "high" : "default");
        headers.put("Tags", message.urgent() ? "warning" : "information_source");
        message.links().stream().findFirst().ifPresent(to -> headers.put("Click", to.url()));
        String text = String.join("\n\n", parts(message, Escapes.PLAIN, ""));
        return new Post(
                headers,
                text
                        + message.links().stream()
                                .map(to -> "\n\n" + to.label() + ": " + to.url())
                                .collect(Collectors.joining()));
    }
}
