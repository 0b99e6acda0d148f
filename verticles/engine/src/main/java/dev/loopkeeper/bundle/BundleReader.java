package dev.loopkeeper.bundle;

import dev.loopkeeper.data.AtomicFile;
import dev.loopkeeper.data.LockedFiles;
import dev.loopkeeper.data.OwnerOnly;
import dev.loopkeeper.step.Sha256;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Reads a bundle that anybody may have made: only what its manifest lists, within limits. Blocks. */
final class BundleReader implements AutoCloseable {
    private static final int CHUNK = 1 << 16;

    private final ZipFile zip;
    private final BundleLimits limits;
    private final BundleManifest manifest;
    private final Map<String, BundleManifest.Entry> listed = new HashMap<>();

    /** Fails with {@link BundleException} unless the list of entries is sound; their content is checked when read. */
    BundleReader(Path file, BundleLimits limits) throws IOException {
        LockedFiles.refuse(file);
        this.zip = new ZipFile(file.toFile(), StandardCharsets.UTF_8);
        this.limits = limits;
        try {
            this.manifest = BundleManifest.read(manifestBytes());
            checkEntries();
        } catch (IOException | RuntimeException refused) {
            zip.close();
            throw refused;
        }
    }

    BundleManifest manifest() {
        return manifest;
    }

    private byte[] manifestBytes() throws IOException {
        ZipEntry entry = zip.getEntry(BundleManifest.NAME);
        if (entry == null) {
            throw new BundleException("the bundle has no manifest");
        }
        try (InputStream content = zip.getInputStream(entry)) {
            int most = Math.min(limits.factBytes(), BundleLimits.DEFAULTS.factBytes());
            byte[] bytes = content.readNBytes(most + 1);
            if (bytes.length > most) {
                throw new BundleException("the manifest of the bundle is too long");
            }
            return bytes;
        }
    }

    private void checkEntries() {
        if (manifest.entries().size() > limits.entries()) {
            throw new BundleException("the bundle has more than " + limits.entries() + " entries");
        }
        long bytes = 0;
        for (BundleManifest.Entry entry : manifest.entries()) {
            boolean fact = BundlePaths.relative(entry.path()).isEmpty();
            boolean fits = entry.bytes() >= 0 && entry.bytes() <= (fact ? limits.factBytes() : limits.totalBytes());
            bytes += fits ? entry.bytes() : 0;
            if (fact && !fits) {
                throw new BundleException(entry.path() + " in the bundle is larger than the limit of "
                        + limits.factBytes() + " bytes; a larger heap raises the limit: LOOPKEEPER_JAVA_OPTS=-Xmx4g");
            }
            if (!fits || bytes > limits.totalBytes()) {
                throw new BundleException("the bundle exceeds the size limit at " + entry.path());
            }
            if (listed.put(entry.path(), entry) != null) {
                throw new BundleException("the manifest of the bundle lists " + entry.path() + " twice");
            }
        }
        long others = Collections.list(zip.entries()).stream()
                .map(ZipEntry::getName)
                .filter(name -> !name.equals(BundleManifest.NAME))
                .filter(name -> listed.containsKey(name))
                .distinct()
                .count();
        if (others != listed.size() || zip.size() != listed.size() + 1) {
            throw new BundleException("the entries of the bundle differ from the list in its manifest");
        }
    }

    /** The content of an entry with facts; empty when the bundle has none. */
    Optional<String> fact(String name) throws IOException {
        if (!listed.containsKey(name)) {
            return Optional.empty();
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        copy(listed.get(name), bytes);
        return Optional.of(bytes.toString(StandardCharsets.UTF_8));
    }

    /** Reads all of it; fails where an entry is not what the manifest says. */
    void verify() throws IOException {
        for (BundleManifest.Entry entry : manifest.entries()) {
            copy(entry, OutputStream.nullOutputStream());
        }
    }

    /** Writes the files of the run's folder into this one, durably. */
    void unpack(Path folder) throws IOException {
        for (BundleManifest.Entry entry : manifest.entries()) {
            Optional<String> relative = BundlePaths.relative(entry.path());
            if (relative.isPresent()) {
                Path file = folder.resolve(relative.get());
                Files.createDirectories(file.getParent());
                try (OutputStream out = Channels.newOutputStream(
                        OwnerOnly.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))) {
                    copy(entry, out);
                }
                AtomicFile.syncFile(file);
            }
        }
    }

    private void copy(BundleManifest.Entry entry, OutputStream out) throws IOException {
        MessageDigest digest = Sha256.digest();
        byte[] chunk = new byte[CHUNK];
        long bytes = 0;
        try (InputStream content = zip.getInputStream(zip.getEntry(entry.path()))) {
            for (int read = content.read(chunk); read >= 0; read = content.read(chunk)) {
                bytes += read;
                if (bytes > entry.bytes()) {
                    break;
                }
                digest.update(chunk, 0, read);
                out.write(chunk, 0, read);
            }
        }
        String sum = HexFormat.of().formatHex(digest.digest());
        if (bytes != entry.bytes() || !sum.equals(entry.sha256())) {
            throw new BundleException("the entry " + entry.path() + " is damaged");
        }
    }

    @Override
    public void close() throws IOException {
        zip.close();
    }
}
