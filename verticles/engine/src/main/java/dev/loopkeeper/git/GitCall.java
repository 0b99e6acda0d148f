package dev.loopkeeper.git;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One call of git. Immutable.
 *
 * @param folder where it works
 * @param words after {@code git}
 * @param input given on its standard input, at most {@value #MOST_INPUT} bytes
 * @param variables of its environment beside those that every call has
 * @param hooks whether hooks of the repository run
 * @param limit after which it is ended
 * @param mostBytes of its output
 */
public record GitCall(
        Path folder,
        List<String> words,
        String input,
        Map<String, String> variables,
        boolean hooks,
        Duration limit,
        int mostBytes) {
    /** As much as a pipe holds, so that nobody waits for a git that does not read. */
    public static final int MOST_INPUT = 60_000;

    private static final Duration LONG = Duration.ofMinutes(5);
    private static final int MUCH = 64 << 20;

    public GitCall {
        words = List.copyOf(words);
        variables = Map.copyOf(variables);
        if (input.getBytes(StandardCharsets.UTF_8).length > MOST_INPUT) {
            throw new IllegalArgumentException("too much input for git " + words.get(0));
        }
    }

    /** Without input and hooks, ended after five minutes. */
    public static GitCall in(Path folder, String... words) {
        return new GitCall(folder, List.of(words), "", Map.of(), false, LONG, MUCH);
    }

    /** With this on its standard input. */
    public GitCall given(String text) {
        return new GitCall(folder, words, text, variables, hooks, limit, mostBytes);
    }

    /** With these variables too. */
    public GitCall with(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(variables);
        all.putAll(more);
        return new GitCall(folder, words, input, all, hooks, limit, mostBytes);
    }

    /** With the repository's hooks, or without. */
    public GitCall hooks(boolean wanted) {
        return new GitCall(folder, words, input, variables, wanted, limit, mostBytes);
    }

    /** Ended after this time. */
    public GitCall within(Duration time) {
        return new GitCall(folder, words, input, variables, hooks, time, mostBytes);
    }

    /** Ended when it has said more than this. */
    public GitCall saying(int bytes) {
        return new GitCall(folder, words, input, variables, hooks, limit, bytes);
    }
}
