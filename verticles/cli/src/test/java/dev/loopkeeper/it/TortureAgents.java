package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.assertj.core.api.SoftAssertions;

/** Manifests over all kinds of phases, and agents that keep a diary of their own outside of the data folder. */
final class TortureAgents {
    private static final String SCRIPT = """
            #!/bin/sh
            echo "start $LOOPKEEPER_RUN_ID $LOOPKEEPER_STEP_ID $$" >>diary
            sleep "$2"
            say() { echo "$1" >"$LOOPKEEPER_SIGNAL_FILE"; }
            code=$3
            case $1 in
                work) say '{"determination": "PROGRESS", "keyConcern": "'"$LOOPKEEPER_STEP_ID"'"}' ;;
                judge)
                    word=PROGRESS
                    [ "$LOOPKEEPER_ITERATION" -ge 3 ] && word=SUCCESS
                    say '{"determination": "'$word'", "keyConcern": "'"$LOOPKEEPER_STEP_ID"'"}'
                    ;;
                busy)
                    say '{"verdict": "approved"}'
                    if mkdir "busy.$LOOPKEEPER_RUN_ID" 2>/dev/null; then
                        code=1
                        say '{"status": "blocked", "error":
                            {"message": "overloaded", "category": "provider", "kind": "overloaded", "isTransient": true}}'
                    fi
                    ;;
            esac
            echo "end $LOOPKEEPER_RUN_ID $LOOPKEEPER_STEP_ID $code" >>diary
            exit "$code"
            """;

    private static final List<String> PAUSES = List.of("0", "0.05", "0.2", "1");
    private static final List<String> PHASES = List.of(
            "{\"name\": \"ask\", \"task\": \"busy\"}",
            "{\"name\": \"build\", \"loop\": {\"steps\": [\"dev\", \"judge\"], \"maxIterations\": 6, \"noProgress\": 0}}",
            "{\"name\": \"parts\", \"each\": {\"items\": [{\"id\": \"a\"}, {\"id\": \"b\"},"
                    + " {\"id\": \"c\", \"dependsOn\": [\"a\"]}], \"steps\": [\"make\", \"check\"], \"concurrency\": 2}}",
            "{\"name\": \"note\", \"task\": \"note\", \"critical\": false}");

    private final Path workspace;
    private final Random random;

    TortureAgents(Path workspace, Random random) throws IOException {
        this.workspace = workspace;
        this.random = random;
        Path script = workspace.resolve("agent.sh");
        Files.writeString(script, SCRIPT);
        assertThat(script.toFile().setExecutable(true)).isTrue();
    }

    ObjectNode submission() throws IOException {
        ObjectNode manifest = Json.MAPPER.createObjectNode().put("name", "torture");
        ObjectNode agents = manifest.putObject("agents");
        agent(agents, "busy", "busy", 0, true);
        agent(agents, "dev", "work", 7, true);
        agent(agents, "judge", "judge", 0, true);
        agent(agents, "make", "exit", 0, false);
        agent(agents, "check", "exit", 0, false);
        agent(agents, "note", "exit", 5, false);
        agent(agents, "gate", "exit", 0, false);
        List<String> phases = new ArrayList<>(PHASES);
        Collections.shuffle(phases, random);
        ArrayNode list = manifest.putArray("phases");
        for (String phase : phases) {
            list.add(Json.MAPPER.readTree(phase));
        }
        list.add(Json.MAPPER.readTree("{\"name\": \"test\", \"gate\": \"gate\"}"));
        manifest.putObject("retry").putObject("backoff").put("initial", "300ms").put("jitter", 0);
        ObjectNode body = Json.MAPPER.createObjectNode().put("workspace", workspace.toString());
        body.set("manifest", manifest);
        return body;
    }

    private void agent(ObjectNode agents, String name, String kind, int exitCode, boolean signals) {
        ObjectNode agent = agents.putObject(name);
        agent.putArray("command")
                .add(workspace.resolve("agent.sh").toString())
                .add(kind)
                .add(PAUSES.get(random.nextInt(PAUSES.size())))
                .add(String.valueOf(exitCode));
        if (signals) {
            agent.put("signal", "signals/" + Long.toHexString(random.nextLong()) + ".json");
        }
    }

    /** What the agents know of their steps: {@code run/step} to pid, and to exit code. */
    record AgentRecords(Map<String, Long> pids, Map<String, Integer> exitCodes) {}

    /** Notes every step that was launched twice. */
    AgentRecords diary(SoftAssertions softly) throws IOException {
        AgentRecords diary = new AgentRecords(new HashMap<>(), new HashMap<>());
        for (String line : Files.readAllLines(workspace.resolve("diary"))) {
            String[] words = line.split(" ", -1);
            String step = words[1] + "/" + words[2];
            if (words[0].equals("end")) {
                diary.exitCodes().put(step, Integer.valueOf(words[3]));
            } else {
                softly.assertThat(diary.pids().put(step, Long.valueOf(words[3])))
                        .as("second launch of " + step)
                        .isNull();
            }
        }
        return diary;
    }
}
