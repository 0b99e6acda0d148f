package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.ITERABLE;

import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.termination.PauseReason;
import io.vertx.core.json.JsonObject;
import io.vertx.core.json.pointer.JsonPointer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The words that the API's document lists are those of the program. */
class OpenApiWordsTest {
    private static final JsonObject DOCUMENT = Contract.ofProgram().document();

    @Test
    void thePauseReasonsAreThoseOfRuns() {
        Object listed = JsonPointer.from("/components/schemas/Pause/properties/reason/enum")
                .queryJson(DOCUMENT);
        assertThat((Iterable<?>) listed)
                .asInstanceOf(ITERABLE)
                .containsExactlyElementsOf(
                        Stream.of(PauseReason.values()).map(PauseReason::wire).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/feed", "/stream"})
    void theTypesThatAFeedCanBeAskedForAreThoseOfEvents(String path) {
        JsonObject types = DOCUMENT.getJsonObject("paths").stream()
                .filter(entry -> entry.getKey().endsWith(path))
                .map(entry -> (JsonObject) entry.getValue())
                .flatMap(item -> item.getJsonObject("get").getJsonArray("parameters").stream())
                .map(JsonObject.class::cast)
                .filter(parameter -> "types".equals(parameter.getString("name")))
                .findFirst()
                .orElseThrow();
        assertThat(types.getJsonObject("schema").getJsonObject("items").getJsonArray("enum"))
                .asInstanceOf(ITERABLE)
                .containsExactlyInAnyOrderElementsOf(events());
    }

    @Test
    void theTypesOfAnEnvelopeAreThoseOfEvents() {
        String told = (String) JsonPointer.from("/components/schemas/Event/properties/type/description")
                .queryJson(DOCUMENT);
        assertThat(told.replaceFirst("^one of ", "").split(", ")).containsExactlyInAnyOrderElementsOf(events());
    }

    private static List<String> events() {
        return Arrays.stream(RunEvent.class.getPermittedSubclasses())
                .map(type -> EventTypes.of(type.asSubclass(RunEvent.class)))
                .toList();
    }
}
