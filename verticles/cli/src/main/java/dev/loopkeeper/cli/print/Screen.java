package dev.loopkeeper.cli.print;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How wide and high the terminal is; it is asked again when it was resized. */
public final class Screen {
    private static final Logger LOG = LoggerFactory.getLogger(Screen.class);
    private static final Size USUAL = new Size(80, 24);
    private static final Pattern ANSWER = Pattern.compile("(\\d{1,5}) (\\d{1,5})\\s*");
    private static final int MOST_BYTES = 64;
    private static final long PATIENCE_SECONDS = 1;

    private final Supplier<Size> measure;
    private volatile Size size;
    private volatile Runnable resized = () -> {};
    private volatile Optional<Frame> bottom = Optional.empty();

    /**
     * A size in characters.
     *
     * @param columns 1 or more
     * @param rows 1 or more
     */
    public record Size(int columns, int rows) {}

    private Screen(Supplier<Size> measure) {
        this.measure = measure;
    }

    /** One that is never resized. */
    public static Screen of(int columns, int rows) {
        return new Screen(() -> new Size(columns, rows));
    }

    /** That of a terminal's device, e.g. {@code /dev/pts/3}. */
    static Screen of(File terminal) {
        Screen screen = new Screen(() -> measured(terminal));
        Resizes.hear(screen::forget);
        return screen;
    }

    public Size size() {
        Size known = size;
        if (known == null) {
            known = measure.get();
            size = known;
        }
        return known;
    }

    private void forget() {
        size = null;
        resized.run();
    }

    /** Tells from now on that it was resized; the work must be short. */
    public void onResize(Runnable listener) {
        resized = listener;
    }

    /** These lines stand at its bottom from now on, so that messages are printed above them. */
    void bottom(Frame frame) {
        bottom = Optional.of(frame);
    }

    Optional<Frame> bottom() {
        return bottom;
    }

    /** Java has no way to ask, the program {@code stty} of POSIX does. */
    private static Size measured(File terminal) {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(terminal)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try {
                boolean ended = stty.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
                return ended
                        ? size(new String(stty.getInputStream().readNBytes(MOST_BYTES), StandardCharsets.UTF_8))
                        : USUAL;
            } finally {
                stty.destroyForcibly();
            }
        } catch (IOException absent) {
            LOG.debug("the terminal's size is not known", absent);
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
        }
        return USUAL;
    }

    /** Rows and columns, e.g. {@code 24 80}; a terminal that knows neither answers with 0. */
    static Size size(String answer) {
        Matcher told = ANSWER.matcher(answer);
        if (!told.matches()) {
            return USUAL;
        }
        int rows = Integer.parseInt(told.group(1));
        int columns = Integer.parseInt(told.group(2));
        return new Size(columns == 0 ? USUAL.columns() : columns, rows == 0 ? USUAL.rows() : rows);
    }
}
