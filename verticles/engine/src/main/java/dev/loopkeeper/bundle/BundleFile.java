package dev.loopkeeper.bundle;

import dev.loopkeeper.data.AtomicFile;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.zip.ZipException;

/**
 * Writes and reads bundles as files; an incomplete file is never visible. Blocks; fails with {@link BundleException}.
 */
public final class BundleFile {
    private BundleFile() {}

    /** Writes a draft and returns its manifest. */
    interface Filling {
        BundleManifest fill(Path draft) throws IOException;
    }

    /**
     * Stores a bundle of this run that another process sends.
     *
     * @param content cut off with a failure where it is longer than a bundle may be
     */
    public static BundleManifest receive(Path file, String runId, AtomicFile.Content content) {
        return write(file, draft -> {
            try (OutputStream out = new LimitedStream(Files.newOutputStream(draft))) {
                content.writeTo(out);
            }
            try (BundleReader reader = new BundleReader(draft, BundleLimits.UNREAD)) {
                reader.verify();
                if (!reader.manifest().runId().equals(runId)) {
                    throw new BundleException(
                            "the bundle is of run " + reader.manifest().runId());
                }
                return reader.manifest();
            } catch (BundleException | ZipException other) {
                String message = "the received file is not a bundle of run " + runId + ": " + other.getMessage();
                throw new BundleException(message, other);
            }
        });
    }

    static BundleManifest write(Path file, Filling filling) {
        try {
            return publish(file.toAbsolutePath(), filling);
        } catch (IOException | UncheckedIOException refused) {
            throw new BundleException(file + " cannot be written: " + refused.getMessage(), refused);
        }
    }

    private static BundleManifest publish(Path file, Filling filling) throws IOException {
        if (Files.exists(file)) {
            throw new BundleException(file + " exists already; name another file");
        }
        if (!Files.isDirectory(file.getParent())) {
            throw new BundleException("there is no folder " + file.getParent() + "; create the folder first");
        }
        var ownerOnly = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        Path draft = Files.createTempFile(file.getParent(), ".loopkeeper-export", ".zip", ownerOnly);
        // Also removed if the process ends during the export.
        draft.toFile().deleteOnExit();
        try {
            BundleManifest manifest = filling.fill(draft);
            AtomicFile.publish(draft, file);
            return manifest;
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    /** Takes no more than a bundle may be long. */
    private static final class LimitedStream extends FilterOutputStream {
        private long left = BundleLimits.UNREAD.totalBytes();

        LimitedStream(OutputStream out) {
            super(out);
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] values, int offset, int length) throws IOException {
            left -= length;
            if (left < 0) {
                throw new BundleException("the received file is larger than the limit of a bundle");
            }
            out.write(values, offset, length);
        }
    }
}
