package dev.loopkeeper.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WireNameTest {
    private enum Colour implements WireName {
        DEEP_RED("deep-red"),
        BLUE("blue");

        private final String wire;

        Colour(String wire) {
            this.wire = wire;
        }

        @Override
        public String wire() {
            return wire;
        }
    }

    @Test
    void isTheSpellingInJson() throws Exception {
        assertThat(Json.MAPPER.writeValueAsString(Colour.DEEP_RED)).isEqualTo("\"deep-red\"");
        assertThat(Json.MAPPER.readValue("\"blue\"", Colour.class)).isEqualTo(Colour.BLUE);
    }

    @Test
    void isFoundByItsExactSpellingOnly() {
        assertThat(WireName.find(Colour.class, "deep-red")).contains(Colour.DEEP_RED);
        assertThat(WireName.find(Colour.class, "DEEP_RED")).isEmpty();
        assertThat(WireName.find(Colour.class, "Blue")).isEmpty();
    }

    @Test
    void allAreListedInTheirOrder() {
        assertThat(WireName.all(Colour.class)).containsExactly("deep-red", "blue");
    }
}
