package dev.loopkeeper.gateway;

import dev.loopkeeper.agent.SaidLine;
import dev.loopkeeper.contract.NodeChannels.LogPart;
import dev.loopkeeper.data.StepLog;
import dev.loopkeeper.gateway.http.Body;
import dev.loopkeeper.json.Json;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;

/** A form in which a client receives a log, made piece by piece to limit memory. Blocks; not for concurrent use. */
interface LogForm {
    /** Appends what comes next, some KiB at most. Returns false if the log has no more at the moment. */
    boolean read(Buffer piece) throws IOException;

    /** Returns whether the client wants no more, however much the log has. */
    default boolean isComplete() {
        return false;
    }

    /** Appends what follows the last of the log. */
    default void end(Buffer piece) {}

    /** The bytes of a log. */
    final class Raw implements LogForm {
        private final StepLog log;
        private long offset;
        private long left;

        Raw(StepLog log, long offset, long limit) {
            this.log = log;
            this.offset = offset;
            this.left = limit;
        }

        @Override
        public boolean read(Buffer piece) throws IOException {
            LogPart part = log.part(offset, (int) Math.min(Body.PIECE, left));
            if (part.size() < offset && left > 0) {
                offset = 0; // the agent has truncated its log
                return true;
            }
            piece.appendBytes(part.bytes());
            left -= Math.min(left, part.next() - offset);
            offset = part.next();
            return part.bytes().length > 0 && left > 0;
        }

        @Override
        public boolean isComplete() {
            return left == 0;
        }
    }

    /** One JSON object per line, and at the end an unterminated last line. */
    record Objects(LogLines lines) implements LogForm {
        @Override
        public boolean read(Buffer piece) throws IOException {
            return lines.read(Long.MAX_VALUE, line -> append(piece, line));
        }

        @Override
        public void end(Buffer piece) {
            lines.finish(line -> append(piece, line));
        }

        private static void append(Buffer piece, SaidLine line) {
            piece.appendString(json(line)).appendByte((byte) '\n');
        }
    }

    /** The lines of one answer: {@code {"lines": [{offset, at, kind, text}], "nextOffset": 8192}}. */
    final class Page implements LogForm {
        /** Most lines in one answer. */
        static final int MOST_LINES = 10_000;

        private final LogLines lines;
        private final long begin;
        private final long end;
        private final boolean more;
        private final boolean ended;
        private long count;
        private String between = "{\"lines\":[";

        /**
         * Reads to an end offset.
         *
         * @param size where the log ends
         * @param ended whether the log is complete; otherwise an unterminated last line is left for the next page
         */
        Page(LogLines lines, long end, long size, boolean ended) {
            this.lines = lines;
            this.begin = lines.next();
            this.end = end;
            this.more = end < size;
            this.ended = ended;
        }

        @Override
        public boolean read(Buffer piece) throws IOException {
            return count < MOST_LINES && lines.read(end, line -> append(piece, line));
        }

        private void append(Buffer piece, SaidLine line) {
            piece.appendString(between).appendString(json(line));
            between = ",";
            count++;
        }

        @Override
        public void end(Buffer piece) {
            boolean longerThanThePage = more && lines.nextLine() == begin;
            if (longerThanThePage || (ended && !more && lines.next() >= end)) {
                lines.finish(line -> append(piece, line));
            }
            piece.appendString(count == 0 ? between : "").appendString("],\"nextOffset\":" + lines.nextLine() + "}");
        }
    }

    private static String json(SaidLine line) {
        return Json.MAPPER.valueToTree(line).toString();
    }
}
