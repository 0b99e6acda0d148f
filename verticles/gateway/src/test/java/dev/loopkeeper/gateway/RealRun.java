package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.checkpoint.EventJson;
import dev.loopkeeper.checkpoint.RunView;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.gateway.feed.FeedListener;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.read.ManifestReader;
import dev.loopkeeper.manifest.read.ManifestReading;
import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.rules.RunMachine;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.RunCreated;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoredEvent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/** A run as the machine decides it, whose one step continues spending; remembers the run after each append. */
public final class RealRun {
    private static final String MANIFEST = "{\"name\": \"one\", \"agents\": {\"a\": {\"command\": \"true\"}},"
            + " \"phases\": [{\"name\": \"only\", \"task\": \"a\"}]}";

    final String runId;
    public final Map<Long, JsonNode> views = new ConcurrentHashMap<>();
    private RunState state;
    private long cents;

    public RealRun(String runId) {
        this.runId = runId;
    }

    /** As it is after the last append. */
    public RunState state() {
        return state;
    }

    /** The next append; the first creates the run and opens its step. */
    public AppendEvents next() {
        if (state == null) {
            return create();
        }
        long before = state.sequence();
        cents++;
        Usage usage = new Usage(
                OptionalDouble.of(cents / 4.0), OptionalLong.of(cents), OptionalLong.of(cents), OptionalLong.of(1));
        String stepId = state.steps().keySet().iterator().next();
        Decision decision = RunMachine.decide(state, new RunInput.UsageSeen(TestRuns.NOW, stepId, usage));
        return append(before, decision.events(), decision.state());
    }

    private AppendEvents create() {
        try {
            JsonNode document = Json.MAPPER.readTree(MANIFEST);
            var manifest = ((ManifestReading.Valid) ManifestReader.read(document)).manifest();
            RunCreated created = new RunCreated(
                    runId,
                    "one",
                    "nonce",
                    "/",
                    "/",
                    true,
                    document,
                    manifest,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
            Decision first = RunMachine.create(created, TestRuns.NOW);
            Decision started = RunMachine.decide(first.state(), new RunInput.Start(TestRuns.NOW));
            List<RunEvent> events = new ArrayList<>(first.events());
            events.addAll(started.events());
            return append(0, events, started.state());
        } catch (IOException broken) {
            throw new AssertionError(broken);
        }
    }

    private AppendEvents append(long before, List<RunEvent> events, RunState after) {
        state = after;
        List<StoredEvent> stored = new ArrayList<>();
        for (RunEvent event : events) {
            long sequence = before + stored.size() + 1;
            stored.add(new StoredEvent(runId, sequence, TestRuns.NOW, EventTypes.of(event), 1, EventJson.write(event)));
        }
        JsonNode view = FeedListener.parse(ViewJson.write(RunView.of(after)).toString());
        views.put(after.sequence(), view);
        RunRow row = new RunRow(runId, "one", after.status().wire(), TestRuns.NOW, view);
        return new AppendEvents(runId, before, 1, stored, row, Optional.empty(), Optional.empty());
    }
}
