package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.client.HttpResponse;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page as it comes over HTTP; no browser takes part. */
class DashboardTest {
    private static final Pattern ADDRESS = Pattern.compile("(?:src|href)=\"(assets/[^\"]+)\"");
    private static final Pattern IMPORT = Pattern.compile("(?:from|import)\\s*['\"](\\.[\\w./-]+)['\"]");

    @TempDir
    Path data;

    private GatewayFixture fixture;
    private HttpResponse<Buffer> page;
    private String html;

    @BeforeEach
    void open() {
        fixture = GatewayFixture.plain(data);
        page = fixture.get("!/");
        html = page.bodyAsString();
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static Set<String> all(Pattern pattern, String text) {
        Set<String> names = new TreeSet<>();
        pattern.matcher(text).results().forEach(match -> names.add(match.group(1)));
        return names;
    }

    /** As a browser resolves them, since they are relative to the page. */
    private Set<String> addresses() {
        return all(ADDRESS, html).stream().map("/"::concat).collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<Path> sources() throws IOException, URISyntaxException {
        URI folder = Objects.requireNonNull(DashboardTest.class.getResource("dashboard/index.html"))
                .toURI();
        try (Stream<Path> files = Files.list(Path.of(folder).getParent())) {
            return files.sorted().toList();
        }
    }

    @Test
    void itsPolicyLetsRunWhatThisServerServesAndNothingElse() {
        assertThat(page.getHeader("Content-Security-Policy"))
                .isEqualTo("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                        + "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
        assertThat(page.getHeader("Cache-Control")).isEqualTo("no-cache");
        assertThat(html).doesNotContain("<style", "style=", "onclick=", "http:", "https:", "//cdn", "{assets}");
    }

    @Test
    void everyPartOfItIsServedForGood() throws Exception {
        Set<String> addresses = addresses();
        assertThat(addresses).hasSizeGreaterThan(sources().size());
        for (String address : addresses) {
            HttpResponse<Buffer> part = fixture.get("!" + address);
            assertThat(part.statusCode()).as(address).isEqualTo(200);
            assertThat(part.getHeader("Content-Type"))
                    .as(address)
                    .startsWith(address.endsWith(".css") ? "text/css" : "text/javascript");
            assertThat(part.getHeader("Cache-Control")).as(address).contains("immutable");
            assertThat(part.getHeader("X-Content-Type-Options")).as(address).isEqualTo("nosniff");
            Set<String> wanted = all(IMPORT, part.bodyAsString());
            URI base = URI.create(address);
            assertThat(wanted)
                    .as("imports of " + address)
                    .allSatisfy(name ->
                            assertThat(addresses).contains(base.resolve(name).toString()));
        }
    }

    @Test
    void aPartOfAnotherVersionIsNotMixedIn() {
        String address = addresses().iterator().next();
        String other = address.replaceAll("/assets/[0-9a-f]+/", "/assets/0123456789abcdef/");
        assertThat(fixture.get("!" + other).statusCode()).isEqualTo(404);
        assertThat(fixture.get("!" + address.replaceAll("[^/]+$", "openapi.json"))
                        .statusCode())
                .isEqualTo(404);
        assertThat(fixture.get("!" + address.replaceAll("[^/]+$", "..%2findex.html"))
                        .statusCode())
                .isEqualTo(404);
    }

    @Test
    void itsScriptsMakeNoMarkupOfWhatAgentsSay() throws Exception {
        for (Path source : sources()) {
            assertThat(Files.readString(source))
                    .as(source.toString())
                    .doesNotContain(
                            "innerHTML",
                            "insertAdjacentHTML",
                            "document.write",
                            "eval(",
                            "Function(",
                            "unsafe",
                            "@import");
        }
    }

    @Test
    void everySourceIsServed() throws Exception {
        String folder = addresses().iterator().next().replaceAll("[^/]+$", "");
        assertThat(sources().stream().map(source -> source.getFileName().toString()))
                .filteredOn(name -> name.endsWith(".js"))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(fixture.get("!" + folder + name).statusCode())
                        .isEqualTo(200));
    }
}
