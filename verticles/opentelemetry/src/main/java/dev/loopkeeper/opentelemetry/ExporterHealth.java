package dev.loopkeeper.opentelemetry;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs once when the collector stops accepting spans, and once when it accepts them again. */
final class ExporterHealth implements SpanExporter {
    private static final Logger LOG = LoggerFactory.getLogger(ExporterHealth.class);
    /** Kept, since a logger that no one holds forgets its level. */
    private static final java.util.logging.Logger LIBRARY = java.util.logging.Logger.getLogger("io.opentelemetry");

    private final SpanExporter exporter;
    private final AtomicBoolean failing = new AtomicBoolean();

    ExporterHealth(SpanExporter exporter) {
        this.exporter = exporter;
    }

    /** The library would log each failure on stderr. */
    static void silenceTheLibrary() {
        LIBRARY.setLevel(Level.OFF);
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        CompletableResultCode result = exporter.export(spans);
        return result.whenComplete(() -> report(result));
    }

    private void report(CompletableResultCode result) {
        boolean failed = !result.isSuccess();
        if (failing.getAndSet(failed) == failed) {
            return;
        }
        if (failed) {
            Throwable cause = result.getFailureThrowable();
            LOG.warn(
                    "The collector of {} accepts no spans: {}. They are dropped until it does.",
                    OpenTelemetryTracing.ENDPOINT,
                    cause == null ? "no answer" : cause.getMessage());
        } else {
            LOG.info("The collector accepts spans again.");
        }
    }

    @Override
    public CompletableResultCode flush() {
        return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
        return exporter.shutdown();
    }
}
