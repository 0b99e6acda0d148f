package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.client.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page as it comes over HTTP; no browser takes part. */
class DashboardTest {
    private static final Pattern SCRIPT = Pattern.compile("<script>(.*)</script>", Pattern.DOTALL);
    private static final Pattern STYLE = Pattern.compile("<style>(.*)</style>", Pattern.DOTALL);
    private static final Pattern WANTED = Pattern.compile("byId\\('([a-z-]+)'\\)");
    private static final Pattern ID = Pattern.compile(" id=\"([a-z-]+)\"");

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

    private static String found(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        assertThat(matcher.find()).as(pattern.pattern()).isTrue();
        return matcher.group(1);
    }

    private static Set<String> all(Pattern pattern, String text) {
        Set<String> names = new TreeSet<>();
        pattern.matcher(text).results().forEach(match -> names.add(match.group(1)));
        return names;
    }

    private static String hash(String text) throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
    }

    @Test
    void itsPolicyLetsRunWhatIsInItAndNothingElse() throws Exception {
        assertThat(page.getHeader("Content-Security-Policy"))
                .isEqualTo("default-src 'none'; script-src " + hash(found(SCRIPT, html)) + "; style-src "
                        + hash(found(STYLE, html)) + "; connect-src 'self'; base-uri 'none'; form-action 'none'; "
                        + "frame-ancestors 'none'");
        assertThat(html).doesNotContain("src=", "<link", "@import", "url(", "style=", "onclick=", "//cdn");
    }

    @Test
    void itsScriptMakesNoMarkupOfWhatAgentsSay() {
        assertThat(found(SCRIPT, html))
                .doesNotContain(
                        "innerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "/*script*/");
    }

    @Test
    void everyPartThatTheScriptAsksForIsOnThePage() {
        assertThat(all(WANTED, found(SCRIPT, html))).isNotEmpty().isSubsetOf(all(ID, html));
    }

    @Test
    void everyPathThatTheScriptAsksForIsServed() {
        String script = found(SCRIPT, html);
        assertThat(script)
                .contains("'/stream'", "'events'", "'explain'", "'steps'", "'log'", "'stop'", "'pause'", "'resume'");
        Contract contract = Contract.ofProgram();
        Set<String> paths = contract.document().getJsonObject("paths").fieldNames();
        assertThat(paths)
                .contains("/stream", "/runs/{runId}/events", "/runs/{runId}/explain", "/runs/{runId}/steps")
                .contains("/runs/{runId}/steps/{stepId}/log", "/runs/{runId}/stop", "/runs/{runId}/resume");
    }
}
