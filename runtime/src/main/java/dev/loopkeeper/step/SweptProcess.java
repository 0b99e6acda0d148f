package dev.loopkeeper.step;

/**
 * A process that a step left behind and that was ended.
 *
 * @param command its words, cut to a readable length
 * @param foundBy {@code session}, {@code group}, {@code descendant}, {@code nonce}, {@code cgroup} or {@code namespace}
 */
public record SweptProcess(long pid, String command, String foundBy) {
    /** E.g. {@code 4711 sleep 300 (nonce)}. */
    public String text() {
        return pid + " " + command + " (" + foundBy + ")";
    }
}
