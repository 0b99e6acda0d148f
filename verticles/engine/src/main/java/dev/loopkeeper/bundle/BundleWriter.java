package dev.loopkeeper.bundle;

import dev.loopkeeper.data.FileId;
import dev.loopkeeper.data.LockedFiles;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.step.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Writes the entries of one bundle, the manifest last, since it tells of all others. Blocks. */
final class BundleWriter implements AutoCloseable {
    /** What they hold is on the run's branch, in the repository. */
    private static final Set<String> WORKTREES = Set.of("worktree", "worktrees");

    private final ZipOutputStream zip;
    private final List<BundleManifest.Entry> entries = new ArrayList<>();

    BundleWriter(OutputStream out) {
        this.zip = new ZipOutputStream(out, StandardCharsets.UTF_8);
    }

    void lines(String name, Stream<String> lines) throws IOException {
        add(name, out -> lines.forEach(line -> write(out, line + "\n")));
    }

    void text(String name, String text) throws IOException {
        add(name, out -> write(out, text));
    }

    private static void write(OutputStream out, String text) {
        try {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    /** Every file of the run's folder but its projection, which an import makes anew. Links are left out. */
    void folder(Path folder, Path projection) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        for (Path file : regularFiles(folder)) {
            boolean checkout =
                    WORKTREES.contains(folder.relativize(file).getName(0).toString());
            if (!checkout
                    && !file.equals(projection)
                    && !file.getFileName().toString().startsWith(".")) {
                String relative = folder.relativize(file).toString();
                add(BundlePaths.ofFile(relative), out -> copy(file, out));
            }
        }
    }

    private static List<Path> regularFiles(Path folder) throws IOException {
        Set<FileId> locked = LockedFiles.ids();
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .filter(file -> FileId.of(file).filter(locked::contains).isEmpty())
                    .sorted()
                    .toList();
        }
    }

    private static void copy(Path file, OutputStream out) {
        try (InputStream content = Files.newInputStream(file)) {
            content.transferTo(out);
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    private void add(String name, Content content) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        CountedStream counted = new CountedStream(zip);
        DigestOutputStream digest = new DigestOutputStream(counted, Sha256.digest());
        content.writeTo(digest);
        digest.flush();
        zip.closeEntry();
        String sum = HexFormat.of().formatHex(digest.getMessageDigest().digest());
        entries.add(new BundleManifest.Entry(name, counted.bytes(), sum));
    }

    List<BundleManifest.Entry> entries() {
        return List.copyOf(entries);
    }

    /** Ends the bundle. */
    void finish(BundleManifest manifest) throws IOException {
        zip.putNextEntry(new ZipEntry(BundleManifest.NAME));
        zip.write(Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(manifest));
        zip.closeEntry();
        zip.finish();
    }

    @Override
    public void close() throws IOException {
        zip.close();
    }

    private interface Content {
        void writeTo(OutputStream out);
    }
}
