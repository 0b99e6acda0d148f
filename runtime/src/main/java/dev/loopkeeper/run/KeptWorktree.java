package dev.loopkeeper.run;

/**
 * A worktree that stays although its work is over, since something in it exists nowhere else or is to be kept.
 *
 * @param path of its folder
 * @param reason one line, e.g. {@code app is a repository of its own}
 */
public record KeptWorktree(String path, String reason) {
    String text() {
        return "the worktree " + path + " stays: " + reason;
    }
}
