package dev.loopkeeper.gateway;

import dev.loopkeeper.agent.SaidLine;
import java.io.IOException;
import java.util.function.Consumer;

/** The lines of one answer, read piece by piece, so that no more than a piece is in memory. Blocking; not for two threads at once. */
final class LinesPage {
    private final LogLines reader;
    private final long begin;
    private final long end;
    private final boolean more;
    private final boolean ended;
    private long passed;
    private long told;
    private boolean over;

    /**
     * What lies between a start and an end.
     *
     * @param more whether the log goes on behind that end
     * @param ended whether nothing more is written: else a last line without an end is left for the next page
     */
    LinesPage(ReadableLog.Start start, long end, boolean more, boolean ended) {
        this.reader = start.reader();
        this.begin = reader.next();
        this.passed = start.passed();
        this.end = end;
        this.more = more;
        this.ended = ended;
    }

    /** Reads on for one piece; false once all of the page is told. */
    boolean read(Consumer<SaidLine> lines) throws IOException {
        if (!over && (told >= ReadableLog.MOST_LINES || !reader.read(end, line -> tell(line, lines)))) {
            over = true;
            finish(lines);
        }
        return !over;
    }

    private void finish(Consumer<SaidLine> lines) {
        boolean longerThanThePage = reader.whole() == begin && more;
        if ((ended && !more && reader.next() >= end) || longerThanThePage) {
            reader.finish().forEach(line -> tell(line, lines));
        }
    }

    private void tell(SaidLine line, Consumer<SaidLine> lines) {
        if (passed > 0) {
            passed--;
        } else {
            told++;
            lines.accept(line);
        }
    }

    /** Offset at which the next page begins; only once all is told. */
    long next() {
        return reader.whole();
    }
}
