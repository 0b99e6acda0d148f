package dev.loopkeeper.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** The open background tasks of a Claude Code session, by its system records. Ignores ambient tasks. */
final class BackgroundTasks {
    private static final Set<String> ENDED = Set.of("completed", "failed", "killed", "stopped");
    /** More tasks, and longer ids, are faulty output. */
    private static final int MOST = 1_000;

    private static final int LONGEST_ID = 200;

    private final Set<String> open = new LinkedHashSet<>();

    void system(ObjectNode event) {
        switch (event.path("subtype").asText("")) {
            case "background_tasks_changed" -> {
                open.clear();
                event.path("tasks").forEach(this::update);
            }
            case "task_started", "task_notification" -> update(event);
            case "task_updated" ->
                status(event.path("patch")).filter(ENDED::contains).ifPresent(ended -> open.remove(id(event)));
            default -> {
                // Ignores progress, and records without a task.
            }
        }
    }

    Set<String> open() {
        return open;
    }

    private void update(JsonNode task) {
        boolean foreground = !task.path("is_backgrounded").asBoolean(true);
        if (foreground
                || task.path("ambient").asBoolean()
                || status(task).filter(ENDED::contains).isPresent()) {
            open.remove(id(task));
        } else if (open.size() < MOST) {
            open.add(id(task));
        }
    }

    private static Optional<String> status(JsonNode task) {
        return JsonFields.text(task, "status");
    }

    private static String id(JsonNode task) {
        String id = task.path("task_id").asText("");
        return id.substring(0, Math.min(id.length(), LONGEST_ID));
    }
}
