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

/** The stream of facts, in UTF-8 whatever the locale. Unlike others of its kind it knows why what was printed is lost. */
public final class FactStream extends PrintStream {
    private static final int BUFFER = 64 * 1024;

    private final Target target;

    /** @param pipe whether somebody else reads it, who may leave when there was enough */
    public FactStream(OutputStream target, boolean pipe) {
        this(new Target(target, pipe));
    }

    private FactStream(Target target) {
        super(new BufferedOutputStream(target, BUFFER), true, StandardCharsets.UTF_8);
        this.target = target;
    }

    /** That of this process. */
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

    /** Why not all that was printed has arrived; empty also where a reader has left, who had enough. */
    Optional<String> loss() {
        flush();
        return Optional.ofNullable(target.failure).map(IOException::getMessage);
    }

    /** Remembers the first failure. */
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
