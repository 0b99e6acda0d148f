package dev.loopkeeper.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.step.ProtectedFiles.State;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProtectedFilesTest {
    @ParameterizedTest
    @CsvSource({
        "tests/**, tests/a.txt, true",
        "tests/**, tests/deep/a.txt, true",
        "tests/**, tests, true",
        "tests, tests/deep/a.txt, true",
        "tests/, tests/a.txt, true",
        "tests/**, src/tests/a.txt, false",
        "tests/**, tests2/a.txt, false",
        "**/tests/**, src/tests/a.txt, true",
        "**/tests, tests/a.txt, true",
        "**/*.snap, a.snap, true",
        "**/*.snap, x/y/a.snap, true",
        "*.snap, a.snap, true",
        "*.snap, x/a.snap, false",
        "*.snap, a.snap.d/b, false",
        "src/*/tests, src/a/tests/x/y, true",
        "src/*/tests, src/a/b/tests/x, false",
        "a?.txt, ab.txt, true",
        "app/[id]/page.tsx, app/[id]/page.tsx, true",
        "app/[id]/page.tsx, app/i/page.tsx, false",
        "package.json, package.json, true",
        "package.json, web/package.json, false",
        "**, any/thing, true",
    })
    void aGlobCoversWhatItFitsAndWhatLiesBelow(String glob, String name, boolean covers) {
        assertThat(new ProtectedFiles(List.of("none", glob)).cover(name)).isEqualTo(covers);
    }

    /** States by name: facts, then a slash and the content, each of which may be unknown. */
    @ParameterizedTest
    @CsvSource({
        "a=1/x, a=1/x, '', ''",
        "a=1/x, a=2/x, '', ''", // written again
        "a=1/, a=1/, '', ''", // not read
        "a=1/, a=2/, '', a",
        "a=1/x, a=2/y, '', a",
        "a=/x, a=/y, '', a",
        "a=/x, a=/x, '', ''",
        "a=1/x, '', '', a",
        "'', a=1/x, '', a",
        "a=1/x, b=1/x, '', a b", // renamed
        "a=1/y, a=2/x, a=0/x, ''", // restored
        "a=1/y, a=2/z, a=0/x, a",
        "a=1/y, '', a=/absent, ''",
    })
    void aFileWhoseStateIsAnotherWasChanged(String before, String after, String restorable, String changed) {
        assertThat(String.join(" ", ProtectedFiles.changed(states(before), states(after), states(restorable))))
                .isEqualTo(changed);
    }

    private static Map<String, State> states(String text) {
        Map<String, State> states = new TreeMap<>();
        for (String state : text.split(" ")) {
            if (!state.isEmpty()) {
                String[] parts = state.split("[=/]", 3);
                states.put(parts[0], new State(parts[1], parts[2]));
            }
        }
        return states;
    }

    @Test
    void anUnknownStateIsAChange() {
        assertThat(new State("", "").isSame(new State("", ""))).isFalse();
    }
}
