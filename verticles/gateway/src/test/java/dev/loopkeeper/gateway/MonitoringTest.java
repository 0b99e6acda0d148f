package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.loopkeeper.contract.NodeChannels;
import dev.loopkeeper.contract.NodeChannels.NodeFigures;
import dev.loopkeeper.embed.Keeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.gateway.access.GatewayOptions;
import dev.loopkeeper.json.Json;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table of metrics, the dashboard and the alert rules name what {@code /metrics} has. */
class MonitoringTest {
    private static final Path TABLE = Path.of("../../docs/metrics.md");
    private static final Path DASHBOARD = Path.of("../../conf/monitoring/grafana-dashboard.json");
    private static final Path ALERTS = Path.of("../../conf/monitoring/prometheus-alerts.yml");
    private static final Path CASES = Path.of("../../conf/monitoring/prometheus-alerts-test.yml");
    private static final Pattern NAME = Pattern.compile("\\bloopkeeper_[a-z_]+\\b");

    @TempDir
    private Path folder;

    private static Set<String> names(String text) {
        return NAME.matcher(text).results().map(found -> found.group()).collect(Collectors.toCollection(TreeSet::new));
    }

    /** A histogram stands in the table by the name of the whole. */
    private static String whole(String name) {
        return name.replaceAll("_(bucket|count|sum|max)$", "");
    }

    private String scrapeAfterARun() throws IOException, InterruptedException {
        Path data = folder.resolve("data");
        LoopkeeperOptions options = LoopkeeperOptions.of(data).with(new Gateway(GatewayOptions.loopback(0, data)));
        try (Keeper keeper = new Keeper(data, folder.resolve("workspace"), options)) {
            keeper.script("dev.sh", "echo '{\"verdict\":\"approved\",\"usage\":{\"costUsd\":0.5}}' >dev.json");
            String runId = keeper.start("""
                    name: measured
                    agents: {dev: {command: ./dev.sh, signal: dev.json}}
                    phases: [{name: build, task: dev}]
                    """);
            assertThat(keeper.until(runId, "completed", "failed").path("status").asText())
                    .isEqualTo("completed");
            // As a node of a cluster, which has some more.
            NodeFigures figures = new NodeFigures(1, 1, 0, 0, 0, OptionalLong.of(0), OptionalLong.of(0));
            Keeper.await(
                    NodeChannels.FIGURES.serve(keeper.vertx().eventBus(), asked -> Future.succeededFuture(figures)));
            WebApi.of(keeper)
                    .ask(
                            HttpMethod.PUT,
                            "/policy",
                            Map.of(),
                            "{\"pools\": {\"shared\": {\"places\": 2}}, \"caps\": [{\"name\": \"night\", \"costUsd\": 2, \"per\": \"day\"}],"
                                    + " \"schedules\": [{\"name\": \"nightly\", \"cron\": \"@daily\", \"manifest\": \"/missing\"}]}");
            WebApi.of(keeper).post("/schedules/nightly/fire", "{}");
            URI uri = URI.create(keeper.url() + "/metrics");
            Awaitility.await().until(() -> scrape(uri).contains("loopkeeper_runs_ended_total"));
            return scrape(uri);
        }
    }

    private static String scrape(URI uri) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void whatIsNamedIsThereAndWhatIsThereIsInTheTable() throws IOException, InterruptedException {
        String metrics = scrapeAfterARun();
        Set<String> real = names(metrics.replaceAll("(?m)^#.*$", ""));
        assertThat(metrics)
                .contains(
                        "loopkeeper_agent_cost_usd_total{agent=\"dev\"} 0.5",
                        "loopkeeper_pool_places{pool=\"shared\"} 2.0",
                        "loopkeeper_pool_cool_down_seconds{pool=\"shared\"} 0.0",
                        "loopkeeper_cap_used_ratio{cap=\"night\"} 0.25",
                        "loopkeeper_schedule_failed{schedule=\"nightly\"} 1.0")
                .containsPattern("loopkeeper_disk_free_bytes [1-9]")
                .containsPattern("loopkeeper_store_bytes [1-9]");
        assertThat(real).containsAll(names(Files.readString(DASHBOARD)));
        assertThat(real).containsAll(names(expressions()));
        Set<String> wholes = real.stream().map(MonitoringTest::whole).collect(Collectors.toCollection(TreeSet::new));
        assertThat(names(Files.readString(TABLE))).isEqualTo(wholes);
    }

