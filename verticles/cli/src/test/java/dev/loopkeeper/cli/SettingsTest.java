package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.cli.session.SettingsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Model.OptionSpec;

/** {@code serve} takes its options from a configuration file, strictly, and says where each came from. */
class SettingsTest {
    private static final Path TEMPLATE = Path.of("../../conf/loopkeeper.yaml");

    @TempDir
    Path folder;

    private Terminal terminal;
    private Path config;

    @BeforeEach
    void prepare() {
        terminal = new Terminal(folder.resolve("data"));
        config = folder.resolve("loopkeeper.conf");
    }

    private Terminal.CommandOutput check(String text, String... words) throws IOException {
        Files.writeString(config, text);
        List<String> all = new ArrayList<>(List.of("serve", "--config", config.toString(), "--check", "--json"));
        all.addAll(List.of(words));
        return terminal.type(all.toArray(new String[0]));
    }

    private static JsonNode setting(Terminal.CommandOutput result, String key) {
        assertThat(result.exitCode()).as(result.err()).isZero();
        for (JsonNode each : result.json().path("settings")) {
            if (each.path("key").asText().equals(key)) {
                return each;
            }
        }
        throw new AssertionError(key + " is not in " + result.out());
    }

    @Test
    void aWrongVariableIsNamed() throws IOException {
        terminal.environment.put("LOOPKEEPER_PORT", "some");
        assertThat(check("maxRuns: 2\n").err()).contains("'some'", "(from LOOPKEEPER_PORT)");
        assertThat(check("maxRuns: 2\n", "--port", "other").err())
                .contains("'other'")
                .doesNotContain("LOOPKEEPER_PORT");
    }

    @Test
    void aFlagWinsOverAVariableOverTheFileOverTheDefault() throws IOException {
        String text = "port: 1001\nmaxRuns: 2\nrateLimit: 3\n";
        terminal.environment.put("LOOPKEEPER_PORT", "1002");
        terminal.environment.put("LOOPKEEPER_MAX_RUNS", "5");
        Terminal.CommandOutput result = check(text, "--port", "1003");
        assertThat(setting(result, "port").path("value").asText()).isEqualTo("1003");
        assertThat(setting(result, "port").path("where").asText()).isEqualTo("--port");
        assertThat(setting(result, "maxRuns").path("value").asText()).isEqualTo("5");
        assertThat(setting(result, "maxRuns").path("where").asText()).isEqualTo("LOOPKEEPER_MAX_RUNS");
        assertThat(setting(result, "rateLimit").path("value").asText()).isEqualTo("3");
        assertThat(setting(result, "rateLimit").path("where").asText()).isEqualTo(config + ":3");
        assertThat(setting(result, "host").path("value").asText()).isEqualTo("127.0.0.1");
        assertThat(setting(result, "host").path("from").asText()).isEqualTo("default");
        assertThat(setting(result, "keepLogs").path("value").isNull()).isTrue();
    }

    @Test
    void aFlagThatIsTypedIsOnWhateverTheFileSays() throws IOException {
        for (boolean set : List.of(true, false)) {
            Terminal.CommandOutput result =
                    check("store: postgresql://somewhere/loop\ninsecureStore: " + set + "\n", "--insecure-store");
            assertThat(setting(result, "insecureStore").path("value").asText()).isEqualTo("true");
        }
    }

    @Test
    void optionsOfEveryCommandMayStandBeforeTheCommandAndInTheFile() throws IOException {
        Files.writeString(config, "data: kept\nlogFormat: text\n");
        terminal.environment.put("LOOPKEEPER_CONFIG", config.toString());
        Terminal.CommandOutput result = terminal.plain("serve", "--check", "--json");
        assertThat(setting(result, "data").path("value").asText())
                .isEqualTo(folder.resolve("kept").toString());
        assertThat(setting(result, "logFormat").path("from").asText()).isEqualTo("file");
        Terminal.CommandOutput typed = terminal.plain("--data", "/elsewhere", "serve", "--check", "--json");
        assertThat(setting(typed, "data").path("value").asText()).isEqualTo("/elsewhere");
        assertThat(setting(typed, "data").path("from").asText()).isEqualTo("flag");
    }

