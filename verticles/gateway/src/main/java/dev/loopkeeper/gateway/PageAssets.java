package dev.loopkeeper.gateway;

import dev.loopkeeper.step.Sha256;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
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
    /** The module that runs as a worker; the page does not import it. */
    static final String SOCKET = "socket.js";

    /** What a module imports, also as a worker. */
    private static final Pattern IMPORT = Pattern.compile("(?:from|import|new URL\\()\\s*['\"]([\\w./-]+\\.js)['\"]");

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
        addModule(assets, "app.js");
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

    /** Adds a module, of the page or of the library, and all that it imports. */
    private static void addModule(Map<String, Buffer> assets, String name) {
        boolean own = PageAssets.class.getResource(OWN + name) != null;
        Buffer module = Buffer.buffer(bytes((own ? OWN : LIBRARY) + name));
        assets.put(name, module);
        IMPORT.matcher(module.toString())
                .results()
                .map(imported -> URI.create(name).resolve(imported.group(1)).getPath())
                .filter(imported -> !assets.containsKey(imported))
                .forEach(imported -> addModule(assets, imported));
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
