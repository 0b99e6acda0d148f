package dev.loopkeeper.process.tree;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads and writes the record of a tree, if it has one, and knows what could not be read. */
final class RecordAccess {
    private static final Logger LOG = LoggerFactory.getLogger(RecordAccess.class);

    private Optional<TreeRecord> record = Optional.empty();
    private Optional<IOException> unread = Optional.empty();
    private Map<Identity, String> noted = Map.of();

    void use(TreeRecord on) {
        record = Optional.of(on);
    }

    /** Reads a part of the record. */
    interface Reading {
        void read(TreeRecord record) throws IOException;
    }

    /** Forgets what the scan before could not read. */
    void beginScan() {
        unread = Optional.empty();
    }

    /** Reads a part, unless an earlier one failed. A failure must not protect members that are known without it. */
    void read(Reading part) {
        if (record.isEmpty() || unread.isPresent()) {
            return;
        }
        try {
            part.read(record.get());
        } catch (IOException failure) {
            unread = Optional.of(failure);
        } catch (IllegalStateException bug) {
            LOG.error("the record of a step's processes cannot be read", bug);
            record = Optional.empty();
        }
    }

    /**
     * Throws {@link UncheckedIOException} if a part could not be read, so that members may be missing. Not if access is
     * denied, which is permanent.
     */
    void requireRead() {
        if (unread.filter(failure -> !(failure instanceof AccessDeniedException))
                .isPresent()) {
            throw new UncheckedIOException(unread.get());
        }
    }

    /** Records these members, unless it has them. */
    void note(Map<Identity, String> members) throws IOException {
        if (record.isPresent() && !noted.keySet().containsAll(members.keySet())) {
            record.get().noteMembers(members);
            noted = members;
        }
    }
}