    private static JsonNode alerts() throws IOException {
        return new ObjectMapper(new YAMLFactory()).readTree(ALERTS.toFile()).at("/groups/0/rules");
    }

    private static String expressions() throws IOException {
        return String.join("\n", alerts().findValuesAsText("expr"));
    }

    @Test
    void everyAlertHasItsRowAndEveryPanelAQuery() throws IOException {
        String table = Files.readString(TABLE);
        assertThat(alerts()).hasSizeGreaterThan(5);
        for (JsonNode alert : alerts()) {
            assertThat(table).contains("| `" + alert.path("alert").asText() + "` | ");
            assertThat(alert.path("annotations").path("summary").asText()).isNotBlank();
            assertThat(alert.path("annotations").path("runbook_url").asText()).endsWith("/metrics.html#alerts");
            assertThat(table).contains("\n## Alerts\n");
        }
        for (JsonNode panel : Json.MAPPER.readTree(DASHBOARD.toFile()).path("panels")) {
            assertThat(panel.path("targets").findValuesAsText("expr"))
                    .as(panel.path("title").asText())
                    .isNotEmpty();
        }
    }

    /** Not the whole language, but what a slip breaks: a bracket, a function, a label, a range. */
    @Test
    void expressionsAreWhatPrometheusReads() throws IOException {
        List<String> all = new ArrayList<>(alerts().findValuesAsText("expr"));
        all.addAll(Json.MAPPER.readTree(DASHBOARD.toFile()).findValuesAsText("expr"));
        assertThat(all).hasSizeGreaterThan(15);
        Set<String> words =
                Set.of("sum", "by", "rate", "increase", "histogram_quantile", "or", "and", "time", "max", "min");
        Set<String> labels = Set.of(
                "instance",
                "job",
                "status",
                "reason",
                "agent",
                "cap",
                "pool",
                "schedule",
                "kind",
                "termination",
                "le",
                "node",
                "state",
                "result");
        for (String expression : all) {
            String rest = expression;
            for (String bare = ""; !bare.equals(rest); ) {
                bare = rest;
                rest = rest.replaceAll("\"[^\"]*\"", "0").replaceAll("\\[(\\d+[smhd]|\\$__\\w+)]", "");
                rest = rest.replaceAll("\\([^(){}]*\\)|\\{[^(){}]*}", " ");
            }
            assertThat(rest).as(expression).doesNotContainPattern("[(){}\\[\\]]");
            Matcher names =
                    Pattern.compile("(?<![\\w$.])[a-z_]+\\b(?!\\w)").matcher(expression.replaceAll("\"[^\"]*\"", ""));
            while (names.find()) {
                String name = names.group();
                assertThat(words.contains(name)
                                || labels.contains(name)
                                || name.equals("up")
                                || name.startsWith("loopkeeper_"))
                        .as(name + " in " + expression)
                        .isTrue();
            }
        }
        for (JsonNode alert : alerts()) {
            assertThat(alert.path("for").asText("0s")).matches("\\d+[smh]");
            assertThat(alert.at("/labels/severity").asText()).isIn("warning", "critical", "info");
        }
    }

    /** What promtool says of the files; the test is left out where it is not installed. */
    private void promtool(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("promtool"));
        command.addAll(List.of(words));
        Process tool;
        try {
            tool = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("said").toFile())
                    .start();
        } catch (IOException absent) {
            Assumptions.abort("promtool is not installed");
            return;
        }
        assertThat(tool.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(tool.exitValue())
                .as(Files.readString(folder.resolve("said")))
                .isZero();
    }

    @Test
    void prometheusTakesTheAlertRules() throws IOException, InterruptedException {
        promtool("check", "rules", ALERTS.toString());
    }

    @Test
    void alertsFireAtWhatTheyAreForAndAtNothingElse() throws IOException, InterruptedException {
        promtool("test", "rules", CASES.toString());
    }

    @Test
    void everyAlertHasACaseInWhichItFires() throws IOException {
        List<String> fired = new ArrayList<>();
        new ObjectMapper(new YAMLFactory())
                .readTree(CASES.toFile())
                .findValues("alert_rule_test")
                .forEach(cases -> cases.forEach(one -> {
                    if (!one.path("exp_alerts").isEmpty()) {
                        fired.add(one.path("alertname").asText());
                    }
                }));
        assertThat(fired).containsExactlyElementsOf(alerts().findValuesAsText("alert"));
    }
}
