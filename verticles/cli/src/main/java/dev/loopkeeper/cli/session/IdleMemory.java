package dev.loopkeeper.cli.session;

import com.sun.jna.NativeLong;
import com.sun.jna.Pointer;
import dev.loopkeeper.work.LibC;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives memory back that only the start of a server needed, or a time when it had much to do: pages of files that are
 * mapped to be read, as of the archive of classes and of Java itself, and what the C library has free. Pages that are
 * needed after all are mapped again from the system's cache of files, some microseconds each.
 */
final class IdleMemory {
    private static final Logger LOG = LoggerFactory.getLogger(IdleMemory.class);
    private static final Path MAPPINGS = Path.of("/proc/self/smaps");
    private static final Duration EVERY = Duration.ofSeconds(5);
    /** MADV_NOHUGEPAGE: else the first page that is read may bring two MiB of its neighbours back. */
    private static final int NOT_HUGE = 15;
    /** MADV_DONTNEED: its pages are mapped again when they are read. What is not yet written to the file is lost. */
    private static final int NOT_NEEDED = 4;

    private final Lull lull = new Lull(EVERY);
    private final HeapGrowth growth = new HeapGrowth(Runtime.getRuntime()::totalMemory, System::gc);

    private IdleMemory() {}

    /** Looks as long as this Vert.x lives. */
    static void watch(Vertx vertx) {
        IdleMemory memory = new IdleMemory();
        vertx.setPeriodic(EVERY.toMillis(), due -> memory.look(vertx));
    }

    private void look(Vertx vertx) {
        vertx.executeBlocking(() -> {
                    look();
                    return null;
                })
                .onFailure(flaw -> LOG.debug("no memory given back", flaw));
    }

    private void look() throws IOException {
        boolean begun =
                lull.begins(ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO));
        boolean collected = begun ? growth.lookInLull() : growth.look();
        if (begun || collected) {
            giveBack();
        }
    }

    static void giveBack() throws IOException {
        try {
            long mappings = Mapping.unchanged(Files.readAllLines(MAPPINGS)).stream()
                    .filter(IdleMemory::giveBack)
                    .count();
            boolean free = LibC.get().malloc_trim(new NativeLong(0)) == 1;
            LOG.debug("memory given back of {} mappings{}", mappings, free ? " and of what was free" : "");
        } catch (UnsatisfiedLinkError other) {
            LOG.debug("this C library gives nothing back", other);
        }
    }

    private static boolean giveBack(Mapping mapping) {
        Pointer start = new Pointer(mapping.start());
        NativeLong bytes = new NativeLong(mapping.bytes());
        boolean single = LibC.get().madvise(start, bytes, NOT_HUGE) == 0;
        boolean dropped = LibC.get().madvise(start, bytes, NOT_NEEDED) == 0;
        // The first is refused where the system knows no huge pages, and then not needed.
        LOG.trace("{} bytes at {}: {}, {}", mapping.bytes(), start, single, dropped);
        return dropped;
    }

    /**
     * A part of the memory that is mapped from a file.
     *
     * @param start its address
     * @param bytes its size
     */
    record Mapping(long start, long bytes) {
        /** {@code start-end permissions offset device inode path}, in sixteens but for the inode. */
        private static final Pattern HEAD = Pattern.compile(
                "([0-9a-f]+)-([0-9a-f]+) .-.. [0-9a-f]+ [0-9a-f]+:[0-9a-f]+ \\d+ +/.*/(?:.*\\.(?:jsa|aot)|modules|libjvm\\.so)");

        private static final Pattern FIGURE = Pattern.compile("(\\w+):\\s+(\\d+) kB");
        private static final Pattern OTHER = Pattern.compile("[0-9a-f]+-[0-9a-f]+ .*");
        /** Below that it is not worth a call. */
        private static final long LEAST_KIB = 512;
        /**
         * Pages that are no longer the file's, where they now are, or that are to stay. Not those that are dirty: the
         * system keeps them until they are in the file.
         */
        private static final Set<String> OWN = Set.of("Anonymous", "Swap", "Locked");

        /**
         * Those of Java's own files, which stay mapped while it lives, that cannot be written to and of which no page is
         * other than in the file. Where another file lay there may be memory by now.
         *
         * @param lines those of {@code smaps}, see proc(5)
         */
        static List<Mapping> unchanged(List<String> lines) {
            List<Mapping> found = new ArrayList<>();
            Mapping read = null;
            for (String line : lines) {
                Matcher head = HEAD.matcher(line);
                Matcher figure = FIGURE.matcher(line);
                if (head.matches()) {
                    long start = Long.parseUnsignedLong(head.group(1), 16);
                    read = new Mapping(start, Long.parseUnsignedLong(head.group(2), 16) - start);
                } else if (OTHER.matcher(line).matches()) {
                    read = null;
                } else if (figure.matches() && read != null) {
                    long kib = Long.parseLong(figure.group(2));
                    if (figure.group(1).equals("Rss") && kib >= LEAST_KIB) {
                        found.add(read);
                    } else if (OWN.contains(figure.group(1)) && kib > 0) {
                        found.remove(read);
                    }
                }
            }
            return found;
        }
    }
}
