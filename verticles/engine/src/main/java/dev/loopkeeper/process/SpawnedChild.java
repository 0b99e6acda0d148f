package dev.loopkeeper.process;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A child of this process that {@link ChildWatch} looks after. Its descriptors belong to the watch. */
final class SpawnedChild implements StartedLauncher {
    static final int NONE = -1;
    private static final int LONGEST_LINE = 4096;

    private final CompletableFuture<String> told = new CompletableFuture<>();
    private final CompletableFuture<Void> gone = new CompletableFuture<>();
    private final ByteArrayOutputStream heard = new ByteArrayOutputStream();

    final int pid;
    /** Where it tells its line; {@link #NONE} once that is known. */
    int output;
    /** The other end of its standard input, open until it is gone; or {@link #NONE}. */
    final int input;
    /** Its pidfd; {@link #NONE} while there is none. */
    int handle = NONE;

    SpawnedChild(int pid, int output, int input) {
        this.pid = pid;
        this.output = output;
        this.input = input;
    }

    @Override
    public CompletionStage<String> told() {
        return told;
    }

    @Override
    public CompletionStage<Void> gone() {
        return gone;
    }

    @Override
    public boolean lives() {
        return !gone.isDone();
    }

    /** Takes the next piece of its line; answers whether there may be more. */
    boolean hear(byte[] piece, int length) {
        for (int at = 0; at < length; at++) {
            if (piece[at] == '\n' || heard.size() == LONGEST_LINE) {
                return false;
            }
            heard.write(piece[at]);
        }
        return true;
    }

    void tellLine() {
        told.complete(heard.toString(StandardCharsets.UTF_8));
    }

    void tellGone() {
        tellLine();
        gone.complete(null);
    }
}
