package dev.loopkeeper.notify;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.checkpoint.CheckpointException;
import dev.loopkeeper.checkpoint.EventJson;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.NotifySpec;
import dev.loopkeeper.notification.ChatPosts;
import dev.loopkeeper.notification.Facts;
import dev.loopkeeper.notification.Link;
import dev.loopkeeper.notification.Post;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.RunEnded;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.RunPaused;
import dev.loopkeeper.run.RunPausing;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.termination.Termination;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A notification about one event.
 *
 * @param name the run's name
 * @param status the run's status after the event where the event defines it, else {@code running}
 * @param summary one line for people
 * @param url of the run's page; absent where no public URL is configured
 */
record Message(StoredEvent event, String name, String status, String summary, Optional<String> url) {
    private static final String RUNNING = "running";
    private static final int LONGEST_VALUE = 8_000;
    private static final Map<String, String> STATUSES = Map.of(
            "run.created", "queued",
            "run.queued", "queued",
            "run.paused", "paused",
            "run.waiting", "waiting",
            "run.stopping", "stopping");

    private static final String NONCE = "nonce";
    /** Fields that are removed: the nonce of the run or step, and the manifest, which may hold the agents' secrets. */
    private static final List<String> PRIVATE = List.of(NONCE, "manifest", "resolved");

    private static final JsonPointer CHANGED_MANIFEST = JsonPointer.compile("/request/changedManifest");

    static Message of(StoredEvent event, String name, Optional<String> url) {
        Optional<RunEvent> read = read(event);
        String status = read.filter(RunEnded.class::isInstance)
                .map(ended -> ((RunEnded) ended).status().wire())
                .orElseGet(() -> STATUSES.getOrDefault(read.map(EventTypes::of).orElse(event.type()), RUNNING));
        return new Message(event, name, status, read.map(RunEvent::text).orElse(event.type()), url);
    }

    /** Reads the event; empty where it is damaged or of a later version. */
    static Optional<RunEvent> read(StoredEvent event) {
        try {
            return Optional.of(EventJson.read(event.type(), event.data()));
        } catch (CheckpointException written) {
            return Optional.empty();
        }
    }

    /**
     * Returns the JSON body: the envelope of the event with {@code name}, {@code summary} and, where known, {@code
     * url}.
     */
    ObjectNode body() {
        ObjectNode body = Json.MAPPER.valueToTree(event);
        boolean changed = event.data().at(CHANGED_MANIFEST).isObject();
        if ((changed || event.data().has(NONCE)) && body.get("data") instanceof ObjectNode data) {
            ObjectNode copy = data.deepCopy();
            ObjectNode holder = changed ? (ObjectNode) copy.at(CHANGED_MANIFEST) : copy;
            holder.remove(PRIVATE);
            body.set("data", copy);
        }
        url.ifPresent(address -> body.put("url", address));
        return body.put("name", name).put("summary", summary);
    }

    /**
     * Returns the message in the receiver's shape; empty for a chat where the event is unreadable.
     *
     * @param costUsd of the run so far
     * @param more events of this kind that the message stands for
     * @param links in place of that to the run
     */
    Optional<Post> post(NotifySpec receiver, OptionalDouble costUsd, int more, List<Link> links) {
        if (!receiver.isChat()) {
            return Optional.of(new Post(Map.of("Content-Type", "application/json"), body().toString()));
        }
        List<Link> run =
                url.stream().map(page -> new Link("Open the run", page)).toList();
        Facts facts = new Facts(name, costUsd, links.isEmpty() ? run : links, more);
        return read(event).map(known -> ChatPosts.of(receiver.format().orElseThrow(), known, facts));
    }

    /** Returns the id of the delivery, e.g. {@code fix-flaky-tests-20261120-151233-x7k2:41}. */
    String delivery() {
        return event.runId() + ":" + event.sequence();
    }

    /** Returns the values that the command line may refer to by name. */
    Map<String, String> values() {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("name", name);
        values.put("runId", event.runId());
        values.put("status", status);
        values.put("summary", plain(summary));
        values.put("type", event.type());
        Optional<RunEvent> read = read(event);
        Optional<Pause> pause = read.flatMap(Message::pause);
        Optional<Termination> ending =
                read.filter(RunEnded.class::isInstance).map(ended -> ((RunEnded) ended).termination());
        put(
                values,
                "reasonCode",
                pause.map(why -> why.reason().wire()).or(() -> ending.flatMap(Termination::reasonCode)));
        put(values, "message", pause.map(Pause::message));
        put(values, "keyConcern", pause.flatMap(Pause::keyConcern));
        put(values, "anomalyType", pause.flatMap(Pause::anomalyType));
        put(values, "refusedValue", pause.flatMap(Pause::refusedValue));
        put(values, "gaps", pause.map(why -> String.join("\n", why.gaps())));
        put(values, "questions", pause.map(why -> String.join("\n", why.questions())));
        put(
                values,
                "error",
                pause.flatMap(Pause::errorContext)
                        .or(() -> ending.flatMap(Termination::errorContext))
                        .map(ErrorContext::message));
        put(values, "url", url);
        put(values, "advice", ending.flatMap(Termination::advice));
        return values;
    }

    private static Optional<Pause> pause(RunEvent event) {
        if (event instanceof RunPausing pausing) {
            return Optional.of(pausing.pause());
        }
        return event instanceof RunPaused paused ? Optional.of(paused.pause()) : Optional.empty();
    }

    private static void put(Map<String, String> values, String name, Optional<String> text) {
        values.put(name, plain(text.orElse("")));
    }

    /** Makes a text valid as an argument and environment variable: without NUL characters and of limited length. */
    private static String plain(String text) {
        String bounded = text.length() > LONGEST_VALUE ? text.substring(0, LONGEST_VALUE - 1) + "…" : text;
        return bounded.replace("\0", "");
    }
}
