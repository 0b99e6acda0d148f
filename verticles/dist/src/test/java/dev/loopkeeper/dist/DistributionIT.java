package dev.loopkeeper.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Installs what was built as a stranger does, without Maven and without a checkout, and works with it. */
class DistributionIT {
    private static final Path TARBALL = Path.of(System.getProperty("dist.tarball"));
    private static final Path COMPLETE = Path.of(System.getProperty("dist.complete.tarball"));
    private static final Path PACKAGE = Path.of(System.getProperty("dist.package"));
    private static final String NAME = "loopkeeper-" + System.getProperty("dist.version");
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    Path folder;

    private final List<Process> started = new ArrayList<>();
    private Path prefix;

    @BeforeEach
    void install() throws IOException, InterruptedException {
        prefix = installed("opt");
    }

    @AfterEach
    void endAll() {
        started.forEach(Process::destroyForcibly);
    }

    private Path installed(String name) throws IOException, InterruptedException {
        return installed(name, TARBALL);
    }

    private Path installed(String name, Path tarball) throws IOException, InterruptedException {
        Path root = Files.createDirectories(folder.resolve(name));
        assertThat(said(0, List.of("tar", "-xzf", tarball.toString(), "-C", root.toString())))
                .isEmpty();
        return root.resolve(NAME);
    }

