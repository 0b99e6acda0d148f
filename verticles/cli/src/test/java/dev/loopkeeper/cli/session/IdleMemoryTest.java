package dev.loopkeeper.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.cli.session.IdleMemory.Mapping;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdleMemoryTest {
    private static final int BYTES = 1 << 20;

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "r--p, /a folder/x-classes.aot, 2048, Anonymous, 0, true",
        "r--p, /jdk/lib/server/classes.jsa, 2048, Anonymous, 0, true",
        "r-xp, /jdk/lib/server/libjvm.so, 2048, Anonymous, 0, true",
        "r--s, /jdk/lib/modules, 2048, Anonymous, 0, true",
        "rw-p, /jdk/lib/server/classes.jsa, 2048, Anonymous, 0, false",
        "r--p, /data/events.db, 2048, Anonymous, 0, false",
        "r--p, '', 2048, Anonymous, 0, false",
        "r--p, /jdk/lib/server/classes.jsa,  100, Anonymous, 0, false",
        "r--p, /jdk/lib/server/classes.jsa, 2048, Anonymous, 4, false",
        "r--p, /jdk/lib/server/classes.jsa, 2048, Private_Dirty, 4, true",
        "r--p, /jdk/lib/server/classes.jsa, 2048, Swap, 4, false",
        "r--p, /jdk/lib/server/classes.jsa, 2048, Locked, 4, false",
    })
    void onlyWhatIsAsInTheFileIsGivenBack(
            String permissions, String path, int kib, String figure, int kibOfIt, boolean givenBack) {
        List<String> lines = List.of(
                "7f0000000000-7f0000100000 rw-p 00000000 00:00 0 ",
                "Rss:                1024 kB",
                "ffff800000000000-ffff800000200000 " + permissions + " 00001000 fe:0a 27   " + path,
                "Size:               2048 kB",
                "Rss:                " + kib + " kB",
                figure + ":  " + kibOfIt + " kB",
                "VmFlags: rd mr mw me",
                "7f0000300000-7f0000400000 rw-p 00000000 fe:0a 28   /other",
                "Anonymous:          1024 kB");

        Mapping mapping = new Mapping(0xffff800000000000L, 0x200000);
        assertThat(Mapping.unchanged(lines)).isEqualTo(givenBack ? List.of(mapping) : List.of());
    }

    @Test
    void whatIsGivenBackReadsTheSame() throws IOException {
        Path file = folder.resolve("classes.jsa");
        Files.write(file, new byte[BYTES]);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            MappedByteBuffer read = channel.map(MapMode.READ_ONLY, 0, BYTES).load();
            assertThat(residentKib(file)).isEqualTo(BYTES >> 10);

            IdleMemory.giveBack();

            assertThat(residentKib(file)).isZero();
            assertThat(read).isEqualTo(ByteBuffer.allocate(BYTES));
        }
    }

    @Test
    void whatWasChangedInMemoryStays() throws IOException {
        Path file = folder.resolve("classes.jsa");
        Files.write(file, new byte[BYTES]);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer own = channel.map(MapMode.PRIVATE, 0, BYTES);
            own.put(BYTES / 2, (byte) 1);

            IdleMemory.giveBack();

            assertThat(own.get(BYTES / 2)).isEqualTo((byte) 1);
        }
    }

    private static long residentKib(Path file) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/smaps"))) {
            return lines.dropWhile(line -> !line.endsWith(" " + file))
                    .filter(line -> line.startsWith("Rss:"))
                    .findFirst()
                    .map(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .orElseThrow();
        }
    }
}
