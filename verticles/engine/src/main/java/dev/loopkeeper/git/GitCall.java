package dev.loopkeeper.git;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A call of git with its limits. Immutable.
 *
 * @param folder where it works
 * @param words after {@code git}
 * @param input given on its standard input, at most {@value #MOST_INPUT} bytes
 * @param limit after which it is ended
 * @param mostBytes of its output
 * @param apart whether it completes even if this process ends: signals of the terminal do not reach it
 */
public record GitCall(
        Path folder,
        List<String> words,
        String input,
        GitEnvironment environment,
        Duration limit,
        int mostBytes,
        boolean apart) {
    /** The capacity of a pipe, so that no write waits for a git that does not read. */
    public static final int MOST_INPUT = 60_000;

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final int MUCH = 64 << 20;

    public GitCall {
        words = List.copyOf(words);
        if (input.getBytes(StandardCharsets.UTF_8).length > MOST_INPUT) {
            throw new IllegalArgumentException("too much input for git " + words.get(0));
        }
    }

    /** Creates a call without input and hooks, limited to ten minutes. */
    public static GitCall in(Path folder, String... words) {
        return new GitCall(folder, List.of(words), "", GitEnvironment.PLAIN, LONG, MUCH, false);
    }

    /** Returns a copy with this standard input. */
    public GitCall given(String text) {
        return new GitCall(folder, words, text, environment, limit, mostBytes, apart);
    }

    /** Returns a copy with these additional variables. */
    public GitCall with(Map<String, String> more) {
        return with(environment.with(more));
    }

    /** Returns a copy with this setting in place of that of settings files, e.g. {@code branch.main.mergeOptions}. */
    public GitCall set(String key, String value) {
        return with(environment.set(key, value));
    }

    /** Returns a copy with or without the repository's hooks. */
    public GitCall hooks(boolean wanted) {
        return with(environment.hooks(wanted));
    }

    /** Returns whether hooks of the repository run. */
    public boolean hooks() {
        return environment.hooks();
    }

    private GitCall with(GitEnvironment other) {
        return new GitCall(folder, words, input, other, limit, mostBytes, apart);
    }

    /** Ended after this time. */
    public GitCall within(Duration time) {
        return new GitCall(folder, words, input, environment, time, mostBytes, apart);
    }

    /** Ended when it has printed more. */
    public GitCall saying(int bytes) {
        return new GitCall(folder, words, input, environment, limit, bytes, apart);
    }

    /** Returns a copy that runs in its own session, for calls that must complete. */
    public GitCall withOwnSession() {
        return new GitCall(folder, words, input, environment, limit, mostBytes, true);
    }
}
