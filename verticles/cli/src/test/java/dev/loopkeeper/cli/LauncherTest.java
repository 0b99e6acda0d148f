package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shell script at the top level, in a copy with Java and Maven that only say what they were asked. */
class LauncherTest {
    private static final List<String> PROGRAMS = List.of(
            "sh",
            "readlink",
            "dirname",
            "find",
            "head",
            "mkdir",
            "flock",
            "cat",
            "touch",
            "sed",
            "stat",
            "rm",
            "sleep");

    private static final List<String> LOCALE = List.of("LC_ALL", "LC_CTYPE", "LANG");

    @TempDir
    Path folder;

    private final Map<String, String> environment = new HashMap<>();
    private Path checkout;
    private Path jdks;

    @BeforeEach
    void copy() throws IOException {
        checkout = Files.createDirectory(folder.resolve("check out"));
        jdks = Files.createDirectory(folder.resolve("jdks"));
        executable(checkout.resolve("loopkeeper"), Files.readString(Path.of("../../loopkeeper")));
        environment.put("LOOPKEEPER_JAVA_SEARCH", jdks.toString());
        environment.put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        environment.put("PATH", tools());
    }

    private static void executable(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    /** A folder with the programs that the launcher uses, and neither Java nor Maven. */
    private String tools() throws IOException {
        Path tools = Files.createDirectory(folder.resolve("tools"));
        for (String program : PROGRAMS) {
            Files.createSymbolicLink(tools.resolve(program), Path.of("/usr/bin", program));
        }
        return tools.toString();
    }

    private Path jdk(String name, String version) throws IOException {
        Path home = jdks.resolve(name);
        executable(
                home.resolve("bin/java"),
                "#!/bin/sh\n[ \"$1\" = -version ] && { echo 'openjdk version \"" + version + "\"' >&2; exit; }\necho \""
                        + name + ": $*\"\n");
        return home;
    }

    private void installed() throws IOException {
        Files.writeString(checkout.resolve("loopkeeper.jar"), "jar");
    }

    private void sources() throws IOException {
        Files.createDirectories(checkout.resolve("runtime/src/main"));
        Files.createDirectories(checkout.resolve("verticles/cli/src/main"));
        for (String pom : new String[] {"pom.xml", "runtime/pom.xml", "verticles/cli/pom.xml"}) {
            Files.writeString(checkout.resolve(pom), "<project/>");
        }
    }

    private void maven(String script) throws IOException {
        Path programs = folder.resolve("maven");
        executable(programs.resolve("mvn"), "#!/bin/sh\n" + script);
        environment.put("PATH", programs + ":" + environment.get("PATH"));
    }

    private Process start(String... words) throws IOException {
        List<String> command = Stream.concat(
                        Stream.of(checkout.resolve("loopkeeper").toString()), Stream.of(words))
                .toList();
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().keySet().removeIf(name -> name.contains("JAVA_") || name.startsWith("LOOPKEEPER"));
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static Terminal.CommandOutput said(Process process) throws Exception {
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Terminal.CommandOutput(process.exitValue(), out, err);
    }

    @Test
    void withoutJavaItSaysWhatToInstall() throws Exception {
        installed();
        Terminal.CommandOutput result = said(start("runs"));
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err())
                .isEqualTo("loopkeeper: no Java found; install a JDK 17 or newer, or set JAVA_HOME to one\n");
    }

    @Test
    void aJavaThatIsTooOldIsNamed() throws Exception {
        installed();
        assertThat(jdk("eight", "1.8.0_402")).exists();
        assertThat(jdk("eleven", "11.0.2")).exists();
        Terminal.CommandOutput result = said(start("runs"));
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("Java 11 is too old", "JDK 17");
    }

    @Test
    void usesTheNewestJavaAndPassesArgumentsUnchanged() throws Exception {
        installed();
        assertThat(jdk("a-21", "21.0.1")).exists();
        assertThat(jdk("b-25", "25")).exists();
        assertThat(jdk("c-17", "17.0.9")).exists();
        Terminal.CommandOutput result = said(start("show", "a b", "*"));
        assertThat(result.exitCode()).isZero();
        assertThat(result.out()).startsWith("b-25: ").endsWith("loopkeeper.jar show a b *\n");
        assertThat(result.err()).isEmpty();
    }

    @Test
    void javaHomeWinsWhereItIsNewEnough() throws Exception {
        installed();
        assertThat(jdk("b-25", "25")).exists();
        environment.put("JAVA_HOME", jdk("c-17", "17.0.9").toString());
        assertThat(said(start("runs")).out()).startsWith("c-17: ");
        environment.put("JAVA_HOME", jdk("old", "11.0.2").toString());
        assertThat(said(start("runs")).out()).startsWith("b-25: ");
    }

    @Test
    void aPackageWithItsOwnJavaUsesNoOther() throws Exception {
        installed();
        environment.put("JAVA_HOME", jdk("c-25", "25.0.1").toString());
        jdk("../check out/runtime", "21.0.1");
        Path libraries = Files.createDirectory(checkout.resolve("native"));
        Files.writeString(checkout.resolve("loopkeeper.jsa"), "classes");
        assertThat(said(start("runs")).out())
                .startsWith("../check out/runtime: ")
                .contains(" -Djna.boot.library.path=" + libraries + " ", " -Dorg.sqlite.lib.path=" + libraries + " ")
                .contains(" -XX:SharedArchiveFile=" + checkout.resolve("loopkeeper.jsa") + " ")
                .doesNotContain("AutoCreate");
    }

    @Test
    void optionsForAnotherJavaArePassedToAgentsOnly() throws Exception {
        installed();
        executable(
                jdks.resolve("a/bin/java"),
                "#!/bin/sh\n[ \"$1\" = -version ] && { echo 'openjdk version \"17\"' >&2; exit; }\n"
                        + "echo \"<${JAVA_TOOL_OPTIONS-}${_JAVA_OPTIONS-}>$*\"\n");
        environment.put("JAVA_TOOL_OPTIONS", "-Xmx1m -Dx='a b'");
        environment.put("_JAVA_OPTIONS", "-Xint");
        assertThat(said(start("runs")).out())
                .startsWith("<>")
                .contains(" -Dloopkeeper.inherited._JAVA_OPTIONS=-Xint "
                        + "-Dloopkeeper.inherited.JAVA_TOOL_OPTIONS=-Xmx1m -Dx='a b' ");
    }

    @Test
    void agentsFindLoopkeeperByItsName() throws Exception {
        installed();
        jdk("a", "17.0.9");
        String path = environment.get("PATH");
        assertThat(said(start("runs")).out()).contains(" -Dloopkeeper.inherited.PATH=" + path + ":" + checkout + " ");
        environment.put("PATH", path + ":" + checkout);
        assertThat(said(start("runs")).out()).doesNotContain("inherited.PATH");
    }

    @Test
    void itIsBuiltWhenItIsAbsentOrOld() throws Exception {
        sources();
        assertThat(jdk("c-17", "17.0.9")).exists();
        maven("echo built >>'" + folder + "/built'; touch '" + checkout + "/verticles/cli/target/loopkeeper.jar'\n");
        Terminal.CommandOutput first = said(start("runs"));
        assertThat(first.exitCode()).as(first.err()).isZero();
        assertThat(first.err())
                .matches("loopkeeper: building .*/verticles/cli/target/loopkeeper.jar, which takes a minute or two;"
                        + " the output of Maven is in .*/.loopkeeper-build.log\n");
        assertThat(said(start("runs")).err()).isEmpty();
        Files.writeString(checkout.resolve("verticles/cli/src/main/New.java"), "class New {}");
        environment.put("LOOPKEEPER_BUILD", "never");
        assertThat(said(start("runs")).err()).isEmpty();
        environment.remove("LOOPKEEPER_BUILD");
        assertThat(said(start("runs")).err()).startsWith("loopkeeper: building ");
        assertThat(folder.resolve("built")).content().isEqualTo("built\nbuilt\n");
    }

    @Test
    void twoFirstStartsBuildOnce() throws Exception {
        sources();
        assertThat(jdk("c-17", "17.0.9")).exists();
        maven("sleep 0.3; echo built >>'" + folder + "/built'; touch '" + checkout
                + "/verticles/cli/target/loopkeeper.jar'\n");
        Process one = start("runs");
        Process two = start("runs");
        assertThat(said(one).exitCode()).isZero();
        assertThat(said(two).exitCode()).isZero();
        assertThat(folder.resolve("built")).content().isEqualTo("built\n");
    }

    @Test
    void aBuildThatFailsIsShown() throws Exception {
        sources();
        assertThat(jdk("c-17", "17.0.9")).exists();
        maven("echo 'the compiler is cross'; exit 1\n");
        Terminal.CommandOutput result = said(start("runs"));
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("the compiler is cross", "the build failed");
        assertThat(result.out()).isEmpty();
    }

    @Test
    void nothingIsBuiltWhereThatIsNotWanted() throws Exception {
        sources();
        assertThat(jdk("c-17", "17.0.9")).exists();
        environment.put("LOOPKEEPER_BUILD", "never");
        Terminal.CommandOutput result = said(start("complete-words", "runs"));
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("is not built");
        assertThat(result.out()).isEmpty();
    }

    @Test
    void withoutMavenItSaysSo() throws Exception {
        sources();
        assertThat(jdk("c-17", "17.0.9")).exists();
        Terminal.CommandOutput result = said(start("runs"));
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("there is no mvn");
    }

    @Test
    void linksLeadToItAndTheCurrentFolderStaysAsItIs() throws Exception {
        Files.createDirectories(checkout.resolve("lib"));
        Files.createDirectories(checkout.resolve("bin"));
        Files.move(checkout.resolve("loopkeeper"), checkout.resolve("bin/loopkeeper"));
        Files.writeString(checkout.resolve("lib/loopkeeper.jar"), "jar");
        Files.createSymbolicLink(checkout.resolve("second"), Path.of("bin/loopkeeper"));
        Files.createSymbolicLink(checkout.resolve("loopkeeper"), checkout.resolve("second"));
        assertThat(jdk("c-17", "17.0.9")).exists();
        List<Path> before = list();
        assertThat(said(start("runs")).out()).contains("lib/loopkeeper.jar runs");
        assertThat(list()).isEqualTo(before);
    }

    @Test
    void setsAUtf8LocaleForJavaIfNoneIsSet() throws Exception {
        installed();
        assertThat(jdk("<${LC_ALL-}>", "17.0.9")).exists();
        Files.createSymbolicLink(folder.resolve("tools/locale"), Path.of("/usr/bin/locale"));
        LOCALE.forEach(name -> environment.put(name, ""));
        assertThat(said(start("runs")).out()).startsWith("<C.UTF-8>: ").contains(" -Dloopkeeper.inherited.LC_ALL= ");
        environment.put("LC_ALL", "not_INSTALLED.UTF-8");
        assertThat(said(start("runs")).out())
                .startsWith("<C.UTF-8>: ")
                .contains(" -Dloopkeeper.inherited.LC_ALL=not_INSTALLED.UTF-8 ");
        environment.put("LC_ALL", "C.UTF-8");
        assertThat(said(start("runs")).out()).startsWith("<C.UTF-8>: ").doesNotContain("inherited.LC_ALL");
    }

    @Test
    void newerJavaKeepsLoadedClassesOfAServerOfClientsAndOfMcpApart() throws Exception {
        installed();
        environment.put("JAVA_HOME", jdk("a-21", "21.0.1").toString());
        String keeps = " -XX:+AutoCreateSharedArchive -XX:SharedArchiveFile=" + folder.resolve("cache/loopkeeper");
        assertThat(said(start("serve")).out()).contains(keeps + "/server-21-");
        assertThat(said(start("runs")).out()).contains(keeps + "/client-21-");
        assertThat(said(start("mcp")).out()).contains(keeps + "/mcp-21-");
        assertThat(said(start("--version")).out()).doesNotContain("SharedArchive");
        environment.put("JAVA_HOME", jdk("c-17", "17.0.9").toString());
        assertThat(said(start("runs")).out()).startsWith("c-17: ").doesNotContain("SharedArchive");
    }

    /** Java keeps the file of an older jar and does not use it: starts stayed slow. */
    @Test
    void aNewJarReplacesTheClassArchiveOfTheOld() throws Exception {
        installed();
        environment.put("JAVA_HOME", jdk("a-21", "21.0.1").toString());
        Path older = archive(said(start("runs")).out());
        Path ofServers = Files.writeString(older.resolveSibling("server-21-1-3.jsa"), "classes");
        Files.writeString(older, "classes");
        assertThat(archive(said(start("runs")).out())).isEqualTo(older).exists();

        Files.writeString(checkout.resolve("loopkeeper.jar"), "a new jar");

        assertThat(archive(said(start("runs")).out())).isNotEqualTo(older);
        assertThat(older).doesNotExist();
        assertThat(ofServers).exists();
    }

    private static Path archive(String text) {
        return Path.of(text.replaceAll("(?s).*SharedArchiveFile=(\\S+\\.jsa) .*", "$1"));
    }

    @Test
    void withoutAHomeNoClassesAreKept() throws Exception {
        installed();
        environment.put("JAVA_HOME", jdk("a-21", "21.0.1").toString());
        environment.put("HOME", "");
        environment.put("XDG_CACHE_HOME", "");
        Terminal.CommandOutput result = said(start("runs"));
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).startsWith("a-21: ").doesNotContain("SharedArchive");
    }

    private List<Path> list() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(path -> !path.endsWith("cache")).sorted().toList();
        }
    }
}