    private Process start(Path log, List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", "/usr/bin:/bin");
        builder.environment().put("HOME", folder.toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        started.add(process);
        return process;
    }

    /** What the command printed, once it ended so. */
    private String said(int exitCode, List<String> command) throws IOException, InterruptedException {
        Path log = Files.createTempFile(folder, "said", ".log");
        Process process = start(log, command);
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        String text = Files.readString(log);
        assertThat(process.exitValue()).as(text).isEqualTo(exitCode);
        return text;
    }

    private String type(String... words) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(prefix.resolve("bin/loopkeeper").toString()));
        command.addAll(List.of(words));
        return said(0, command);
    }

    @Test
    void theMainJobRunsFromAnEmptyPrefix() throws IOException, InterruptedException {
        assertThat(type("--version")).isEqualTo("loopkeeper " + System.getProperty("dist.version") + "\n");
        String example = prefix.resolve("conf/examples/improve-report.yaml").toString();
        assertThat(type("run", example, "--data", folder.resolve("data").toString(), "--run-id", "report-1"))
                .contains("report-1 is completed");
        assertThat(type("doctor", "--data", folder.resolve("data").toString())).contains("yes");
    }

    @Test
    void everythingThatBelongsToItIsThere() throws IOException, InterruptedException {
        for (String file : List.of(
                "README.md",
                "LICENSE",
                "CHANGELOG.md",
                "sbom.json",
                "conf/loopkeeper.yaml",
                "conf/systemd/loopkeeper.service",
                "conf/monitoring/prometheus-alerts.yml",
                "docs/README.md",
                "licenses/THIRD-PARTY.txt",
                "share/man/man1/loopkeeper.1",
                "share/completions/loopkeeper.bash")) {
            assertThat(prefix.resolve(file)).as(file).isNotEmptyFile();
        }
        Matcher libraries = Pattern.compile("\"purl\" : \"pkg:maven/[^/]+/([^@]+)@")
                .matcher(Files.readString(prefix.resolve("sbom.json")));
        String licences = Files.readString(prefix.resolve("licenses/THIRD-PARTY.txt"));
        int found = 0;
        while (libraries.find()) {
            if (!libraries.group(1).startsWith("loopkeeper")) {
                assertThat(licences).contains(":" + libraries.group(1) + ":");
                found++;
            }
        }
        assertThat(found).isGreaterThan(20);
        everyLicenceIsThere(licences);
        type(
                "serve",
                "--check",
                "--config",
                prefix.resolve("conf/loopkeeper.yaml").toString(),
                "--data",
                "x");
    }

    /** The text of each licence that is named: Apache's is our own, one of the public domain has none. */
    private void everyLicenceIsThere(String libraries) throws IOException {
        Path folder = prefix.resolve("licenses");
        for (String line :
                libraries.lines().filter(text -> text.contains(" - ")).toList()) {
            String library = line.replaceFirst(".*\\([^:]+:([^:]+):([^ ]+) - .*", "$1-$2-jar");
            assertThat(line.contains("Apache")
                            || line.contains("Public Domain")
                            || line.contains("(EPL-2.0)") && Files.exists(folder.resolve("EPL-2.0.txt"))
                            || Files.isDirectory(folder.resolve(library)))
                    .as(line)
                    .isTrue();
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.filter(Files::isDirectory).toList()) {
                assertThat(each).isNotEmptyDirectory();
            }
        }
    }

    @Test
    void theChecksumsAreThoseOfTheFiles() throws IOException, InterruptedException {
        assertThat(said(0, List.of("sh", "-c", "cd '" + TARBALL.getParent() + "' && sha256sum -c SHA256SUMS"))
                        .lines()
                        .toList())
                .hasSize(6)
                .allMatch(line -> line.endsWith(": OK"));
    }

    /** The command line of the unit with its paths put where this was installed. */
    private List<String> unitCommand(Path home, Path config) throws IOException {
        String unit = Files.readString(home.resolve("conf/systemd/loopkeeper.service"));
        assertThat(unit).contains("\nKillMode=process\n", "\nType=exec\n", "\nLimitNOFILE=", "\nDelegate=pids\n");
        Matcher line = Pattern.compile("(?m)^ExecStart=(.*)$").matcher(unit);
        assertThat(line.find()).isTrue();
        String command = line.group(1)
                .replace("/usr/lib/loopkeeper", home.toString())
                .replace("/etc/loopkeeper/loopkeeper.conf", config.toString());
        return List.of(command.split(" "));
    }

    /** What systemd says of each unit; another program is put in the unit, as Loopkeeper is not installed where it looks. */
    @Test
    void systemdKnowsEveryKeyOfTheUnits() throws IOException, InterruptedException {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/systemd-analyze")), "systemd is not installed");
        for (String unit : List.of("loopkeeper.service", "user/loopkeeper.service")) {
            Path copy = folder.resolve(unit.replace('/', '-'));
            Files.writeString(
                    copy,
                    Files.readString(prefix.resolve("conf/systemd/" + unit))
                            .replaceAll("(?m)^ExecStart=.*$", "ExecStart=/bin/true"));
            assertThat(said(0, List.of("systemd-analyze", "verify", "--man=no", copy.toString())))
                    .isEmpty();
        }
    }

    private String url(Path log) {
        return Awaitility.await()
                .atMost(PATIENCE)
                .until(
                        () -> {
                            Matcher line =
                                    Pattern.compile("serves at (http\\S+)").matcher(Files.readString(log));
                            return line.find() ? line.group(1) : "";
                        },
                        found -> !found.isEmpty());
    }

    private static String get(String url) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void anUpgradeToAnotherPackageUnderAnOpenRunAdoptsItsAgentAndARemovalLeavesTheData()
            throws IOException, InterruptedException {
        Path data = folder.resolve("data");
        Path go = folder.resolve("go");
        Path agent = folder.resolve("agent.sh");
        Files.writeString(
                agent,
                "#!/bin/sh\necho \"$$\" >>'" + folder + "/began'\n" + "while [ -d '" + folder + "' ] && [ ! -e '" + go
                        + "' ]; do sleep 0.1; done\n");
        assertThat(agent.toFile().setExecutable(true)).isTrue();
        Path manifest = folder.resolve("long.yaml");
        Files.writeString(
                manifest,
                "name: long\nagents: {dev: {command: [" + agent + "], timeout: 10m}}\n"
                        + "phases: [{name: work, task: dev}]\n");
        Path config = folder.resolve("loopkeeper.conf");
        Files.writeString(config, "data: data\nport: 0\n");

        Path firstLog = folder.resolve("first.log");
        Process first = start(firstLog, unitCommand(prefix, config));
        url(firstLog);
        type("submit", manifest.toString(), "--run-id", "long-1", "--data", data.toString());
        Awaitility.await().atMost(PATIENCE).until(() -> Files.exists(folder.resolve("began")));
        // As systemd does it with KillMode=process: the main process alone.
        first.destroy();
        assertThat(first.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(first.exitValue()).isEqualTo(143);

        said(0, List.of("rm", "-rf", prefix.toString()));
        prefix = installed("upgraded", COMPLETE);
        Path secondLog = folder.resolve("second.log");
        Process second = start(secondLog, unitCommand(prefix, config));
        String url = url(secondLog);
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> get(url + "/metrics").contains("loopkeeper_steps_adopted_total 1.0"));
        Files.writeString(go, "");
        assertThat(type("wait", "long-1", "--data", data.toString(), "--timeout", "2m"))
                .contains("completed");
        assertThat(Files.readAllLines(folder.resolve("began")))
                .as("launched once")
                .hasSize(1);
        second.destroy();
        assertThat(second.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

        said(0, List.of("rm", "-rf", prefix.toString()));
        assertThat(data.resolve("events.db")).isNotEmptyFile();
        prefix = installed("again");
        assertThat(type("show", "long-1", "--data", data.toString())).contains("long-1 is completed");
    }

    @Test
    void thePackageHasItsFilesAndScriptsThatAreShell() throws IOException, InterruptedException {
        Path root = folder.resolve("root");
        Path control = folder.resolve("control");
        said(0, List.of("dpkg-deb", "-x", PACKAGE.toString(), root.toString()));
        said(0, List.of("dpkg-deb", "-e", PACKAGE.toString(), control.toString()));
        assertThat(control.resolve("conffiles")).content().contains("/etc/loopkeeper/loopkeeper.conf");
        for (String script : List.of("postinst", "prerm", "postrm")) {
            said(0, List.of("sh", "-n", control.resolve(script).toString()));
            assertThat(control.resolve(script))
                    .as("nobody waits for Java while dpkg works")
                    .content()
                    .doesNotContainPattern("(?m)^[^#]*bin/loopkeeper");
        }
        for (String file : List.of(
                "usr/lib/systemd/system/loopkeeper.service",
                "usr/lib/systemd/user/loopkeeper.service",
                "usr/share/man/man1/loopkeeper.1.gz",
                "usr/share/bash-completion/completions/loopkeeper",
                "usr/share/doc/loopkeeper/licenses/THIRD-PARTY.txt")) {
            assertThat(root.resolve(file)).as(file).isNotEmptyFile();
        }
        assertThat(root.resolve("etc/loopkeeper/loopkeeper.conf"))
                .content(StandardCharsets.UTF_8)
                .contains("\ndata: /var/lib/loopkeeper/data\n");
        assertThat(Files.readSymbolicLink(root.resolve("usr/bin/loopkeeper")))
                .isEqualTo(Path.of("../lib/loopkeeper/bin/loopkeeper"));
        assertThat(said(0, List.of(root.resolve("usr/bin/loopkeeper").toString(), "--version")))
                .startsWith("loopkeeper ");
    }
}
