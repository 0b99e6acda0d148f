package dev.loopkeeper.cli.print;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The stream of facts, in UTF-8 for every locale. Unlike {@link PrintStream} it keeps the reason why printed data was
 * lost.
 */
public final class FactStream extends PrintStream {
    private static final int BUFFER = 64 * 1024;

    private final Target target;

    /** @param pipe whether another process reads the stream; that process may close it when it has read enough */
    public FactStream(OutputStream target, boolean pipe) {
        this(new Target(target, pipe));
    }

    private FactStream(Target target) {
        super(new BufferedOutputStream(target, BUFFER), true, StandardCharsets.UTF_8);
        this.target = target;
    }

    /** Returns the stream of facts of this process. */
    static FactStream system() {
        return new FactStream(new FileOutputStream(FileDescriptor.out), isPipe(Path.of("/proc/self/fd/1")));
    }

    private static boolean isPipe(Path descriptor) {
        try {
            String target = Files.readSymbolicLink(descriptor).toString();
            return target.startsWith("pipe:") || target.startsWith("socket:");
        } catch (IOException | UnsupportedOperationException unknown) {
            return false;
        }
    }

    /** Returns why not all that was printed was written. Empty also if the reader closed the pipe. */
    Optional<String> loss() {
        flush();
        return Optional.ofNullable(target.failure).map(IOException::getMessage);
    }

    /** Keeps the first failure. */
    private static final class Target extends OutputStream {
        private final OutputStream descriptor;
        private final boolean pipe;
        private volatile IOException failure;

        Target(OutputStream descriptor, boolean pipe) {
            this.descriptor = descriptor;
            this.pipe = pipe;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            try {
                descriptor.write(bytes, from, length);
            } catch (IOException lost) {
                if (!pipe && failure == null) {
                    failure = lost;
                }
                throw lost;
            }
        }
    }
}
