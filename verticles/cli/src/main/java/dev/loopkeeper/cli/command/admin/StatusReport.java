package dev.loopkeeper.cli.command.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.command.admin.Samples.Sample;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.json.WireName;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.step.Amounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Converts a server's metrics to facts, and these to lines for people. Unknown values are null in facts and a dash in
 * lines.
 */
record StatusReport(Samples samples) {
    private static final List<String> UNITS = List.of("B", "KiB", "MiB", "GiB", "TiB", "PiB");
    private static final double UNIT = 1024;
    private static final long MILLIS = 1000;

    void addTo(ObjectNode facts) {
        runs(facts.putObject("runs"));
        paused(facts.putArray("paused"));
        put(facts.putObject("queue"), "length", "loopkeeper_queue_length");
        put((ObjectNode) facts.path("queue"), "oldestSeconds", "loopkeeper_queue_oldest_seconds");
        ObjectNode disk = facts.putObject("disk");
        put(disk, "freeBytes", "loopkeeper_disk_free_bytes");
        put(disk, "sizeBytes", "loopkeeper_disk_size_bytes");
        put(disk, "storeBytes", "loopkeeper_store_bytes");
        ObjectNode since = facts.putObject("sinceStart");
        put(since, "stepsStarted", "loopkeeper_steps_started_total");
        put(since, "stepsAdopted", "loopkeeper_steps_adopted_total");
        put(since, "stepRetries", "loopkeeper_step_retries_total");
        put(since, "sweptProcesses", "loopkeeper_swept_processes_total");
        put(since, "sweepSurvivors", "loopkeeper_sweep_survivors_total");
        appends(since);
        agents(since.putArray("agents"));
    }

    private void runs(ObjectNode runs) {
        List<Sample> open = samples.of("loopkeeper_runs");
        WireName.all(RunStatus.class)
                .forEach(status -> open.stream()
                        .filter(sample -> sample.label("status").equals(status))
                        .forEach(sample -> runs.put(status, (long) sample.value())));
    }

    private void paused(ArrayNode paused) {
        for (Sample count : samples.of("loopkeeper_paused_runs")) {
            String reason = count.label("reason");
            if (count.value() > 0) {
                ObjectNode one = paused.addObject().put("reason", reason).put("count", (long) count.value());
                samples.of("loopkeeper_paused_oldest_seconds").stream()
                        .filter(oldest -> oldest.label("reason").equals(reason))
                        .forEach(oldest -> one.put("oldestSeconds", (long) oldest.value()));
            }
        }
    }

    private void appends(ObjectNode since) {
        OptionalDouble sum = samples.sum("loopkeeper_append_seconds_sum");
        OptionalDouble count = samples.sum("loopkeeper_append_seconds_count");
        boolean known = sum.isPresent() && count.isPresent() && count.getAsDouble() > 0;
        since.put("appendMillis", known ? MILLIS * sum.getAsDouble() / count.getAsDouble() : null);
    }

    private void agents(ArrayNode agents) {
        for (Sample unreported : samples.of("loopkeeper_agent_steps_without_cost_total")) {
            String agent = unreported.label("agent");
            Optional<Sample> cost = samples.of("loopkeeper_agent_cost_usd_total").stream()
                    .filter(reported -> reported.label("agent").equals(agent))
                    .findFirst();
            ObjectNode one = agents.addObject()
                    .put("agent", agent)
                    .put("costUsd", cost.map(Sample::value).orElse(null))
                    .put("costKnown", cost.isPresent() && unreported.value() == 0);
            samples.of("loopkeeper_agent_tokens_total").stream()
                    .filter(tokens -> tokens.label("agent").equals(agent))
                    .forEach(tokens -> one.put(tokens.label("kind") + "Tokens", (long) tokens.value()));
        }
    }

    private void put(ObjectNode into, String name, String metric) {
        OptionalDouble value = samples.sum(metric);
        into.put(name, value.isPresent() ? (Long) (long) value.getAsDouble() : null);
    }

