package dev.loopkeeper.store.sqlite;

import dev.loopkeeper.store.StoreException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Verifies the write-ahead log before SQLite opens it. SQLite drops everything after the first wrong checksum. That is
 * right for a torn end but would silently lose committed events after damage in the middle. An end is torn if no later
 * transaction follows, since each transaction begins after the former one is synced. Layout:
 * https://www.sqlite.org/fileformat2.html#the_write_ahead_log.
 */
final class LogCheck {
    private static final Logger LOG = LoggerFactory.getLogger(LogCheck.class);
    private static final int HEADER_BYTES = 32;
    private static final int FRAME_HEADER_BYTES = 24;
    /** The last bit selects the byte order of checksums. */
    private static final int MAGIC = 0x377f0682;

    private static final int CHECKED_OF_HEADER = 24;
    private static final int CHECKED_OF_FRAME = 8;
    private static final int BUFFER_BYTES = 1 << 20;
    private static final int LARGEST_PAGE = 1 << 16;

    private final StoreFile file;
    private int firstSum;
    private int secondSum;

    LogCheck(StoreFile file) {
        this.file = file;
    }

    /** Fails with {@link StoreException} if durable events are unreadable. */
    void refuseDamage() throws IOException {
        if (file.logBytes() < HEADER_BYTES) {
            return;
        }
        try (InputStream log = new BufferedInputStream(Files.newInputStream(file.log()), BUFFER_BYTES)) {
            ByteBuffer header = ByteBuffer.wrap(log.readNBytes(HEADER_BYTES));
            ByteOrder order = (header.getInt(0) & 1) == 0 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
            sum(header, 0, CHECKED_OF_HEADER, order);
            int pageBytes = header.getInt(8);
            boolean known = (header.getInt(0) & ~1) == MAGIC && pageBytes > 0 && pageBytes <= LARGEST_PAGE;
            if (!known || firstSum != header.getInt(24) || secondSum != header.getInt(28)) {
                throw damaged("its header is invalid");
            }
            checkFrames(log, header, pageBytes, order);
        } catch (NoSuchFileException taken) {
            LOG.debug("another process has merged {} into the database", file.log());
        }
    }

    private void checkFrames(InputStream log, ByteBuffer header, int pageBytes, ByteOrder order) throws IOException {
        int frameBytes = FRAME_HEADER_BYTES + pageBytes;
        long salts = header.getLong(16);
        boolean broken = false;
        boolean committedBehind = false;
        for (byte[] read = log.readNBytes(frameBytes); read.length == frameBytes; read = log.readNBytes(frameBytes)) {
            ByteBuffer frame = ByteBuffer.wrap(read);
            boolean ofThisLog = frame.getLong(8) == salts;
            if (!broken) {
                broken = !ofThisLog || !continuesSum(frame, order);
            }
            if (committedBehind && ofThisLog) {
                throw damaged("it was changed before its last transaction");
            }
            committedBehind |= broken && ofThisLog && frame.getInt(4) != 0;
        }
        if (committedBehind) {
            LOG.warn("{} ends with an incomplete transaction, which is ignored", file.log());
        }
    }

    private boolean continuesSum(ByteBuffer frame, ByteOrder order) {
        sum(frame, 0, CHECKED_OF_FRAME, order);
        sum(frame, FRAME_HEADER_BYTES, frame.capacity(), order);
        return firstSum == frame.getInt(16) && secondSum == frame.getInt(20);
    }

    private void sum(ByteBuffer bytes, int from, int to, ByteOrder order) {
        ByteBuffer words = bytes.duplicate().order(order);
        for (int at = from; at < to; at += 2 * Integer.BYTES) {
            firstSum += words.getInt(at) + secondSum;
            secondSum += words.getInt(at + Integer.BYTES) + firstSum;
        }
    }

    private StoreException damaged(String how) {
        String message = file.log() + " is damaged: " + how + ". It was left as it is. Restore it together with "
                + file.database() + " from a backup, or move it aside to continue without its events.";
        return new StoreException(message, null);
    }
}
