package dev.loopkeeper.gateway;

import dev.loopkeeper.agent.SaidLine;
import java.io.IOException;
import java.util.function.Consumer;

/** The lines of one answer, read piece by piece to limit memory. Blocks; not for concurrent use. */
final class LinesPage {
    private final LogLines reader;
    private final long begin;
    private final long end;
    private final boolean more;
    private final boolean ended;
    private long skipped;
    private long emitted;
    private boolean complete;

    /**
     * Reads from a start to an end offset.
     *
     * @param more whether the log continues after the end
     * @param ended whether the log is complete; otherwise an unterminated last line is left for the next page
     */
    LinesPage(ReadableLog.Start start, long end, boolean more, boolean ended) {
        this.reader = start.reader();
        this.begin = reader.next();
        this.skipped = start.skipped();
        this.end = end;
        this.more = more;
        this.ended = ended;
    }

    /** Reads one piece. Returns false once the page is complete. */
    boolean read(Consumer<SaidLine> lines) throws IOException {
        if (!complete && (emitted >= ReadableLog.MOST_LINES || !reader.read(end, line -> emit(line, lines)))) {
            complete = true;
            finish(lines);
        }
        return !complete;
    }

    private void finish(Consumer<SaidLine> lines) {
        boolean longerThanThePage = reader.nextLine() == begin && more;
        if ((ended && !more && reader.next() >= end) || longerThanThePage) {
            reader.finish().forEach(line -> emit(line, lines));
        }
    }

    private void emit(SaidLine line, Consumer<SaidLine> lines) {
        if (skipped > 0) {
            skipped--;
        } else {
            emitted++;
            lines.accept(line);
        }
    }

    /** Returns the offset of the next page. Call after all lines are read. */
    long next() {
        return reader.nextLine();
    }
}
