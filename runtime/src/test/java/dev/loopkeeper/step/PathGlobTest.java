package dev.loopkeeper.step;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathGlobTest {
    @ParameterizedTest
    @CsvSource({
        "tests/, tests, true",
        "tests/**, tests, true",
        "tests/**, tests/a/b, true",
        "tests/**, testsuite, false",
        "tests/**, app/tests, false",
        "**/tests/**, tests, true",
        "**/tests/**, app/tests, true",
        "./.github/**, .github, true",
        "**/*.test.js, a.test.js, true",
        "**/*.test.js, src/a.test.js, true",
        "src/**/x.y, src/x.y, true",
        "src/**/x.y, src/a/b/x.y, true",
        "*.md, docs/a.md, false",
        "a?c, abc, true",
        "a?c, a/c, false",
        "Makefile, Makefile, true",
        "a.b, aXb, false",
    })
    void aGlobStandsForPathsAsGitReadsIt(String glob, String path, boolean fits) {
        assertThat(new PathGlob(glob).fits(path)).isEqualTo(fits);
    }
}