    static List<String> lines(JsonNode facts) {
        List<String> lines = new ArrayList<>();
        String state = facts.path("ready").asBoolean()
                ? "ready"
                : "accepts no work: " + Words.oneLine(facts.path("problem").asText());
        lines.add("server  " + facts.path("url").asText() + ", version "
                + Words.oneLine(facts.path("version").asText()) + ", " + state);
        lines.add("runs    " + joined(facts.path("runs")));
        for (JsonNode pause : facts.path("paused")) {
            lines.add("paused  " + pause.path("count").asLong() + " "
                    + Words.oneLine(pause.path("reason").asText()) + ", the first for "
                    + age(pause.path("oldestSeconds")));
        }
        if (facts.path("queue").path("length").asLong() > 0) {
            lines.add("queue   " + facts.path("queue").path("length").asLong() + ", the first for "
                    + age(facts.path("queue").path("oldestSeconds")));
        }
        JsonNode disk = facts.path("disk");
        lines.add("disk    " + bytes(disk.path("freeBytes")) + " of " + bytes(disk.path("sizeBytes")) + " free"
                + (disk.path("storeBytes").isNumber() ? ", event store " + bytes(disk.path("storeBytes")) : ""));
        lines.addAll(sinceStart(facts.path("sinceStart")));
        return lines;
    }

    private static List<String> sinceStart(JsonNode since) {
        List<String> lines = new ArrayList<>();
        JsonNode append = since.path("appendMillis");
        lines.add("steps   " + number(since.path("stepsStarted")) + " started, "
                + number(since.path("stepsAdopted")) + " adopted, "
                + counted(since.path("stepRetries"), "retry", "retries") + ", "
                + counted(since.path("sweptProcesses"), "process", "processes") + " swept, "
                + number(since.path("sweepSurvivors")) + " could not be killed, since the server started");
        lines.add("store   "
                + (append.isNumber() ? String.format(Locale.ROOT, "%.1f ms", append.asDouble()) : "-")
                + " for an append, on average");
        for (JsonNode agent : since.path("agents")) {
            lines.add(String.format(
                    Locale.ROOT,
                    "agent   %s: %s, %s input and %s output tokens",
                    Words.oneLine(agent.path("agent").asText()),
                    cost(agent),
                    number(agent.path("inputTokens")),
                    number(agent.path("outputTokens"))));
        }
        return lines;
    }

    private static String cost(JsonNode agent) {
        if (!agent.path("costUsd").isNumber()) {
            return "unknown cost";
        }
        String least = agent.path("costKnown").asBoolean() ? "" : " or more";
        return Amounts.dollars(agent.path("costUsd").asDouble()) + least;
    }

    private static String joined(JsonNode runs) {
        if (!runs.isEmpty()
                && runs.properties().stream().allMatch(each -> each.getValue().isNull())) {
            return "-";
        }
        List<String> parts = new ArrayList<>();
        runs.properties().stream()
                .filter(each -> each.getValue().asLong() > 0)
                .forEach(each -> parts.add(each.getValue().asLong() + " " + each.getKey()));
        return parts.isEmpty() ? "none open" : String.join(", ", parts);
    }

    private static String age(JsonNode seconds) {
        return seconds.isNumber() ? Words.duration(seconds.asLong() * MILLIS) : "-";
    }

    private static String counted(JsonNode number, String one, String more) {
        return number.isNumber() ? Amounts.count(number.asLong(), one, more) : "- " + more;
    }

    private static String number(JsonNode number) {
        return number.isNumber() ? "" + number.asLong() : "-";
    }

    private static String bytes(JsonNode bytes) {
        if (!bytes.isNumber()) {
            return "-";
        }
        double left = bytes.asDouble();
        int unit = 0;
        while (left >= UNIT && unit < UNITS.size() - 1) {
            left /= UNIT;
            unit++;
        }
        return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", left, UNITS.get(unit));
    }
}
