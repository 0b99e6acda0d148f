package dev.loopkeeper.workspace;

import dev.loopkeeper.data.AtomicFile;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hashes of files as they were read before, kept in a file between two looks: what git's index is to git. It only
 * saves reading; one that is lost, torn or of another version is as good as an empty one. Used by one thread.
 */
final class KnownHashes {
    private static final Logger LOG = LoggerFactory.getLogger(KnownHashes.class);
    private static final int VERSION = 0x4c4b0001;
    private static final int HASH_BYTES = 32;
    private static final int BUFFER_BYTES = 1 << 16;

    /** What was read of one file; its hash is not to be changed. */
    private static final class Known {
        private final FileFacts facts;
        private final byte[] hash;

        Known(FileFacts facts, byte[] hash) {
            this.facts = facts;
            this.hash = hash;
        }

        FileFacts facts() {
            return facts;
        }

        byte[] hash() {
            return hash;
        }
    }

    private final Path file;
    private final Map<String, Known> before;
    private final Map<String, Known> now = new HashMap<>();
    private boolean changed;

    private KnownHashes(Path file, Map<String, Known> before) {
        this.file = file;
        this.before = before;
    }

    static KnownHashes in(Path file) {
        try {
            return new KnownHashes(file, read(file));
        } catch (NoSuchFileException none) {
            return new KnownHashes(file, Map.of());
        } catch (IOException useless) {
            LOG.debug("{} is made anew: {}", file, useless.toString());
            return new KnownHashes(file, Map.of());
        }
    }

    /** The hash of this file, if it was read when it was the same; known the next time as well. */
    Optional<byte[]> find(String name, FileFacts facts) {
        Known known = before.get(name);
        if (known == null || !known.facts().equals(facts)) {
            return Optional.empty();
        }
        now.put(name, known);
        return Optional.of(known.hash());
    }

    void put(String name, FileFacts facts, byte[] hash) {
        now.put(name, new Known(facts, hash));
        changed = true;
    }

    /** What was neither found nor put since it was read is forgotten. */
    void save() {
        if (!changed && now.size() == before.size()) {
            return;
        }
        try {
            AtomicFile.replace(file, this::write);
        } catch (IOException refused) {
            LOG.debug("{} cannot be written, so the next look reads more: {}", file, refused.toString());
        }
    }

    private void write(OutputStream to) throws IOException {
        CRC32C sum = new CRC32C();
        try (CheckedOutputStream checked = new CheckedOutputStream(to, sum);
                DataOutputStream out = new DataOutputStream(new BufferedOutputStream(checked, BUFFER_BYTES))) {
            out.writeInt(VERSION);
            out.writeInt(now.size());
            for (Map.Entry<String, Known> entry : now.entrySet()) {
                byte[] name = entry.getKey().getBytes(StandardCharsets.UTF_8);
                out.writeInt(name.length);
                out.write(name);
                entry.getValue().facts().writeTo(out);
                out.write(entry.getValue().hash());
            }
            out.flush();
            out.writeLong(sum.getValue());
        }
    }

    private static Map<String, Known> read(Path file) throws IOException {
        byte[] content = Files.readAllBytes(file);
        int end = content.length - Long.BYTES;
        ByteBuffer in = ByteBuffer.wrap(content);
        if (end < 2 * Integer.BYTES || in.getInt() != VERSION) {
            throw new IOException("of another version");
        }
        CRC32C sum = new CRC32C();
        sum.update(content, 0, end);
        if (in.getLong(end) != sum.getValue()) {
            throw new IOException("its checksum is wrong");
        }
        int size = in.getInt();
        Map<String, Known> known = new HashMap<>(2 * size);
        for (int entry = 0; entry < size; entry++) {
            byte[] name = new byte[in.getInt()];
            in.get(name);
            FileFacts facts = FileFacts.readFrom(in);
            byte[] hash = new byte[HASH_BYTES];
            in.get(hash);
            known.put(new String(name, StandardCharsets.UTF_8), new Known(facts, hash));
        }
        return known;
    }
}
