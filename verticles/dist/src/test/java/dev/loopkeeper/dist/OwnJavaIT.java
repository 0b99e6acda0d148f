package dev.loopkeeper.dist;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

/** The packages that bring their own Java, on a machine that has none and whose variables name a bad one. */
class OwnJavaIT {
    private static final Path TARGET = Path.of(System.getProperty("dist.target"));
    private static final String VERSION = System.getProperty("dist.version");
    private static final int PATIENCE_SECONDS = 420;
    private static final String NO_JAVA_STARTS = "-XX:NoSuchOption";

    @TempDir
    Path folder;

    private final List<Process> started = new ArrayList<>();
    private Path programs;

    /** All programs on the path but those of Java. */
    @BeforeEach
    void hideJava() throws IOException {
        programs = Files.createDirectory(folder.resolve("programs"));
        for (String path : System.getenv("PATH").split(":")) {
            File[] all = new File(path).listFiles();
            for (File each : all == null ? new File[0] : all) {
                Path link = programs.resolve(each.getName());
                if (!each.getName().startsWith("java") && !Files.exists(link, LinkOption.NOFOLLOW_LINKS)) {
                    Files.createSymbolicLink(link, each.toPath());
                }
            }
        }
    }

    @AfterEach
    void endAll() throws IOException {
        started.forEach(Process::destroyForcibly);
        // JUnit would warn of each.
        try (Stream<Path> links = Files.list(programs)) {
            for (Path link : links.toList()) {
                Files.delete(link);
            }
        }
    }

    private Process start(Path log, List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", programs.toString());
        builder.environment().put("HOME", folder.toString());
        builder.environment().put("LANG", "C");
        builder.environment().put("JAVA_HOME", "/nonexistent");
        builder.environment().put("JAVA_TOOL_OPTIONS", NO_JAVA_STARTS);
        Process process = builder.start();
        started.add(process);
        return process;
    }

    private String said(int exitCode, String... command) throws IOException, InterruptedException {
        Path log = Files.createTempFile(folder, "said", ".log");
        Process process = start(log, List.of(command));
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        String text = Files.readString(log);
        assertThat(process.exitValue()).as(text).isEqualTo(exitCode);
        return text;
    }

