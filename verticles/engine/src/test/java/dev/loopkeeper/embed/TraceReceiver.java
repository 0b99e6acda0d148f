package dev.loopkeeper.embed;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;

/** A collector that keeps the spans it receives by OTLP over HTTP. */
public final class TraceReceiver implements AutoCloseable {
    private static final Duration SOON = Duration.ofMinutes(2);

    /**
     * A received span.
     *
     * @param parentId empty for a span without parent
     * @param links span ids
     * @param status 0 unset, 1 ok, 2 error
     */
    public record ReceivedSpan(
            String traceId,
            String spanId,
            String parentId,
            String name,
            long start,
            long end,
            Map<String, Object> attributes,
            List<String> events,
            List<String> links,
            long status) {
        public Object attribute(String key) {
            return attributes.get(key);
        }
    }

    private final HttpServer server;
    private final List<ReceivedSpan> spans = new CopyOnWriteArrayList<>();

    public TraceReceiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", this::receive);
        server.start();
    }

    /** The value of {@code OTEL_EXPORTER_OTLP_ENDPOINT}. */
    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    public List<ReceivedSpan> spans() {
        return List.copyOf(spans);
    }

    public List<ReceivedSpan> named(String name) {
        return spans.stream().filter(span -> span.name().equals(name)).toList();
    }

    /** Waits for a number of spans with this name; in the order of their start. */
    public List<ReceivedSpan> await(String name, int count) {
        Awaitility.await("spans " + name).atMost(SOON).until(() -> named(name).size() == count);
        return named(name).stream()
                .sorted((one, other) -> Long.compare(one.start(), other.start()))
                .toList();
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            Message request = new Message(exchange.getRequestBody().readAllBytes());
            for (Message resource : request.messages(1)) {
                for (Message scope : resource.messages(2)) {
                    scope.messages(2).forEach(span -> spans.add(span(span)));
                }
            }
            exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, -1);
        }
    }

    private static ReceivedSpan span(Message span) {
        Map<String, Object> attributes = new TreeMap<>();
        for (Message pair : span.messages(9)) {
            attributes.put(pair.text(1), value(pair.messages(2).get(0)));
        }
        return new ReceivedSpan(
                span.hex(1),
                span.hex(2),
                span.hex(4),
                span.text(5),
                span.number(7),
                span.number(8),
                attributes,
                span.messages(11).stream().map(event -> event.text(2)).toList(),
                span.messages(13).stream().map(link -> link.hex(2)).toList(),
                span.messages(15).stream().mapToLong(status -> status.number(3)).sum());
    }

    private static Object value(Message value) {
        if (value.has(1)) {
            return value.text(1);
        }
        return value.has(3) ? (Object) value.number(3) : Double.longBitsToDouble(value.number(4));
    }

    /** The fields of a protobuf message, by number. */
    private static final class Message {
        private final Map<Integer, List<Object>> fields = new TreeMap<>();

        Message(byte[] bytes) {
            ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            while (in.hasRemaining()) {
                long tag = varint(in);
                Object value = switch ((int) tag & 7) {
                    case 0 -> varint(in);
                    case 1 -> in.getLong();
                    case 2 -> bytes(in);
                    case 5 -> (long) in.getInt();
                    default -> throw new IllegalArgumentException("wire type of tag " + tag);
                };
                fields.computeIfAbsent((int) (tag >> 3), field -> new ArrayList<>())
                        .add(value);
            }
        }

        private static byte[] bytes(ByteBuffer in) {
            byte[] bytes = new byte[(int) varint(in)];
            in.get(bytes);
            return bytes;
        }

        private static long varint(ByteBuffer in) {
            long value = 0;
            for (int shift = 0; ; shift += 7) {
                byte next = in.get();
                value |= (long) (next & 0x7f) << shift;
                if (next >= 0) {
                    return value;
                }
            }
        }

        boolean has(int field) {
            return fields.containsKey(field);
        }

        List<Message> messages(int field) {
            return fields.getOrDefault(field, List.of()).stream()
                    .map(bytes -> new Message((byte[]) bytes))
                    .toList();
        }

        String text(int field) {
            return has(field) ? new String((byte[]) fields.get(field).get(0), StandardCharsets.UTF_8) : "";
        }

        String hex(int field) {
            return has(field)
                    ? HexFormat.of().formatHex((byte[]) fields.get(field).get(0))
                    : "";
        }

        long number(int field) {
            return has(field) ? (long) fields.get(field).get(0) : 0;
        }
    }
}
