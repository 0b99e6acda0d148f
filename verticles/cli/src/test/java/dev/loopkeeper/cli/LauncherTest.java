package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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
            "date",
            "dd",
            "touch",
            "stat",
            "tr",
            "sed",
            "mktemp",
            "rm",
            "mv",
            "timeout",
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
        environment.put("LOOPKEEPER_CLASSES", "now");
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

    /** One whose classes can be kept. */
    private Path jdkWithClasses(String name, String version) throws IOException {
        Path home = jdk(name, version);
        Files.createDirectories(home.resolve("lib"));
        Files.writeString(home.resolve("lib/modules"), "");
        return home;
    }

    /** One whose classes can be kept, and which does this where it is to write them to the file that a word names. */
    private void jdkThatLearns(String name, String version, String option, String deed) throws IOException {
        executable(jdkWithClasses(name, version).resolve("bin/java"), """
                #!/bin/sh
                [ "$1" = -version ] && { echo 'openjdk version "%s"' >&2; exit; }
                for word; do
                    case $word in
                        %s*) %s ;;
                    esac
                done
                echo "%s: $*"
                """.formatted(version, option, deed, name));
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
        builder.environment().keySet().removeIf(name -> name.equals("JAVA_HOME") || name.startsWith("LOOPKEEPER"));
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** The same in a shell that has done this before. */
    private Process startAfter(String shell) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        "/bin/sh", "-c", shell + "; exec \"$0\" runs", checkout.resolve("loopkeeper") + "")
                .directory(folder.toFile());
        builder.environment().keySet().removeIf(name -> name.equals("JAVA_HOME") || name.startsWith("LOOPKEEPER"));
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static Terminal.Said said(Process process) throws Exception {
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Terminal.Said(process.exitValue(), out, err);
    }

    @Test
    void withoutJavaItSaysWhatToInstall() throws Exception {
        installed();
        Terminal.Said said = said(start("runs"));
        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.err())
                .isEqualTo("loopkeeper: no Java found; install a JDK 17 or newer, or set JAVA_HOME to one\n");
    }

    @Test
    void aJavaThatIsTooOldIsNamed() throws Exception {
        installed();
        assertThat(jdk("eight", "1.8.0_402")).exists();
        assertThat(jdk("eleven", "11.0.2")).exists();
        Terminal.Said said = said(start("runs"));
        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.err()).contains("Java 11 is too old", "JDK 17");
    }

    @Test
    void theNewestJavaIsTakenAndWordsArriveAsTheyAre() throws Exception {
        installed();
        assertThat(jdk("a-21", "21.0.1")).exists();
        assertThat(jdk("b-25", "25")).exists();
        assertThat(jdk("c-17", "17.0.9")).exists();
        Terminal.Said said = said(start("show", "a b", "*"));
        assertThat(said.exitCode()).isZero();
        assertThat(said.out()).startsWith("b-25: ").endsWith("loopkeeper.jar show a b *\n");
        assertThat(said.err()).isEmpty();
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
    void whatIsCalledByReflectionMakesNoClassesOnAnyJava() throws Exception {
        installed();
        environment.put("JAVA_HOME", jdk("c-17", "17.0.9").toString());
        assertThat(said(start("runs")).out())
                .contains(" -Dsun.reflect.inflationThreshold=100000 ")
                .doesNotContain("useNativeAccessorOnly");
        environment.put("JAVA_HOME", jdk("a-21", "21.0.1").toString());
        assertThat(said(start("runs")).out())
                .contains(" -Djdk.reflect.useNativeAccessorOnly=true ")
                .doesNotContain("inflationThreshold");
    }

    @Test
    void itIsBuiltWhenItIsAbsentOrOld() throws Exception {
        sources();
        assertThat(jdk("c-17", "17.0.9")).exists();
        maven("echo built >>'" + folder + "/built'; touch '" + checkout + "/verticles/cli/target/loopkeeper.jar'\n");
        Terminal.Said first = said(start("runs"));
        assertThat(first.exitCode()).as(first.err()).isZero();
        assertThat(first.err())
                .matches(
                        "loopkeeper: building verticles/cli/target/loopkeeper.jar, which takes a minute or two, more where"
                                + " Maven has no libraries yet; what it says is in .*/.loopkeeper-build.log\n"
                                + "loopkeeper: built in \\d+ s\n");
        assertThat(said(start("runs")).err()).isEmpty();
        Files.writeString(checkout.resolve("verticles/cli/src/main/New.java"), "class New {}");
        environment.put("LOOPKEEPER_BUILD", "never");
        assertThat(said(start("runs")).err()).isEmpty();
        environment.remove("LOOPKEEPER_BUILD");
        assertThat(said(start("runs")).err())
                .matches("loopkeeper: building .*, which took \\d+ s the last time\nloopkeeper: built in \\d+ s\n");
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
        Terminal.Said said = said(start("runs"));
        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.err()).contains("the compiler is cross", "the build failed");
        assertThat(said.out()).isEmpty();
    }

    @Test
    void nothingIsBuiltWhereThatIsNotWanted() throws Exception {
        sources();
        assertThat(jdk("c-17", "17.0.9")).exists();
        environment.put("LOOPKEEPER_BUILD", "never");
        Terminal.Said said = said(start("complete-words", "runs"));
        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.err()).contains("is not built");
        assertThat(said.out()).isEmpty();
    }

    @Test
    void withoutMavenItSaysSo() throws Exception {
        sources();
        assertThat(jdk("c-17", "17.0.9")).exists();
        Terminal.Said said = said(start("runs"));
        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.err()).contains("there is no mvn");
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
    void javaAloneGetsALocaleOfUtf8WhereThereIsNone() throws Exception {
        installed();
        assertThat(jdk("<${LC_ALL-}>", "17.0.9")).exists();
        Files.createSymbolicLink(folder.resolve("tools/locale"), Path.of("/usr/bin/locale"));
        LOCALE.forEach(name -> environment.put(name, ""));
        assertThat(said(start("runs")).out()).startsWith("<C.UTF-8>: ").contains(" -Dloopkeeper.lcAll= ");
        environment.put("LC_ALL", "not_INSTALLED.UTF-8");
        assertThat(said(start("runs")).out())
                .startsWith("<C.UTF-8>: ")
                .contains(" -Dloopkeeper.lcAll=not_INSTALLED.UTF-8 ");
        environment.put("LC_ALL", "C.UTF-8");
        assertThat(said(start("runs")).out()).startsWith("<C.UTF-8>: ").doesNotContain("lcAll");
    }

    @Test
    void withoutAProgramThatKnowsTheLocaleItsNameDecides() throws Exception {
        installed();
        assertThat(jdk("<${LC_ALL-}>", "17.0.9")).exists();
        LOCALE.forEach(name -> environment.put(name, ""));
        assertThat(said(start("runs")).out()).startsWith("<C.UTF-8>: ").contains("lcAll");
        environment.put("LANG", "de_DE.utf8");
        assertThat(said(start("runs")).out()).startsWith("<>: ").doesNotContain("lcAll");
    }

    @Test
    void classesAreKeptOnceUnlessNobodyWantsThem() throws Exception {
        installed();
        assertThat(jdkWithClasses("c-17", "17.0.9")).exists();
        environment.put("LOOPKEEPER_CLASSES", "never");
        assertThat(said(start("runs")).out()).startsWith("c-17: ").doesNotContain("Training");
        assertThat(folder.resolve("cache/loopkeeper")).doesNotExist();
        environment.put("LOOPKEEPER_CLASSES", "now");
        assertThat(said(start("runs")).out()).startsWith("c-17: ").doesNotContain("Training");
        try (Stream<Path> kept = Files.list(folder.resolve("cache/loopkeeper"))) {
            assertThat(kept).anyMatch(file -> file.toString().endsWith("classes.jsa"));
        }
    }

    @Test
    void classesAreKeptWhereTheyCannotBeWrittenInPieces() throws Exception {
        installed();
        jdkThatLearns("c-17", "17.0.9", "-XX:ArchiveClassesAtExit=", "echo whole >\"${word#*=}\"; exit");
        executable(
                folder.resolve("full/dd"),
                "#!/bin/sh\nfor word; do [ \"${word#of=}\" = \"$word\" ] || echo part >\"${word#of=}\"; done; exit 1\n");
        environment.put("PATH", folder.resolve("full") + ":" + environment.get("PATH"));

        assertThat(said(start("runs")).out()).contains("-XX:SharedArchiveFile=");
        try (Stream<Path> kept = Files.list(folder.resolve("cache/loopkeeper"))) {
            assertThat(kept.filter(file -> file.toString().endsWith("classes.jsa")))
                    .singleElement()
                    .satisfies(file -> assertThat(file).hasContent("whole"));
        }
    }

    /** Java crashes with a part of them: what was killed while it wrote is worth nothing. */
    @Test
    void classesOfATrainingThatWasKilledAreNotUsed() throws Exception {
        installed();
        jdkThatLearns("c-17", "17.0.9", "-XX:ArchiveClassesAtExit=", "echo part >\"${word#*=}\"; kill -KILL $$");
        assertThat(said(start("runs")).out()).startsWith("c-17: ").doesNotContain("SharedArchiveFile");
        assertThat(said(start("runs")).out()).startsWith("c-17: ").doesNotContain("SharedArchiveFile");
        try (Stream<Path> kept = Files.list(folder.resolve("cache/loopkeeper"))) {
            assertThat(kept.filter(file -> file.toString().endsWith("classes.jsa")))
                    .singleElement()
                    .satisfies(file -> assertThat(file).isEmptyFile());
        }
    }

    /** It loads all that was learnt at each start: a command that only asks must not load a server. */
    @Test
    void javaOf25AsksWithFewerClassesThanItServes() throws Exception {
        installed();
        jdkThatLearns("c-25", "25.0.1", "-XX:AOTCacheOutput=", "eval \"echo \\\"\\${$#}\\\"\" >\"${word#*=}\"; exit");
        assertThat(said(start("runs")).out()).contains("-XX:AOTCache=", "-commands-classes.aot ");
        assertThat(said(start("serve")).out()).contains("-XX:AOTCache=", "-server-classes.aot ");
        try (Stream<Path> kept = Files.list(folder.resolve("cache/loopkeeper"))) {
            assertThat(kept.filter(file -> file.toString().endsWith(".aot")))
                    .allSatisfy(file -> assertThat(file.toString())
                            .contains("-" + Files.readString(file).strip() + "-"));
        }
    }

    /** They stayed for a month, tens of megabytes for each build. */
    @Test
    void classesOfAFormerJarOfACheckoutAreRemoved() throws Exception {
        sources();
        Path jar = Files.createDirectories(checkout.resolve("verticles/cli/target"))
                .resolve("loopkeeper.jar");
        Files.writeString(jar, "jar");
        assertThat(jdkWithClasses("c-17", "17.0.9")).exists();
        environment.put("LOOPKEEPER_BUILD", "never");
        Path classes = Files.createDirectory(jar.resolveSibling(".loopkeeper-classes"));
        Path former = Files.writeString(classes.resolve("1-2-3-4-5-6-all-classes.jsa"), "former");
        String mark = Files.getLastModifiedTime(jar).to(TimeUnit.SECONDS) + "-3-" + Files.getAttribute(jar, "unix:ino");
        Path ofOtherJava = Files.writeString(classes.resolve(mark + "-4-5-6-server-classes.aot"), "other");

        assertThat(said(start("runs")).out()).startsWith("c-17: ");

        assertThat(former).doesNotExist();
        assertThat(ofOtherJava).exists();
        try (Stream<Path> kept = Files.list(classes)) {
            assertThat(kept).anyMatch(file -> file.toString().endsWith("all-classes.jsa"));
        }
    }

    /** Java ended with a report of its crash in the folder of whoever typed it. */
    @Test
    void tooFewAddressesAreRefusedBeforeJavaCrashes() throws Exception {
        installed();
        assertThat(jdk("j-17", "17.0.9")).exists();

        Terminal.Said said = said(startAfter("ulimit -v 2000000"));

        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.err()).contains("ulimit -v", "2000000 KiB", "raise it").hasLineCount(1);
        assertThat(said(startAfter("ulimit -v 4000000")).out()).startsWith("j-17: ");
    }

    @Test
    void addressesAreFewEnoughWhereJavaIsToldToReserveLess() throws Exception {
        installed();
        assertThat(jdk("j-17", "17.0.9")).exists();
        for (String variable : List.of("LOOPKEEPER_JAVA_OPTS", "JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS")) {
            environment.put(variable, "-Xmx1g");
            assertThat(said(startAfter("ulimit -v 2000000")).exitCode())
                    .as(variable)
                    .isEqualTo(2);
            environment.put(variable, "-Xmx1g -XX:CompressedClassSpaceSize=64m");
            assertThat(said(startAfter("ulimit -v 2000000")).out()).as(variable).startsWith("j-17: ");
            environment.remove(variable);
        }
    }

    @Test
    void withoutAHomeNoClassesAreKept() throws Exception {
        installed();
        assertThat(jdk("c-17", "17.0.9")).exists();
        environment.put("HOME", "");
        environment.put("XDG_CACHE_HOME", "");
        Terminal.Said said = said(start("runs"));
        assertThat(said.err()).isEmpty();
        assertThat(said.out()).startsWith("c-17: ").doesNotContain("SharedArchiveFile");
    }

    @Test
    void classesThatWereKeptAtInstallationServeEveryUser() throws Exception {
        Files.createDirectories(checkout.resolve("bin"));
        Files.move(checkout.resolve("loopkeeper"), checkout.resolve("bin/loopkeeper"));
        Path classes = Files.createDirectories(checkout.resolve("lib/classes"));
        Files.writeString(checkout.resolve("lib/loopkeeper.jar"), "jar");
        Files.createSymbolicLink(checkout.resolve("loopkeeper"), Path.of("bin/loopkeeper"));
        assertThat(jdkWithClasses("c-17", "17.0.9")).exists();
        assertThat(said(start("runs")).err()).isEmpty();
        try (Stream<Path> kept = Files.list(classes)) {
            Path made = kept.filter(file -> file.toString().endsWith("classes.jsa"))
                    .findFirst()
                    .orElseThrow();
            Files.writeString(made, "learnt");
        }
        environment.put("HOME", "");
        environment.put("XDG_CACHE_HOME", "");
        assertThat(said(start("runs")).out()).contains("SharedArchiveFile=", "/lib/classes/");
        // As an image of a container does it: the same bytes and times in other inodes.
        Path jar = checkout.resolve("lib/loopkeeper.jar");
        Path copy = checkout.resolve("lib/copy.jar");
        Files.copy(jar, copy, StandardCopyOption.COPY_ATTRIBUTES);
        Files.move(copy, jar, StandardCopyOption.REPLACE_EXISTING);
        environment.put("LOOPKEEPER_CLASSES", "never");
        assertThat(said(start("runs")).out()).contains("SharedArchiveFile=", "/lib/classes/");
        assertThat(folder.resolve("cache")).doesNotExist();
    }

    private List<Path> list() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(path -> !path.endsWith("cache")).sorted().toList();
        }
    }
}