    private boolean succeeds(List<String> command, String last) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(command);
        words.add(last);
        Process process = start(folder.resolve("tried.log"), words);
        return process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
    }

    private Path unpacked(Path where) throws IOException, InterruptedException {
        Files.createDirectories(where);
        said(0, "tar", "-xzf", System.getProperty("dist.complete.tarball"), "-C", where.toString());
        return where.resolve("loopkeeper-" + VERSION);
    }

    private Path manifest(String agent) throws IOException {
        Path manifest = folder.resolve("work.yaml");
        Files.writeString(
                manifest,
                "name: work\nagents: {dev: {command: " + agent + ", timeout: 10m}}\n"
                        + "phases: [{name: work, task: dev}]\n");
        return manifest;
    }

    private void runsAnAgentWithTheCallersVariables(String loopkeeper) throws IOException, InterruptedException {
        Path manifest = manifest("'printf %s \"$JAVA_TOOL_OPTIONS $JAVA_HOME\" >seen'");
        assertThat(said(0, loopkeeper, "--version")).isEqualTo("loopkeeper " + VERSION + "\n");
        assertThat(said(0, loopkeeper, "run", manifest.toString())).contains("completed");
        assertThat(folder.resolve("seen")).hasContent(NO_JAVA_STARTS + " /nonexistent");
    }

    @Test
    void theTarballRunsWhereItWasMovedAndFromAReadOnlyFolder() throws IOException, InterruptedException {
        Path first = unpacked(folder.resolve("first"));
        Path moved = Files.move(first, folder.resolve("moved away"));
        said(0, "chmod", "-R", "a-w", moved.toString());
        runsAnAgentWithTheCallersVariables(moved.resolve("bin/loopkeeper").toString());
        assertThat(said(0, moved.resolve("bin/loopkeeper").toString(), "doctor", "--data", "data"))
                .contains("yes");
        said(0, "chmod", "-R", "u+w", moved.toString());
    }

    /** With {@code -Xshare:on} Java starts only where it can use the archive. */
    @Test
    void itsClassArchiveIsUsedAlsoWhereItWasMoved() throws IOException, InterruptedException {
        Path moved = Files.move(unpacked(folder.resolve("first")), folder.resolve("second"));
        String[] command = {
            "env",
            "LOOPKEEPER_JAVA_OPTS=-Xshare:on",
            moved.resolve("bin/loopkeeper").toString(),
            "--version"
        };
        assertThat(said(0, command)).startsWith("loopkeeper ");
        Files.setLastModifiedTime(moved.resolve("lib/loopkeeper.jar"), FileTime.fromMillis(0));
        said(1, command);
    }

    @Test
    void eachPackageIsSmallEnoughAndListsWhatIsInIt() throws IOException, InterruptedException {
        Path root = unpacked(folder.resolve("first"));
        String java = Files.readAllLines(root.resolve("lib/runtime/release")).stream()
                .filter(line -> line.startsWith("JAVA_VERSION="))
                .map(line -> line.split("\"")[1])
                .findFirst()
                .orElseThrow();
        assertThat(root.resolve("sbom.json")).content().contains("pkg:generic/openjdk@" + java);
        assertThat(root.resolve("lib/runtime/legal/java.base")).isNotEmptyDirectory();
        String debian = System.getProperty("dist.complete.package");
        assertThat(said(
                        0,
                        "sh",
                        "-c",
                        "dpkg-deb --fsys-tarfile \"$0\" | tar -xO ./usr/share/doc/loopkeeper/sbom.json",
                        debian))
                .isEqualTo(Files.readString(root.resolve("sbom.json")));
        for (String name : List.of("loopkeeper-npm-", "loopkeeper-npm-linux-x64-")) {
            String npm = TARGET.resolve(name + VERSION + ".tgz").toString();
            assertThat(said(0, "tar", "-tzf", npm)).contains("package/sbom.json\n", "package/LICENSE\n");
        }
        for (String file : List.of(System.getProperty("dist.complete.tarball"), debian)) {
            assertThat(Files.size(Path.of(file))).as(file).isLessThan(68_000_000);
        }
    }

    @Test
    void nothingIsExecutedInTheTemporaryFolder() throws IOException, InterruptedException {
        List<String> mounting = List.of("unshare", "--map-root-user", "--mount", "sh", "-c");
        Assumptions.assumeTrue(succeeds(mounting, "mount --bind /tmp /tmp"), "mounts are not permitted here");
        Path root = unpacked(folder.resolve("here"));
        Path manifest = Files.move(manifest("[true]"), root.resolve("work.yaml"));
        // The installation itself lies below /tmp, so it is seen elsewhere, too.
        String mounts =
                "mount --bind '" + root + "' /mnt && mount --bind /tmp /tmp && mount -o remount,bind,noexec /tmp"
                        + " && ! '" + root + "/bin/loopkeeper' --version && exec /mnt/bin/loopkeeper run /mnt/"
                        + manifest.getFileName();
        List<String> command = new ArrayList<>(mounting);
        command.add(mounts);
        assertThat(said(0, command.toArray(String[]::new))).contains("completed");
    }

    @Test
    void thePackageNeedsNoJava() throws IOException, InterruptedException {
        Path root = folder.resolve("root");
        String file = System.getProperty("dist.complete.package");
        assertThat(said(0, "dpkg-deb", "-f", file, "Architecture", "Depends"))
                .contains("amd64")
                .doesNotContain("java");
        said(0, "dpkg-deb", "-x", file, root.toString());
        runsAnAgentWithTheCallersVariables(root.resolve("usr/bin/loopkeeper").toString());
    }

    /** The address of the server that prints to this file, such as {@code https://127.0.0.1:7420}. */
    private String serves(Path log) {
        Pattern line = Pattern.compile("serves at (http\\S+)");
        return Awaitility.await()
                .atMost(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .until(() -> line.matcher(Files.readString(log)).results().toList(), found -> !found.isEmpty())
                .get(0)
                .group(1);
    }

    /** Ciphers, time zones and beans of management are loaded by name, so only a use shows that they are there. */
    @Test
    void itsJavaHasCiphersForBothSidesOfTlsAndTheTimeZones() throws IOException, InterruptedException {
        String loopkeeper =
                unpacked(folder.resolve("first")).resolve("bin/loopkeeper").toString();
        String[] keys = "openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -keyout key.pem -out cert.pem"
                .split(" ");
        said(0, keys);
        Path log = folder.resolve("served.log");
        start(
                log,
                List.of(
                        loopkeeper,
                        "serve",
                        "--port",
                        "0",
                        "--data",
                        "data",
                        "--tls-cert",
                        "cert.pem",
                        "--tls-key",
                        "key.pem"));
        assertThat(serves(log)).startsWith("https:");
        said(0, loopkeeper, "submit", manifest("[\"true\"]").toString(), "--run-id", "work-1", "--data", "data");
        assertThat(said(0, loopkeeper, "wait", "work-1", "--data", "data")).contains("completed");
        assertThat(said(0, loopkeeper, "schedules", "next", "0 2 1 7 *", "--zone", "Europe/Berlin"))
                .contains("-07-01T02:00:00+02:00");
    }

    /** Much of the database's client and of the event bus is loaded by name. */
    @Test
    void twoNodesShareADatabaseAndAnEventBus() throws IOException, InterruptedException {
        String loopkeeper =
                unpacked(folder.resolve("first")).resolve("bin/loopkeeper").toString();
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort() - 100;
        }
        String members = "127.0.0.1:" + port + ",127.0.0.2:" + port;
        try (EmbeddedPostgres database = EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(TARGET.resolve("postgres").toFile())
                .setPGStartupWait(Duration.ofMinutes(2))
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .start()) {
            String store = "postgresql://postgres@127.0.0.1:" + database.getPort() + "/postgres";
            for (String node : List.of("1", "2")) {
                String words = "serve --port 0 --node n" + node + " --data data" + node + " --store " + store
                        + " --cluster " + members + " --cluster-bind 127.0.0." + node + ":" + port;
                List<String> command = new ArrayList<>(List.of(loopkeeper));
                command.addAll(List.of(words.split(" ")));
                start(folder.resolve("node" + node), command);
            }
            Awaitility.await()
                    .atMost(PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .until(() -> Stream.of("node1", "node2").allMatch(node -> joined(folder.resolve(node))));
            String first = serves(folder.resolve("node1"));
            String second = serves(folder.resolve("node2"));
            String manifest = manifest("[\"true\"]").toString();
            said(0, loopkeeper, "submit", manifest, "--run-id", "work-1", "--server", first);
            assertThat(said(0, loopkeeper, "wait", "work-1", "--server", second))
                    .contains("completed");
        }
    }

    private static boolean joined(Path log) {
        try {
            return Files.readString(log).contains("joined the cluster's event bus");
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Test
    void itsServerHasMetricsOfTheMachineAndIsHealthyForAContainer() throws IOException, InterruptedException {
        String loopkeeper =
                unpacked(folder.resolve("first")).resolve("bin/loopkeeper").toString();
        Path log = folder.resolve("served.log");
        start(log, List.of(loopkeeper, "serve", "--port", "0", "--data", "data"));
        URI url = URI.create(serves(log));
        String metrics = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(url.resolve("/metrics")).build(), HttpResponse.BodyHandlers.ofString())
                .body();
        assertThat(metrics)
                .contains(
                        "\njvm_memory_used_bytes{",
                        "\njvm_gc_",
                        "\nprocess_cpu_",
                        "\nprocess_files_open_files ",
                        "\nloopkeeper_build_info{");
        Matcher check = Pattern.compile("(?m)^ *CMD (\\[\"bash\".*\\])$")
                .matcher(Files.readString(Path.of("../../conf/Containerfile")));
        assertThat(check.find()).isTrue();
        List<String> words = new JsonArray(check.group(1).replace("7420", String.valueOf(url.getPort())))
                .stream().map(String::valueOf).toList();
        said(0, words.toArray(String[]::new));
    }

    /** A copy of this machine, which goes with its mounts. */
    @Test
    void dpkgInstallsUpgradesRemovesAndPurgesThePackageWhoseServiceAdoptsAgents()
            throws IOException, InterruptedException {
        Assumptions.assumeTrue(succeeds(List.of("unshare", "--mount"), "true"), "only root mounts");
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/sbin/adduser")), "adduser is not installed");
        Path machine = Files.createDirectory(folder.resolve("machine"));
        String script = Path.of("src/test/sh/install-package").toAbsolutePath().toString();
        said(0, "unshare", "--mount", "sh", script, machine.toString(), System.getProperty("dist.complete.package"));
    }

    /** Answers as the registry of npm does for both packages. Returns its URL. */
    private String registry(HttpServer server) throws IOException, InterruptedException {
        String url = "http://127.0.0.1:" + server.getAddress().getPort();
        for (String name : List.of("loopkeeper-npm-", "loopkeeper-npm-linux-x64-")) {
            Path file = TARGET.resolve(name + VERSION + ".tgz");
            JsonObject version = new JsonObject(said(0, "tar", "-xzOf", file.toString(), "package/package.json"));
            assertThat(version.fieldNames())
                    .as("runs nothing when it is installed")
                    .doesNotContain("scripts");
            version.put("dist", new JsonObject().put("tarball", url + "/" + file.getFileName()));
            JsonObject all = new JsonObject()
                    .put("name", version.getString("name"))
                    .put("dist-tags", new JsonObject().put("latest", VERSION))
                    .put("versions", new JsonObject().put(VERSION, version));
            answers(server, "/" + version.getString("name"), all.toBuffer().getBytes());
            answers(server, "/" + file.getFileName(), Files.readAllBytes(file));
        }
        return url;
    }

    private static void answers(HttpServer server, String path, byte[] body) {
        server.createContext(path, exchange -> {
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
    }

    private String npm(String registry, Path prefix, String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("env", "npm_config_registry=" + registry));
        command.addAll(List.of("npm_config_prefix=" + prefix, "npm_config_audit=false", "npm_config_fund=false"));
        command.add("npm_config_update_notifier=false");
        command.addAll(List.of(words));
        return said(0, command.toArray(String[]::new));
    }

    @Test
    void npmInstallsAProgramWhoseSignalsAndExitCodesArriveAndRemovesIt() throws IOException, InterruptedException {
        Assumptions.assumeTrue(Files.exists(programs.resolve("npm")), "npm is not installed");
        Path prefix = folder.resolve("prefix");
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
        try {
            String registry = registry(server);
            npm(registry, prefix, "npm", "install", "--global", "loopkeeper");
            assertThat(npm(registry, folder.resolve("unused"), "npx", "--yes", "loopkeeper", "--version"))
                    .isEqualTo("loopkeeper " + VERSION + "\n");
        } finally {
            server.stop(0);
        }
        String program = prefix.resolve("bin/loopkeeper").toString();
        runsAnAgentWithTheCallersVariables(program);
        assertThat(said(2, program, "run", "no such file.yaml")).contains("no such file.yaml");
        assertThat(said(1, program, "run", manifest("[\"false\"]").toString())).contains("failed");
        for (Map.Entry<String, Integer> signal : Map.of("INT", 130, "TERM", 143).entrySet()) {
            Path pid = folder.resolve(signal.getKey());
            Process run = start(
                    folder.resolve("run.log"),
                    List.of(
                            program,
                            "run",
                            manifest("'echo $$ >" + pid + "; exec sleep 600'").toString()));
            Awaitility.await()
                    .atMost(PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .until(() -> Files.exists(pid) && Files.size(pid) > 0);
            said(0, "kill", "-" + signal.getKey(), String.valueOf(run.pid()));
            assertThat(run.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(run.exitValue()).isEqualTo(signal.getValue());
            said(1, "kill", "-0", Files.readString(pid).strip());
        }
        npm("http://127.0.0.1:9", prefix, "npm", "uninstall", "--global", "loopkeeper");
        assertThat(prefix.resolve("bin")).isEmptyDirectory();
        assertThat(prefix.resolve("lib/node_modules")).isEmptyDirectory();
    }

    @Test
    void npmInstallsBothFilesWithoutARegistry() throws IOException, InterruptedException {
        Assumptions.assumeTrue(Files.exists(programs.resolve("npm")), "npm is not installed");
        Path prefix = folder.resolve("prefix");
        npm(
                "http://127.0.0.1:9",
                prefix,
                "npm",
                "install",
                "--offline",
                "--global",
                TARGET.resolve("loopkeeper-npm-linux-x64-" + VERSION + ".tgz").toString(),
                TARGET.resolve("loopkeeper-npm-" + VERSION + ".tgz").toString());
        assertThat(said(0, prefix.resolve("bin/loopkeeper").toString(), "--version"))
                .startsWith("loopkeeper ");
    }
}
