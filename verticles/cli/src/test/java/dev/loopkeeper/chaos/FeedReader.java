package dev.loopkeeper.chaos;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A client of the feed that goes from node to node with the cursor of what it had last. */
final class FeedReader implements Runnable {
    private static final Pattern EVENT =
            Pattern.compile("\"runId\":\"([^\"]+)\".*?\"sequence\":(\\d+).*?\"type\":\"([^\"]+)\"");
    private static final Pattern SNAPSHOT = Pattern.compile("^data: \\{\"type\":\"(snapshot|lagged)\"");
    private static final int LONGEST_STAY_MILLIS = 4000;

    private final List<? extends ServeNode> nodes;
    private final HttpClient client;
    private final Random random;
    /** Run and sequence of each event, in the order in which they came. */
    final List<String> received = new CopyOnWriteArrayList<>();
    /** What the stream said that is no event, for a message. */
    volatile String odd = "";

    private Optional<String> cursor = Optional.empty();
    private volatile boolean over;
    private volatile InputStream open = InputStream.nullInputStream();

    FeedReader(List<? extends ServeNode> nodes, HttpClient client, long seed) {
        this.nodes = nodes;
        this.client = client;
        this.random = new Random(seed);
    }

    void end() {
        over = true;
        close();
    }

    private void close() {
        try {
            open.close();
        } catch (IOException closed) {
            // It is.
        }
    }

    @Override
    public void run() {
        while (!over) {
            Optional<String> url = nodes.get(random.nextInt(nodes.size())).url();
            try {
                if (url.isPresent()) {
                    follow(url.get());
                } else {
                    Thread.sleep(50);
                }
            } catch (IOException gone) {
                // The next node continues.
            } catch (InterruptedException interrupted) {
                return;
            }
        }
    }

    private void follow(String url) throws IOException, InterruptedException {
        HttpRequest.Builder ask =
                HttpRequest.newBuilder(URI.create(url + "/api/v1/stream")).timeout(Duration.ofSeconds(5));
        cursor.ifPresent(last -> ask.header("Last-Event-ID", last));
        HttpResponse<InputStream> answer = client.send(ask.build(), HttpResponse.BodyHandlers.ofInputStream());
        open = answer.body();
        Thread leave = new Thread(() -> {
            try {
                Thread.sleep(500 + random.nextInt(LONGEST_STAY_MILLIS));
            } catch (InterruptedException stayed) {
                return;
            }
            close();
        });
        leave.setDaemon(true);
        leave.start();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(open, StandardCharsets.UTF_8))) {
            if (answer.statusCode() == 200) {
                read(lines);
            }
        } finally {
            leave.interrupt();
        }
    }

    private void read(BufferedReader lines) throws IOException {
        String id = "";
        for (String line = lines.readLine(); line != null && !over; line = lines.readLine()) {
            if (line.startsWith("id: ")) {
                id = line.substring(4);
            } else if (line.startsWith("data: ")) {
                Matcher event = EVENT.matcher(line);
                if (SNAPSHOT.matcher(line).find()) {
                    if (cursor.isEmpty()) {
                        cursor = Optional.of(id);
                    }
                } else if (event.find()) {
                    received.add(event.group(1) + " " + event.group(2) + " " + event.group(3));
                    cursor = Optional.of(id);
                } else {
                    odd = line;
                }
            }
        }
    }
}
