package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.cli.ServedNode;
import dev.loopkeeper.cli.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * What README and docs instruct a reader to type is typed, in a folder and a home of its own, into a program that is
 * installed as a reader has it. The list of it is in {@code target/document-commands.txt}.
 */
@Execution(ExecutionMode.CONCURRENT)
class DocumentCommandsIT {
    /** All that is not typed. */
    private static final Map<String, String> NOT_RUN = Map.ofEntries(
            Map.entry(
                    "README.md: mvn verify                                             # runs all tests",
                    "is the build that runs this test"),
            Map.entry(
                    "docs/cluster.md: conf/cluster/three-nodes.sh up       # a PostgreSQL of its own and three nodes; prints their URLs",
                    "needs an installed PostgreSQL"),
            Map.entry(
                    "docs/cluster.md: loopkeeper submit my.yaml --data three-nodes/n1 --workspace three-nodes/work/my",
                    "needs an installed PostgreSQL"),
            Map.entry("docs/cluster.md: loopkeeper runs --data three-nodes/n2", "needs an installed PostgreSQL"),
            Map.entry(
                    "docs/cluster.md: conf/cluster/three-nodes.sh kill 1   # another node takes its runs over",
                    "needs an installed PostgreSQL"),
            Map.entry("docs/cluster.md: loopkeeper nodes --data three-nodes/n2", "needs an installed PostgreSQL"),
            Map.entry(
                    "docs/cluster.md: conf/cluster/three-nodes.sh up       # starts it again",
                    "needs an installed PostgreSQL"),
            Map.entry(
                    "docs/cluster.md: conf/cluster/three-nodes.sh cut 2    # off from the database; `heal 2` lets it in again",
                    "needs an installed PostgreSQL"),
            Map.entry("docs/cluster.md: conf/cluster/three-nodes.sh down", "needs an installed PostgreSQL"),
            Map.entry(
                    "docs/cluster.md: psql -c \"ALTER SYSTEM SET ssl = on\" -c \"SELECT pg_reload_conf()\"",
                    "changes a database's server"),
            Map.entry(
                    "docs/cluster.md: echo 'hostssl loopkeeper loopkeeper 10.0.0.0/24 scram-sha-256' >> pg_hba.conf",
                    "changes a database's server"),
            Map.entry(
                    "docs/operations.md: mvn -Pplain,dist -Dmaven.test.skip verify",
                    "is a build; its tests run what it made"),
            Map.entry("docs/operations.md: apt install ./loopkeeper_0.1.0_amd64.deb", "needs root"),
            Map.entry("docs/operations.md: apt install ./loopkeeper_0.2.0_all.deb", "needs root"),
            Map.entry("docs/operations.md: systemctl enable --now loopkeeper", "needs systemd; serve stands for it"),
            Map.entry("docs/operations.md: systemctl --user enable --now loopkeeper", "needs systemd, as above"),
            Map.entry("docs/operations.md: systemctl restart loopkeeper", "needs systemd, as above"),
            Map.entry("docs/operations.md: systemctl stop loopkeeper", "needs systemd, as above"),
            Map.entry("docs/operations.md: systemctl kill loopkeeper", "needs systemd, as above"),
            Map.entry("docs/operations.md: systemctl start loopkeeper", "needs systemd, as above"),
            Map.entry(
                    "docs/operations.md: useradd --system --create-home --home-dir /var/lib/loopkeeper"
                            + " --shell /usr/sbin/nologin loopkeeper",
                    "needs root"),
            Map.entry("docs/operations.md: chown -R loopkeeper: /var/lib/loopkeeper/data", "needs root"),
            Map.entry("docs/recipes.md: crontab -l", "needs cron; its line is typed"));

    private static final Set<String> READ = Set.of(
            "README.md",
            "docs/cli.md",
            "docs/cluster.md",
            "docs/control-files.md",
            "docs/http.md",
            "docs/operations.md",
            "docs/recipes.md",
            "docs/tutorial.md");

    private static final List<String> REPORT = new ArrayList<>();

    @TempDir
    private static Path prefix;

    @TempDir
    private Path folder;

