package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.openqa.selenium.chrome.ChromeDriver;

/**
 * What a browser's own tracing reports of the tasks of its pages, by the clock and by the processor time of their thread: the
 * second does not depend on what else the machine does.
 */
final class Trace implements WebSocket.Listener {
    private static final int SOON_SECONDS = 120;
    private static final double LONG_MILLIS = 50;
    private static final double TOO_LONG_MILLIS = 100;
    private static final int MOST_REPORTED = 3;
    private static final int BUFFER_KIB = 400_000;
    private static final List<String> CATEGORIES =
            List.of("devtools.timeline", "disabled-by-default-devtools.timeline");

    private final HttpClient http = HttpClient.newHttpClient();
    private final StringBuilder part = new StringBuilder();
    private final Set<String> pages = new HashSet<>();
    /** By thread, milliseconds by the clock and of the processor: a minute has too many events to keep them all. */
    private final Map<String, List<double[]>> tasks = new HashMap<>();

    private final String kept = System.getProperty("loopkeeper.page.traces");
    private final ArrayNode events = Json.MAPPER.createArrayNode();
    private final CompletableFuture<Void> started = new CompletableFuture<>();
    private final CompletableFuture<Void> complete = new CompletableFuture<>();
    private WebSocket socket;

    private Trace() {}

    /** Begins to trace all pages of this browser. */
    static Trace of(ChromeDriver driver) throws IOException, InterruptedException {
        Trace trace = new Trace();
        Map<?, ?> options = (Map<?, ?>) driver.getCapabilities().getCapability("goog:chromeOptions");
        URI version = URI.create("http://" + options.get("debuggerAddress") + "/json/version");
        String text = trace.http
                .send(HttpRequest.newBuilder(version).build(), HttpResponse.BodyHandlers.ofString())
                .body();
        URI address = URI.create(
                Json.MAPPER.readTree(text).path("webSocketDebuggerUrl").asText());
        trace.socket =
                trace.http.newWebSocketBuilder().buildAsync(address, trace).join();
        ObjectNode start = Json.MAPPER.createObjectNode().put("id", 1).put("method", "Tracing.start");
        ObjectNode config = start.putObject("params")
                .put("transferMode", "ReportEvents")
                .putObject("traceConfig")
                .put("traceBufferSizeInKb", BUFFER_KIB);
        CATEGORIES.forEach(config.putArray("includedCategories")::add);
        trace.socket.sendText(start.toString(), true).join();
        trace.started.orTimeout(SOON_SECONDS, TimeUnit.SECONDS).join();
        return trace;
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
        part.append(text);
        if (last) {
            take(part.toString());
            part.setLength(0);
        }
        from.request(1);
        return null;
    }

    @Override
    public void onError(WebSocket from, Throwable cut) {
        started.completeExceptionally(cut);
        complete.completeExceptionally(cut);
    }

    private void take(String text) {
        try {
            JsonNode message = Json.MAPPER.readTree(text);
            if (message.path("id").asInt() == 1) {
                if (message.has("error")) {
                    started.completeExceptionally(new IllegalStateException(text));
                }
                started.complete(null);
            }
            String method = message.path("method").asText();
            if (method.equals("Tracing.dataCollected")) {
                message.at("/params/value").forEach(this::heed);
            } else if (method.equals("Tracing.tracingComplete")) {
                complete.complete(null);
            }
        } catch (IOException unreadable) {
            onError(socket, unreadable);
        }
    }

    /** The tasks of the pages since the beginning, in words; the events are kept in the folder {@code loopkeeper.page.traces}. */
    String tasks() throws IOException {
        socket.sendText("{\"id\":2,\"method\":\"Tracing.end\"}", true).join();
        complete.orTimeout(SOON_SECONDS, TimeUnit.SECONDS).join();
        socket.abort();
        if (kept != null) {
            Files.writeString(Path.of(kept, "trace-" + System.nanoTime() + ".json"), events.toString());
        }
        tasks.keySet().retainAll(pages);
        List<double[]> all = tasks.values().stream().flatMap(List::stream).toList();
        double seconds = all.stream().mapToDouble(each -> each[1]).sum() / 1000;
        return String.format(
                Locale.ROOT,
                "by the clock %s, by processor time %s, together %.1f s",
                longest(all, 0),
                longest(all, 1),
                seconds);
    }

    private void heed(JsonNode event) {
        if (kept != null) {
            events.add(event);
        }
        String name = event.path("name").asText();
        if (name.equals("thread_name") && event.at("/args/name").asText().equals("CrRendererMain")) {
            pages.add(thread(event));
        } else if (name.equals("RunTask")) {
            tasks.computeIfAbsent(thread(event), each -> new ArrayList<>()).add(new double[] {
                event.path("dur").asDouble() / 1000, event.path("tdur").asDouble() / 1000
            });
        }
    }

    private static String thread(JsonNode event) {
        return event.path("pid").asText() + ' ' + event.path("tid").asText();
    }

    private static String longest(List<double[]> tasks, int which) {
        List<Double> all = tasks.stream()
                .map(each -> each[which])
                .sorted(Comparator.reverseOrder())
                .toList();
        String most = all.stream()
                .limit(MOST_REPORTED)
                .map(each -> String.format(Locale.ROOT, "%.0f", each))
                .toList()
                .toString();
        return String.format(
                Locale.ROOT,
                "the longest of %d tasks %s ms, %d of %.0f ms and more, %d above %.0f ms",
                all.size(),
                most,
                all.stream().filter(each -> each >= LONG_MILLIS).count(),
                LONG_MILLIS,
                all.stream().filter(each -> each > TOO_LONG_MILLIS).count(),
                TOO_LONG_MILLIS);
    }
}
