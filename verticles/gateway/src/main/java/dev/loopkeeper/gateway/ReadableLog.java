package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.agent.said.SaidLine;
import dev.loopkeeper.agent.said.SaidLines;
import dev.loopkeeper.data.LogFile;
import dev.loopkeeper.json.Json;
import java.io.IOException;
import java.util.ArrayList;
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

    /** The lines from this offset on, which is the start of a line. */
    JsonNode from(long offset, long limit) throws IOException {
        return read(offset, Math.min(limit, MOST_BYTES), MOST_LINES, false);
    }

    /** The last so many lines, of the last {@value #MOST_BYTES} bytes at the most. */
    JsonNode tail(int count) throws IOException {
        long size = log.size();
        long window = FIRST_TAIL;
        while (true) {
            long start = Math.max(0, size - window);
            ObjectNode page = read(start, size - start, MOST_LINES, start > 0);
            if (start == 0 || page.path("lines").size() >= count || window >= MOST_BYTES) {
                return last(page, count);
            }
            window *= 2;
        }
    }

    private static ObjectNode last(ObjectNode page, int count) {
        List<JsonNode> lines = new ArrayList<>();
        page.path("lines").forEach(lines::add);
        page.putArray("lines").addAll(lines.subList(Math.max(0, lines.size() - count), lines.size()));
        return page;
    }

    /** @param within whether the first line is the end of one, which nobody can read */
    private ObjectNode read(long offset, long limit, int most, boolean within) throws IOException {
        long end = Math.min(log.size(), offset + limit);
        long at = within ? afterLine(offset, end) : offset;
        long next = at;
        SaidLines reader = readers.apply(at);
        List<SaidLine> lines = new ArrayList<>();
        while (next < end && lines.size() < most) {
            LogFile.Part part = log.read(next, (int) Math.min(CHUNK, end - next));
            if (part.bytes().length() == 0) {
                break;
            }
            lines.addAll(reader.feed(part.bytes().getBytes(), 0, part.bytes().length()));
            next = part.next();
        }
        lines.addAll(reader.finish());
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
