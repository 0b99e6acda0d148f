package dev.loopkeeper.gateway;

import dev.loopkeeper.step.Sha256;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The dashboard page and its assets, in memory. Asset URLs contain the hash of all assets, so that browsers may cache
 * them forever and never mix versions. They are relative, since the page may be below the path of another server.
 */
final class PageAssets {
    private static final int HASH_LENGTH = 16;
    private static final String OWN = "dashboard/";
    /** Location of lit-html in its jar, with the version that the build pins. */
    private static final String LIBRARY = "/META-INF/resources/_static/lit-html/3.3.3/";

    private static final String STYLE = "dashboard.css";
    /** Script of a web worker. */
    static final String SOCKET = "socket.js";

    /** Modules of the page, in the resource folder {@code dashboard}. */
    static final List<String> MODULES = List.of(
            "app.js",
            "act.js",
            "api.js",
            "asks.js",
            "attention.js",
            "badge.js",
            "clock.js",
            "cost.js",
            "details.js",
            "dialogs.js",
            "diff.js",
            "events.js",
            "feed.js",
            "fold.js",
            "form.js",
            "format.js",
            "frame.js",
            "items.js",
            "keys.js",
            "labels.js",
            "launch-context.js",
            "lists.js",
            "log.js",
            "merge.js",
            "new-run.js",
            "notify.js",
            "outcome.js",
            "painter.js",
            "picture.js",
            "policy-view.js",
            "processes-view.js",
            "requests.js",
            "resume.js",
            "routes.js",
            "run-view.js",
            "runs-view.js",
            SOCKET,
            "steps.js",
            "store.js",
            "text.js",
            "timeline.js",
            "updates.js",
            "why.js");

    /** Modules of the library, which import each other by relative paths. */
    private static final List<String> LIBRARY_MODULES = List.of(
            "lit-html.js", "directive.js", "directive-helpers.js", "directives/live.js", "directives/repeat.js");

    private final Map<String, Buffer> assets;
    private final String hash;
    private final String page;

    private PageAssets(Map<String, Buffer> assets, String hash, String page) {
        this.assets = assets;
        this.hash = hash;
        this.page = page;
    }

    /** Reads all assets. Blocks. */
    static PageAssets load() {
        Map<String, Buffer> assets = new LinkedHashMap<>();
        MODULES.forEach(name -> assets.put(name, Buffer.buffer(bytes(OWN + name))));
        LIBRARY_MODULES.forEach(name -> assets.put(name, Buffer.buffer(bytes(LIBRARY + name))));
        assets.put(STYLE, Buffer.buffer(bytes(OWN + STYLE)));
        String hash = hash(assets);
        String preloads = assets.keySet().stream()
                .filter(name -> name.endsWith(".js") && !name.equals(SOCKET))
                .map(name -> "<link rel=\"modulepreload\" href=\"assets/" + hash + "/" + name + "\">")
                .collect(Collectors.joining("\n"));
        String page =
                text(OWN + "index.html").replace("{assets}", "assets/" + hash).replace("{preloads}", preloads);
        return new PageAssets(assets, hash, page);
    }

    private static String hash(Map<String, Buffer> assets) {
        StringBuilder all = new StringBuilder();
        assets.forEach((name, content) -> all.append(name).append('\n').append(content.toString()));
        return HexFormat.of().formatHex(Sha256.of(all.toString())).substring(0, HASH_LENGTH);
    }

    /** Returns the page with its asset URLs. */
    String page() {
        return page;
    }

    /**
     * Returns one asset; empty for an unknown name or hash.
     *
     * @param name e.g. {@code app.js} or {@code directives/repeat.js}
     */
    Optional<Buffer> asset(String asked, String name) {
        return Optional.ofNullable(assets.get(name)).filter(known -> asked.equals(hash));
    }

    static String text(String name) {
        return new String(bytes(name), StandardCharsets.UTF_8);
    }

    static byte[] bytes(String name) {
        try (InputStream stream = PageAssets.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException("the jar lacks its resource " + name);
            }
            return stream.readAllBytes();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