    @BeforeAll
    static void install() throws IOException, InterruptedException {
        Files.createDirectories(prefix.resolve("bin"));
        Files.createDirectories(prefix.resolve("lib"));
        Files.copy(Path.of("../../loopkeeper"), prefix.resolve("bin/loopkeeper"));
        assertThat(prefix.resolve("bin/loopkeeper").toFile().setExecutable(true))
                .isTrue();
        Files.createSymbolicLink(
                prefix.resolve("lib/loopkeeper.jar"),
                Path.of(System.getProperty("loopkeeper.jar")).toAbsolutePath());
        ProcessBuilder first = new ProcessBuilder(
                        prefix.resolve("bin/loopkeeper").toString(), "--version")
                .redirectErrorStream(true)
                .redirectOutput(prefix.resolve("first").toFile());
        first.environment().put("JAVA_HOME", System.getProperty("java.home"));
        assertThat(first.start().waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(prefix.resolve("first")).content().startsWith("loopkeeper ");
    }

    @AfterAll
    static void writeReport() throws IOException {
        Files.createDirectories(Path.of("target"));
        Files.write(Path.of("target/document-commands.txt"), REPORT);
    }

    private Reader reader(String document) throws IOException {
        return new Reader(document, folder, prefix.resolve("bin"), NOT_RUN);
    }

    private static synchronized void isThrough(String document, Reader reader) {
        reader.isThrough();
        REPORT.add(document);
        reader.report.forEach(line -> REPORT.add("    " + line.replace("\n", "\n    ")));
    }

    private void script(String name, String body) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + body + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private static List<Path> documents() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("../../docs"))) {
            List<Path> documents = new ArrayList<>(
                    files.filter(file -> file.toString().endsWith(".md")).toList());
            documents.add(Path.of("../../README.md"));
            return documents;
        }
    }

    @Test
    void everyDocumentWithCommandsIsReadAndWhatIsLeftOutIsInOne() throws IOException {
        Set<String> documents = new TreeSet<>();
        Set<String> commands = new TreeSet<>();
        for (Path document : documents()) {
            String name = Path.of("../..").relativize(document).toString();
            for (Fence fence : Fence.of(document)) {
                for (Fence.Command command : fence.commands()) {
                    documents.add(name);
                    commands.add(name + ": " + command.text());
                }
            }
        }
        assertThat(documents).isEqualTo(new TreeSet<>(READ));
        assertThat(commands).containsAll(NOT_RUN.keySet());
    }

    @Test
    void theReadmeIsTyped() throws IOException {
        Files.createSymbolicLink(folder.resolve("loopkeeper"), prefix.resolve("bin/loopkeeper"));
        Path original = Path.of("../../conf/examples");
        try (Stream<Path> files = Files.walk(original)) {
            for (Path file : files.filter(path -> !path.toString().contains(".loopkeeper"))
                    .toList()) {
                Path copy = folder.resolve("conf/examples").resolve(original.relativize(file));
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
        try (Reader reader = reader("README.md")) {
            usesTheArchive(reader);
            assertThat(reader.types("./loopkeeper run conf/examples/improve-report.yaml"))
                    .contains("is completed");
            reader.skips("mvn verify");
            reader.types("loopkeeper init --agent claude-code");
            assertThat(folder.resolve("loopkeeper.yaml")).content().contains("make test");
            assertThat(folder.resolve("prompts/work.md")).exists();
            isThrough("README.md", reader);
        }
    }

    @Test
    void theTutorialIsTyped() throws IOException {
        try (Reader reader = new Reader("docs/tutorial.md", folder, prefix.resolve("bin"), NOT_RUN)) {
            reader.types("PATH=");
            reader.types("mkdir -p ~/first && cd ~/first");
            reader.types("cat >dev.sh");
            reader.types("cat >judge.sh");
            reader.types("chmod +x dev.sh judge.sh");
            reader.types("cat >loopkeeper.yaml");
            reader.types("loopkeeper validate");
            assertThat(reader.types("loopkeeper run")).contains("passed: iteration 3: SUCCESS");
            reader.types("sed -i.bak");
            assertThat(reader.types("loopkeeper run", 4)).contains("missing_signals");
            assertThat(reader.types("loopkeeper explain -")).contains("missing_signals", "retry_iteration");
            reader.types("mv dev.sh.bak dev.sh");
            assertThat(reader.types("loopkeeper resume - retry_iteration")).contains("completed");
            // As long as the test wants, not as a reader does.
            reader.means("sleep 20", "touch ~/begun; while [ ! -e ~/go ]; do sleep 0.1; done");
            reader.types("rm lines.txt");
            reader.types("loopkeeper serve >~/serve.log");
            reader.own("server=$!");
            untilServed();
            reader.types("until loopkeeper status");
            reader.types("loopkeeper submit");
            Awaitility.await().until(() -> Files.exists(folder.resolve("home/begun")));
            reader.types("kill -9 $!");
            reader.own("wait $server || [ $? = 137 ]");
            reader.types("loopkeeper serve >~/serve.log");
            untilServed();
            assertThat(reader.types("until loopkeeper status")).contains("1 adopted");
            reader.own("touch ~/go");
            assertThat(reader.types("loopkeeper watch -")).contains("is completed");
            reader.types("kill $! && wait");
            reader.types("sed -i 2d dev.sh && rm lines.txt");
            reader.types("git init -q");
            reader.types("echo 'isolation");
            reader.types("git add .");
            assertThat(reader.types("loopkeeper run")).contains("iteration 3: SUCCESS", "1 file changed, +3");
            assertThat(reader.types("loopkeeper diff -")).contains("+line 3");
            reader.types("loopkeeper merge -");
            assertThat(reader.types("cat lines.txt")).contains("line 3");
            reader.own("mkdir ~/mine && cd ~/mine");
            reader.types("loopkeeper init --agent claude-code");
            assertThat(folder.resolve("home/mine/loopkeeper.yaml")).content().contains("make test");
            isThrough("docs/tutorial.md", reader);
        }
    }

    /** Each look of the reader before then is a program that starts for nothing. */
    private void untilServed() {
        Path log = folder.resolve("home/serve.log");
        Awaitility.await()
                .until(() -> Files.exists(log) && Files.readString(log).contains("serves at"));
    }

    /** On the data folder of the shell, where no command of the document starts a server. */
    private ServedNode server() {
        return new ServedNode(folder.resolve(".loopkeeper-data"), "--allow-workspace", folder.toString());
    }

    /** Of the same data folder, in this process: a program takes a second of the processor to start. */
    private Terminal terminal() {
        return new Terminal(folder.resolve(".loopkeeper-data"));
    }

    @Test
    void theGuideToHttpIsTyped() throws IOException {
        Path project = Files.createDirectories(folder.resolve("project"));
        try (Reader reader = reader("docs/http.md");
                ServedNode server = server()) {
            reader.means("/srv/project", project);
            reader.meets(server.url());
            reader.types("url=");
            assertThat(reader.types("curl -s \"$url/runs?status=running,paused\""))
                    .contains("\"runs\"");
            assertThat(reader.types("curl -s -X POST \"$url/runs\"")).contains("\"runId\"", "\"hello\"");
            reader.types("run=$(");
            String run = reader.own("printf %s \"$run\"").strip();
            assertThat(terminal().type("wait", run, "--for", "paused,ended").exitCode())
                    .isEqualTo(4);
            assertThat(reader.types("curl -s \"$url/runs/$run/explain\"")).contains("missing_signals");
            assertThat(reader.types("curl -s -X POST \"$url/runs/$run/resume\""))
                    .contains("\"runId\"")
                    .doesNotContain("\"code\"");
            assertThat(terminal().type("wait", run, "--for", "paused,ended").exitCode())
                    .isEqualTo(4);
            assertThat(reader.types("curl -s \"$url/runs/$run/steps/")).contains("use the old schema");
            assertThat(reader.types("curl -s \"$url/runs/$run/diff?view=patch\""))
                    .contains("no-worktree");
            assertThat(reader.types("curl -s -X POST \"$url/runs/$run/stop?wait=30s\""))
                    .contains("\"stopped\"");
            reader.watches("curl -sN \"$url/stream\"", "snapshot");
            reader.passes("java", "python");
            isThrough("docs/http.md", reader);
        }
    }

    @Test
    void makesClusterCertificatesAsDocumented() throws IOException {
        try (Reader reader = reader("docs/cluster.md")) {
            reader.skips("conf/cluster/three-nodes.sh up");
            reader.skips("loopkeeper submit");
            reader.skips("loopkeeper runs");
            reader.skips("conf/cluster/three-nodes.sh kill 1");
            reader.skips("loopkeeper nodes");
            reader.skips("conf/cluster/three-nodes.sh up");
            reader.skips("conf/cluster/three-nodes.sh cut 2");
            reader.skips("conf/cluster/three-nodes.sh down");
            certificate(reader, "ca.crt", "server.crt");
            reader.types("chmod 600 server.key");
            reader.skips("psql");
            reader.skips("echo 'hostssl");
            isThrough("docs/cluster.md", reader);
        }
    }

    private static void certificate(Reader reader, String authority, String made) throws IOException {
        reader.types("openssl req -x509");
        reader.types("openssl req -newkey");
        reader.types("printf 'subjectAltName");
        reader.types("openssl x509 -req");
        assertThat(reader.own("openssl verify -CAfile " + authority + " " + made))
                .contains(made + ": OK");
    }

    @Test
    void controlFilesAreTyped() throws IOException {
        Path work = Files.createDirectories(folder.resolve("work"));
        Files.writeString(work.resolve("loopkeeper.yaml"), """
                name: long
                agents: {dev: {command: 'while [ -e loopkeeper.yaml ]; do sleep 0.1; done', timeout: 20m}}
                phases: [{name: work, task: dev}]
                """);
        try (Reader reader = reader("docs/control-files.md");
                ServedNode server = server()) {
            reader.meets(server.url());
            reader.passes("json");
            Terminal.CommandOutput submitted = terminal()
                    .type(
                            "submit",
                            work.resolve("loopkeeper.yaml").toString(),
                            "--workspace",
                            work.toString(),
                            "--run-id",
                            "long-1");
            assertThat(submitted.exitCode()).as(submitted.err()).isZero();
            reader.own("WORKSPACE='" + work + "' RUN=long-1");
            reader.types("mkdir -p \"$WORKSPACE/.loopkeeper/control\" && cd");
            reader.types("printf");
            reader.types("mv");
            Terminal.CommandOutput ended = terminal().type("wait", "long-1", "--for", "ended");
            assertThat(ended.exitCode()).isEqualTo(6);
            assertThat(ended.out() + ended.err()).contains("wrong branch");
            isThrough("docs/control-files.md", reader);
        }
    }

    @Test
    void theReferenceOfTheCommandLineIsTyped() throws IOException {
        Path config = folder.resolve("loopkeeper.conf");
        Files.writeString(config, "data: data\nport: 0\nallowWorkspace: [.]\n");
        try (Reader reader = reader("docs/cli.md")) {
            reader.means("/etc/loopkeeper/loopkeeper.conf", config);
            assertThat(reader.types("loopkeeper serve --config /etc/loopkeeper/loopkeeper.conf --check"))
                    .contains("KEY", config + ":3", "LOOPKEEPER_PORT");
            reader.own("loopkeeper serve &");
            reader.meetsServer();
            assertThat(reader.types("loopkeeper status")).contains("ready", "disk", "event store");
            isThrough("docs/cli.md", reader);
        }
    }

    /** As the profile dist makes it, with what is needed to run; the jar stays a link to the one of the build. */
    private void usesTheArchive(Reader reader) throws IOException {
        reader.own("mkdir -p made/loopkeeper-0.1.0 && cp -R '" + prefix + "/.' made/loopkeeper-0.1.0"
                + " && cp -R '" + Path.of("../../conf").toAbsolutePath() + "' made/loopkeeper-0.1.0"
                + " && tar -C made -cf - loopkeeper-0.1.0 | gzip -1 >loopkeeper-0.1.0.tar.gz"
                + " && cp loopkeeper-0.1.0.tar.gz loopkeeper-0.1.0-linux-x64.tar.gz"
                + " && sha256sum *.tar.gz >SHA256SUMS");
        reader.types("tar -xzf loopkeeper-0.1.0-linux-x64.tar.gz");
        reader.types("loopkeeper-0.1.0/bin/loopkeeper init");
        assertThat(reader.types("loopkeeper-0.1.0/bin/loopkeeper run")).contains("is completed");
        reader.own("rm -r example loopkeeper-0.1.0");
    }

    @Test
    void operationsAreTyped() throws IOException {
        Path data = folder.resolve("data");
        Path config = folder.resolve("loopkeeper.conf");
        Files.writeString(config, "data: data\nport: 0\n");
        try (Reader reader = reader("docs/operations.md")) {
            reader.means("/var/lib/loopkeeper/data", data);
            reader.means("/backup", Files.createDirectories(folder.resolve("backup")));
            reader.skips("mvn ");
            usesTheArchive(reader);
            reader.skips("apt install");
            reader.skips("systemctl enable");
            reader.own("loopkeeper serve --config '" + config + "' &");
            reader.meetsServer();
            assertThat(reader.types("loopkeeper status --server")).contains("ready");
            installs(reader);
            reader.types("loopkeeper init --example");
            assertThat(reader.types("loopkeeper run example/")).contains("is completed");
            reader.types("loopkeeper serve --config /etc/loopkeeper/loopkeeper.conf --check");
            upgrades(reader);
            reader.own("export LOOPKEEPER_DATA='" + data + "'");
            backs(reader, data);
            reader.passes("");
            reader.own("export LOOPKEEPER_DATA='" + folder.resolve("of-its-own") + "'");
            usesAServerOfItsOwn(reader);
            isThrough("docs/operations.md", reader);
        }
    }

    private void installs(Reader reader) throws IOException {
        Path usr = Files.createDirectories(folder.resolve("usr/lib")).getParent();
        assertThat(reader.types("sha256sum -c")).contains("OK");
        reader.types("mkdir -p ~/.local/lib ~/.local/bin");
        reader.types("tar -xzf");
        reader.types("ln -s");
        reader.own("hash -r; command -v loopkeeper | grep -q '/.local/bin/'");
        assertThat(reader.types("loopkeeper doctor")).contains("yes");
        reader.types("mkdir -p ~/.config/systemd/user");
        reader.types("sed ");
        reader.own(
                "grep -qx \"ExecStart=$HOME/.local/bin/loopkeeper serve\" ~/.config/systemd/user/loopkeeper.service");
        reader.skips("systemctl --user");
        reader.means("/usr/", usr + "/");
        reader.means("/etc/loopkeeper", folder.resolve("etc/loopkeeper"));
        Files.createDirectories(usr.resolve("bin"));
        reader.types("tar -xzf");
        reader.types("ln -s loopkeeper-0.1.0");
        reader.types("ln -s ../lib");
        reader.types("mkdir -p /etc/loopkeeper");
        reader.skips("useradd");
        reader.types("sed ");
        assertThat(folder.resolve("etc/loopkeeper/loopkeeper.conf")).content().contains("\ndata: " + folder);
        Files.createDirectories(folder.resolve("etc/systemd/system"));
        reader.means("/etc/systemd/system", folder.resolve("etc/systemd/system"));
        reader.types("cp ");
        assertThat(folder.resolve("etc/systemd/system/loopkeeper.service")).isNotEmptyFile();
        reader.skips("systemctl enable");
        reader.own("usr/bin/loopkeeper --version");
    }

    private void upgrades(Reader reader) throws IOException {
        reader.skips("apt install");
        reader.types("loopkeeper status");
        reader.own("mv made/loopkeeper-0.1.0 made/loopkeeper-0.2.0"
                + " && tar -C made -cf - loopkeeper-0.2.0 | gzip -1 >loopkeeper-0.2.0.tar.gz");
        reader.types("tar -xzf loopkeeper-0.2.0");
        reader.types("ln -sfn");
        assertThat(folder.resolve("usr/lib/loopkeeper").toRealPath()).endsWithRaw(Path.of("loopkeeper-0.2.0"));
        reader.skips("systemctl restart");
    }

    /** While a run is busy, which then continues from the copy. */
    private void backs(Reader reader, Path data) throws IOException {
        Files.writeString(folder.resolve("busy.yaml"), """
                name: busy
                agents: {dev: {command: 'true', timeout: 1m}}
                phases: [{name: work, loop: {steps: [dev], until: iterations, maxIterations: 30}}]
                """);
        boolean copies = Files.isExecutable(Path.of("/usr/bin/sqlite3"));
        reader.own("loopkeeper submit busy.yaml --run-id busy");
        Awaitility.await().until(() -> Files.exists(data.resolve("runs/busy/steps/work.6.dev.1")));
        reader.types("tar -C /var/lib/loopkeeper/data");
        reader.types("sqlite3", copies ? 0 : 127);
        assertThat(folder.resolve("backup/owner.lock")).doesNotExist();
        reader.skips("systemctl stop");
        reader.skips("systemctl kill");
        reader.own("kill $background; wait $background || :; background=");
        reader.types("mv ");
        reader.types("cp -a");
        reader.skips("chown");
        reader.skips("systemctl start");
        if (copies) {
            // A step that was at work when the files were copied pauses the first resume.
            assertThat(reader.own("loopkeeper resume busy || loopkeeper resume busy || loopkeeper show busy"))
                    .contains("busy is completed");
        }
    }

    private void usesAServerOfItsOwn(Reader reader) throws IOException {
        reader.types("mkdir -p ~/.config/loopkeeper");
        reader.types("(umask 077");
        reader.means("LOOPKEEPER_PORT=7421", "LOOPKEEPER_PORT=0");
        reader.types("printf");
        reader.skips("systemctl --user");
        reader.own("(set -a; . ~/.config/loopkeeper/environment; exec loopkeeper serve) &");
        Awaitility.await().until(() -> Files.exists(folder.resolve("of-its-own/server.json")));
        reader.own("loopkeeper status && exit 1 || [ $? = 2 ]");
        reader.types("export");
        assertThat(reader.types("loopkeeper status")).contains("ready");
    }

    @Test
    void recipesAreTyped() throws IOException {
        Path project = Files.createDirectories(folder.resolve("project"));
        try (Reader reader = reader("docs/recipes.md")) {
            reader.means("/srv/project", project);
            reader.passes("yaml", "yaml", "yaml", "yaml");
            reader.writes("project/tidy.md");
            reader.writes("project/nightly.yaml");
            reader.skips("crontab -l");
            script(
                    "home/.local/bin/claude",
                    "cat >prompt.txt\nmkdir -p .loopkeeper\n"
                            + "echo '{\"determination\":\"SUCCESS\"}' >.loopkeeper/dev.json\n"
                            + "echo '{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"num_turns\":1,"
                            + "\"total_cost_usd\":0.5,\"usage\":{\"input_tokens\":3,\"output_tokens\":2}}'");
            script("home/.local/bin/mail", "printf '%s\\n' \"$*\" >>mails");
            reader.own("(" + line("docs/recipes.md", "0 2 * * * ") + ")");
            assertThat(project.resolve("prompt.txt"))
                    .content()
                    .contains("--determination PROGRESS")
                    .doesNotContain("{{");
            assertThat(project.resolve("mails")).content().contains("nightly", "me@example.org");
            reader.writes("policy.yaml");
            reader.types("loopkeeper apply policy.yaml");
            assertThat(reader.types("loopkeeper caps")).contains("night");
            reader.passes("yaml");
            script("fix.sh", "touch fixed");
            script("home/.local/bin/make", "[ -e fixed ]");
            List<Fence> fences = Fence.of(Path.of("../../docs/recipes.md"));
            Files.writeString(
                    folder.resolve("loop.yaml"), fences.get(fences.size() - 1).text());
            reader.own("CI_PROJECT_DIR=$PWD");
            reader.types("loopkeeper run loop.yaml");
            reader.types("case $code in");
            assertThat(folder.resolve(".loopkeeper-data/events.db")).isNotEmptyFile();
            reader.passes("yaml");
            isThrough("docs/recipes.md", reader);
        }
    }

    /** What stands behind this beginning of a line. */
    private static String line(String document, String beginning) throws IOException {
        return Files.readAllLines(Path.of("../..", document)).stream()
                .filter(line -> line.startsWith(beginning))
                .map(line -> line.substring(beginning.length()))
                .findFirst()
                .orElseThrow();
    }
}
