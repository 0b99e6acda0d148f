package dev.loopkeeper.cli.print;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import org.jline.terminal.impl.exec.ExecPty;
import org.jline.terminal.impl.exec.ExecTerminalProvider;
import org.jline.terminal.spi.Pty;
import org.jline.utils.InfoCmp;
import org.jline.utils.Signals;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The size of a terminal. It is read again after a resize. */
public final class Screen {
    private static final Logger LOG = LoggerFactory.getLogger(Screen.class);
    private static final Size USUAL = new Size(80, 24);
    private static final String USUAL_TYPE = "xterm";

    private final Optional<String> device;
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

    private Screen(Optional<String> device, Size size) {
        this.device = device;
        this.size = size;
    }

    /** Returns a screen that is never resized. */
    public static Screen of(int columns, int rows) {
        return new Screen(Optional.empty(), new Size(columns, rows));
    }

    /** Returns the screen of a terminal device, e.g. {@code /dev/pts/3}. */
    static Screen of(String device) {
        return new Screen(Optional.of(device), null);
    }

    public Size size() {
        Size known = size;
        if (known == null) {
            known = Device.size(device.orElseThrow());
            size = known;
        }
        return known;
    }

    private void forget() {
        size = null;
        resized.run();
    }

    /** Runs {@code listener} after each resize; it must be short. */
    public void onResize(Runnable listener) {
        resized = listener;
        followSize();
    }

    /** Sets the frame at the bottom, so that messages are printed above it. */
    void bottom(Frame frame) {
        bottom = Optional.of(frame);
        followSize();
    }

    Optional<Frame> bottom() {
        return bottom;
    }

    /**
     * Returns the terminal type for the terminfo database. A type that is unknown there is painted like the default
     * one.
     */
    static String type(Console console) {
        String type = console.environment().getOrDefault("TERM", USUAL_TYPE);
        InfoCmp.setDefaultInfoCmp(type, InfoCmp.getDefaultInfoCmp(USUAL_TYPE));
        return type;
    }

    private void followSize() {
        device.map(real -> Signals.register("WINCH", this::forget))
                .ifPresent(before -> LOG.trace("resizes were handled by {}", before));
    }

    /**
     * Reads the size from the terminal device, as the input of this program may be a file. A class of its own, so that
     * JLine is loaded only when needed.
     */
    private static final class Device {
        private Device() {}

        static Size size(String device) {
            try (Pty terminal = new ExecPty(new ExecTerminalProvider(), null, device) {}) {
                org.jline.terminal.Size asked = terminal.getSize();
                return new Size(
                        asked.getColumns() == 0 ? USUAL.columns() : asked.getColumns(),
                        asked.getRows() == 0 ? USUAL.rows() : asked.getRows());
            } catch (InterruptedIOException interrupted) {
                Thread.currentThread().interrupt();
            } catch (IOException unknown) {
                LOG.debug("the terminal's size is not known", unknown);
            }
            return USUAL;
        }
    }
}