    @Test
    void pathsAreRelativeToTheFileAndListsAreLists() throws IOException {
        Files.createDirectories(folder.resolve("a"));
        Terminal.CommandOutput result = check("allowWorkspace: [a, /]\nagentEnv: [PATH, LC_*]\n");
        assertThat(setting(result, "allowWorkspace").path("value").asText()).isEqualTo(folder.resolve("a") + ", /");
        assertThat(setting(result, "agentEnv").path("value").asText()).isEqualTo("PATH, LC_*");
    }

    @Test
    void reportsAllProblemsOfTheFileWithTheirPositions() throws IOException {
        Terminal.CommandOutput result =
                check("prot: 1\nmaxRuns: many\nhost: [a]\nallowWorkspace: ['a:b']\nport: 99999999999\n");
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.err())
                .contains(config + ":1:1: prot: unknown key (did you mean port?)")
                .contains(config + ":2:10: maxRuns: expected a whole number, found \"many\"")
                .contains(config + ":3:7: host: expected a text")
                .contains(config + ":4:17: allowWorkspace: ")
                .contains(config + ":5:7: port: expected a whole number");
    }

    @Test
    void reportsAValueOutOfRangeWithFileAndLine() throws IOException {
        assertThat(check("# a port\nport: 70000\n").err()).contains(config + ":2: port must be 0 to 65535, was 70000");
        assertThat(check("logFormat: xml\n").err()).contains(config + ":1: logFormat must be one of text");
        Terminal.CommandOutput typed = check("port: 1\n", "--port", "70000");
        assertThat(typed.exitCode()).isEqualTo(2);
        assertThat(typed.err()).contains("--port must be 0 to 65535");
    }

    @Test
    void aKeyThatStandsTwiceAndAFileThatIsNotThereAreRefused() throws IOException {
        Terminal.CommandOutput twice = check("port: 1\nport: 2\n");
        assertThat(twice.exitCode()).isEqualTo(2);
        assertThat(twice.err()).contains(config + ":2:").contains("port");
        Terminal.CommandOutput absent = terminal.type("serve", "--check", "--config", "/nowhere/at-all");
        assertThat(absent.exitCode()).isEqualTo(2);
        assertThat(absent.err()).contains("/nowhere/at-all");
        assertThat(check("[1]").exitCode()).isEqualTo(2);
        assertThat(folder.resolve("data")).doesNotExist();
    }

    /** Each is refused with the file and, where it has one, the line; nothing breaks and nothing is read as what it is not. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "port: \"7420\"",
                "port: 1.5",
                "port: yes",
                "port: {a: 1}",
                "port: 7 4 2 0",
                "port: -1",
                "insecureStore: \"yes\"",
                "insecureStore: 1",
                "data: [a, b]",
                "data: ''",
                "allowWorkspace: 5",
                "agentEnv: [[PATH]]",
                "lease: soon",
                "lease: 5",
                "logLimit: a lot",
                "logLimit: -1GiB",
                "keepLogs: 30 days",
                "Port: 7420",
                "max-runs: 2",
                "serve: {port: 7420}",
                "- port: 7420",
                "port",
                "\"port: 7420",
                "port: 7420\n---\nport: 7421",
                "\tport: 7420",
                "port: 7420\n  host: a",
                "port: !!javax.script.ScriptEngineManager [a]",
                "data: &a [*a]",
                "data: \u0000",
                "data: \u0007",
                "data: \"a\\0b\"",
                "sharedRoot: [\"a\\0b\"]"
            })
    void whatIsHostileOrMistakenIsRefusedWithItsPosition(String text) throws IOException {
        Terminal.CommandOutput result = check("# first\n" + text + "\n");
        assertThat(result.exitCode())
                .as(text + "\n" + result.out() + result.err())
                .isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains(config.toString()).doesNotContain("internal error", "Exception", "\tat ");
    }

    @Test
    void aFileThatIsMadeToHarmIsRefusedAtOnce() throws IOException {
        StringBuilder laughs = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 12; i++) {
            laughs.append("a" + i + ": &a" + i + " [" + ("*a" + (i - 1) + ", ").repeat(9) + "*a" + (i - 1) + "]\n");
        }
        for (String text : List.of(
                laughs.toString(), "data: " + "[".repeat(20_000), "data: " + "a".repeat(8 << 20), "{".repeat(20_000))) {
            Terminal.CommandOutput result = check(text);
            assertThat(result.exitCode()).as(result.err()).isEqualTo(2);
            assertThat(result.err())
                    .contains(config.toString())
                    .doesNotContain("internal error", "StackOverflow")
                    .hasSizeLessThan(2_000);
        }
        Files.write(config, new byte[] {(byte) 0xff, (byte) 0xfe, 'p', 0, ':', 0, 1, 2, (byte) 0xc3, 0x28});
        Terminal.CommandOutput binary = terminal.type("serve", "--config", config.toString(), "--check");
        assertThat(binary.exitCode()).as(binary.err()).isEqualTo(2);
        assertThat(binary.err()).contains(config.toString());
        Terminal.CommandOutput folders = terminal.type("serve", "--config", folder.toString(), "--check");
        assertThat(folders.exitCode()).as(folders.err()).isEqualTo(2);
        assertThat(folders.err()).contains(folder + " is a folder").doesNotContain("Exception");
        Terminal.CommandOutput endless = terminal.type("serve", "--config", "/dev/zero", "--check");
        assertThat(endless.exitCode()).as(endless.err()).isEqualTo(2);
        assertThat(endless.err()).contains("/dev/zero is not a regular file");
    }

    /** What the template gives as the value of a key that has a default is that default. */
    @Test
    void theTemplateNamesTheDefaults() throws IOException {
        Map<String, String> named = new HashMap<>();
        Pattern.compile("(?m)^#([a-z][A-Za-z]*): (.*)$")
                .matcher(Files.readString(TEMPLATE))
                .results()
                .forEach(found -> named.put(found.group(1), found.group(2)));
        for (JsonNode each : check("# nothing\n").json().path("settings")) {
            String key = each.path("key").asText();
            if (each.path("from").asText().equals("default")
                    && !each.path("value").isNull()
                    && !List.of("data", "agentEnv", "insecureStore").contains(key)) {
                assertThat(named.get(key)).as(key).isEqualTo(each.path("value").asText());
            }
        }
    }

    @Test
    void theCheckRefusesWhatServeWouldAndStartsNothing() throws IOException {
        assertThat(check("host: 0.0.0.0\n").exitCode()).isEqualTo(2);
        assertThat(check("tokenFile: none\n").err())
                .contains(folder.resolve("none").toString());
        assertThat(check("tlsCert: a\n").err()).contains("--tls-key");
        assertThat(check("# nothing\n").exitCode()).isZero();
        assertThat(folder.resolve("data")).doesNotExist();
    }

    @Test
    void peopleReadATable() throws IOException {
        Files.writeString(config, "maxRuns: 2\n");
        String text =
                terminal.type("serve", "--check", "--config", config.toString()).out();
        assertThat(text).containsPattern("(?m)^maxRuns +2 +" + Pattern.quote(config + ":1") + "$");
        assertThat(text).containsPattern("(?m)^port +7420 +default$");
    }

    @Test
    void theTemplateHasEveryKeyAndSetsNone() throws IOException {
        String template = Files.readString(TEMPLATE);
        Set<String> named = Pattern.compile("(?m)^#([a-z][A-Za-z]*): ")
                .matcher(template)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        Terminal.CommandOutput result = check(template);
        Set<String> real = new TreeSet<>();
        result.json().path("settings").forEach(each -> real.add(each.path("key").asText()));
        assertThat(named).isEqualTo(real);
        result.json()
                .path("settings")
                .forEach(each -> assertThat(each.path("from").asText()).isNotEqualTo("file"));
    }

    @Test
    void theTemplateIsValidWhenEverythingInItIsSet() throws IOException {
        String all = Files.readString(TEMPLATE).replaceAll("(?m)^#([a-z][A-Za-z]*: )", "$1");
        var options = new CommandRunner(terminal.console(System.out, System.err), EmbeddedRoot::start)
                .commandLine()
                .getSubcommands()
                .get("serve")
                .getCommandSpec();
        List<OptionSpec> known = SettingsFile.options(options);
        Files.writeString(config, all);
        assertThat(SettingsFile.read(config, known)).isNotNull();
    }
}
