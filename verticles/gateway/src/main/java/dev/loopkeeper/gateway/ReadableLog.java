package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.agent.said.SaidLine;
import dev.loopkeeper.agent.said.SaidLines;
import dev.loopkeeper.data.LogFile;
import dev.loopkeeper.json.Json;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.function.LongFunction;

/** A step's log as lines for people: {@code {"lines": [{offset, at, kind, text}], "nextOffset": 8192}}. Blocking. */
final class ReadableLog {
    /** Lines that are told at once. */
    static final int MOST_LINES = 10_000;

    /** Raw bytes that one answer is read from. */
    static final int MOST_BYTES = 8 * 1024 * 1024;

    private static final int CHUNK = 64 * 1024;
    private static final int FIRST_TAIL = 64 * 1024;

    private final StepLog log;
    private final LongFunction<SaidLines> readers;

    /** @param readers make a reader for bytes from an offset on */
    ReadableLog(StepLog log, LongFunction<SaidLines> readers) {
        this.log = log;
        this.readers = readers;
    }

    /**
     * The end of a log.
     *
     * @param reader to read on with
     * @param lines the last ones that are whole
     */
    record Tail(LogLines reader, Collection<SaidLine> lines) {}

    /** A reader from this offset on, which is the start of a line. */
    LogLines reader(long offset) {
        return new LogLines(log, readers, offset);
    }

    /**
     * The lines from this offset on, which is the start of a line.
     *
     * @param ended whether nothing more is written: else a last line without an end is left for the next page
     */
    JsonNode from(long offset, long limit, boolean ended) throws IOException {
        long size = log.size();
        long end = Math.min(size, offset + Math.min(limit, MOST_BYTES));
        LogLines reader = reader(offset);
        List<SaidLine> lines = new ArrayList<>();
        boolean more = true;
        while (more && lines.size() < MOST_LINES) {
            more = reader.read(end, lines::add);
        }
        boolean longerThanThePage = reader.whole() == offset && end < size;
        if ((ended && reader.next() >= size) || longerThanThePage) {
            lines.addAll(reader.finish());
        }
        return page(lines, reader.whole());
    }

    /** The last so many lines, of the last {@value #MOST_BYTES} bytes at the most. */
    JsonNode tail(int count, boolean ended) throws IOException {
        Tail tail = tail(count);
        List<SaidLine> lines = new ArrayList<>(tail.lines());
        if (ended) {
            lines.addAll(tail.reader().finish());
        }
        return page(
                lines.subList(Math.max(0, lines.size() - count), lines.size()),
                tail.reader().whole());
    }

    /** The same to go on from. */
    Tail tail(int count) throws IOException {
        long size = log.size();
        long window = FIRST_TAIL;
        while (true) {
            long start = Math.max(0, size - window);
            LogLines reader = reader(start > 0 ? afterLine(start, size) : 0);
            Deque<SaidLine> last = new ArrayDeque<>();
            boolean more = true;
            while (more) {
                more = reader.read(size, line -> keep(last, line, count));
            }
            if (start == 0 || last.size() >= count || window >= MOST_BYTES) {
                return new Tail(reader, last);
            }
            window *= 2;
        }
    }

    private static void keep(Deque<SaidLine> last, SaidLine line, int count) {
        last.add(line);
        if (last.size() > count) {
            last.remove();
        }
    }

    private static JsonNode page(List<SaidLine> lines, long next) {
        ObjectNode page = Json.MAPPER.createObjectNode();
        page.set("lines", Json.MAPPER.valueToTree(lines));
        return page.put("nextOffset", next);
    }

    private long afterLine(long offset, long end) throws IOException {
        long next = offset;
        while (next < end) {
            LogFile.Part part = log.read(next, (int) Math.min(CHUNK, end - next));
            byte[] bytes = part.bytes().getBytes();
            for (int i = 0; i < bytes.length; i++) {
                if (bytes[i] == '\n') {
                    return next + i + 1;
                }
            }
            if (bytes.length == 0) {
                return end;
            }
            next = part.next();
        }
        return end;
    }
}
