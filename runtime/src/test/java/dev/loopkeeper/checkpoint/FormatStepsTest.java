package dev.loopkeeper.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.rules.RestingRuns;
import dev.loopkeeper.run.RunState;
import java.util.List;
import org.junit.jupiter.api.Test;

class FormatStepsTest {
    private static final FormatSteps STEPS =
            new FormatSteps("a thing", List.of(thing -> rename(thing, "a", "b"), thing -> rename(thing, "b", "c")));

    private static ObjectNode rename(ObjectNode thing, String from, String to) {
        thing.set(to, thing.remove(from));
        return thing;
    }

    private static ObjectNode thing(int version, String field) {
        return Json.MAPPER.createObjectNode().put("formatVersion", version).put(field, "x");
    }

    @Test
    void eachVersionTakesTheStepsThatItLacks() {
        ObjectNode present = thing(3, "c");

        assertThat(STEPS.current()).isEqualTo(3);
        assertThat(STEPS.upgrade(thing(1, "a"))).isEqualTo(present);
        assertThat(STEPS.upgrade(thing(2, "b"))).isEqualTo(present);
        assertThat(STEPS.upgrade(present)).isEqualTo(present);
    }

    @Test
    void whatIsUpgradedIsACopy() {
        ObjectNode old = thing(1, "a");

        assertThat(STEPS.upgrade(old)).isNotSameAs(old);
        assertThat(old).isEqualTo(thing(1, "a"));
    }

    @Test
    void unknownVersionsAreRefused() {
        for (int version : new int[] {0, -1, 4}) {
            assertThat(catchThrowable(() -> STEPS.upgrade(thing(version, "a"))))
                    .isInstanceOf(CheckpointException.class)
                    .hasMessageContaining("a thing of format " + version);
        }
        assertThat(catchThrowable(() -> STEPS.upgrade(Json.MAPPER.createArrayNode())))
                .isInstanceOf(CheckpointException.class);
    }

    @Test
    void aSnapshotOfAnOlderFormatIsBroughtUpOnTheWayIn() throws Exception {
        RunState state = RestingRuns.states().get("completed");
        ObjectNode present = (ObjectNode) Json.MAPPER.readTree(StateJson.write(state));
        ObjectNode old = rename(present, "state", "run");

        FormatSteps format = new FormatSteps("a snapshot", List.of(snapshot -> rename(snapshot, "run", "state")));

        assertThat(StateJson.read(old.toString(), format)).isEqualTo(state);
    }
}
