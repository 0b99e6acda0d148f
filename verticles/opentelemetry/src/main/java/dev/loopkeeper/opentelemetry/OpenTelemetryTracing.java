package dev.loopkeeper.opentelemetry;

import dev.loopkeeper.embed.LoopkeeperPart;
import dev.loopkeeper.work.TimeLimit;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends one trace for each execution of a run. The {@code OTEL_*} variables and {@code otel.*} system properties
 * configure it, as the OpenTelemetry specification says; it speaks {@code http/protobuf} only.
 */
public final class OpenTelemetryTracing implements LoopkeeperPart {
    /** Variable without which the command line sends no traces. */
    public static final String ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";

    private static final Logger LOG = LoggerFactory.getLogger(OpenTelemetryTracing.class);
    /** Metrics have a page of their own, and logs a file. */
    private static final Map<String, String> TRACES_ONLY =
            Map.of("otel.metrics.exporter", "none", "otel.logs.exporter", "none");

    /** The delay is what kill -9 may lose; the SDK's 5 s is for programs with more spans. */
    private static final Map<String, String> DEFAULTS = Map.of(
            "otel.service.name", "loopkeeper",
            "otel.exporter.otlp.protocol", "http/protobuf",
            "otel.bsp.schedule.delay", "500");

    private static final Duration LAST_EXPORT = Duration.ofSeconds(5);

    private final Map<String, String> settings;
    /** Undoes what was prepared. */
    private Supplier<Future<Void>> closing = Future::succeededFuture;

    /** Configured by the environment. */
    public OpenTelemetryTracing() {
        this(Map.of());
    }

    /**
     * Configured by these settings, unless the environment has other values.
     *
     * @param settings by property name, e.g. {@code otel.exporter.otlp.endpoint}
     */
    public OpenTelemetryTracing(Map<String, String> settings) {
        this.settings = Map.copyOf(settings);
    }

    /** Without a usable configuration this logs why: tracing never prevents a start. */
    @Override
    public Future<Void> prepare(Host host) {
        Vertx vertx = host.vertx();
        Spans spans = new Spans();
        return vertx.executeBlocking(() -> open(spans), false)
                .compose(provider -> {
                    closing = () -> flush(vertx, provider);
                    return vertx.deployVerticle(new SpanVerticle(host.store(), spans.of(provider)))
                            .<Void>map(id -> {
                                closing = () -> vertx.undeploy(id).eventually(() -> flush(vertx, provider));
                                return null;
                            });
                })
                .recover(cause -> {
                    LOG.warn("No traces are sent: {}. Correct the OTEL_* variables and restart.", cause.getMessage());
                    return Future.succeededFuture();
                });
    }

    private SdkTracerProvider open(Spans spans) {
        ExporterHealth.silenceTheLibrary();
        return AutoConfiguredOpenTelemetrySdk.builder()
                .disableShutdownHook()
                .addPropertiesSupplier(() -> DEFAULTS)
                .addPropertiesSupplier(() -> settings)
                .addPropertiesCustomizer(given -> TRACES_ONLY)
                .addTracerProviderCustomizer((builder, given) -> builder.setIdGenerator(spans))
                .addSpanExporterCustomizer((exporter, given) -> new ExporterHealth(exporter))
                .build()
                .getOpenTelemetrySdk()
                .getSdkTracerProvider();
    }

    private static Future<Void> flush(Vertx vertx, SdkTracerProvider provider) {
        Promise<Void> flushed = Promise.promise();
        provider.shutdown().whenComplete(flushed::complete);
        return TimeLimit.of(vertx, flushed.future(), LAST_EXPORT);
    }

    /** Sends what is left, for at most five seconds. */
    @Override
    public Future<Void> stop() {
        Supplier<Future<Void>> undo = closing;
        closing = Future::succeededFuture;
        return undo.get();
    }
}
