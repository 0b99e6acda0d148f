package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.embed.Keeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.gateway.access.GatewayOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that OpenAPI Generator makes of the document compile, and the Java client works. With the profile {@code night},
 * which fetches the generator; npm fetches the compiler of TypeScript.
 */
class GeneratedClientsXIT {
    private static final Path TOOLS = Path.of("target", "clients").toAbsolutePath();
    private static final Path USE = Path.of("src", "test", "clients", "UseClient.java");
    private static final String TYPESCRIPT = "typescript@5.9.3";

    @TempDir
    Path folder;

    @Test
    void theJavaClientCompilesAndWorks() throws Exception {
        generate("java", "--library", "native");
        Path classes = Files.createDirectory(folder.resolve("classes"));
        compile(classes);
        Path data = folder.resolve("data");
        Keeper keeper = new Keeper(
                data,
                folder.resolve("work"),
                LoopkeeperOptions.of(data).with(new Gateway(GatewayOptions.loopback(0, data))));
        try {
            String text = output(
                    "java",
                    "-cp",
                    classes + ":" + classPath(),
                    "UseClient",
                    keeper.url(),
                    folder.resolve("work").toString());
            assertThat(text)
                    .contains(
                            "paused: paused missing_signals",
                            "listed: 1",
                            "explained: missing_signals",
                            "dry: true",
                            "resumed: paused",
                            "stopped: stopped",
                            "ended: halted");
        } finally {
            keeper.close();
        }
    }

    @Test
    void theTypeScriptClientCompiles() throws Exception {
        generate("typescript-fetch");
        output("npm", "install", "--no-audit", "--no-fund", "--prefix", folder.toString(), TYPESCRIPT);
        output(
                "node",
                folder.resolve("node_modules/typescript/bin/tsc").toString(),
                "--noEmit",
                "--strict",
                "--target",
                "es2020",
                "--module",
                "es2020",
                "--moduleResolution",
                "node",
                "--lib",
                "es2020,dom",
                folder.resolve("client/index.ts").toString());
    }

    private void generate(String language, String... more) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "java", "-jar", TOOLS.resolve("openapi-generator-cli.jar").toString(), "generate"));
        command.addAll(List.of("-g", language, "-o", folder.resolve("client").toString(), "-i"));
        command.add(Path.of("src/main/resources/dev/loopkeeper/gateway/openapi.json")
                .toAbsolutePath()
                .toString());
        command.addAll(List.of(more));
        output(command.toArray(String[]::new));
    }

    private void compile(Path classes) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-nowarn", "-proc:none", "-cp", classPath(), "-d"));
        arguments.add(classes.toString());
        arguments.add(USE.toString());
        try (Stream<Path> files = Files.walk(folder.resolve("client/src/main/java"))) {
            files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(arguments::add);
        }
        ByteArrayOutputStream complaints = new ByteArrayOutputStream();
        int code = ToolProvider.getSystemJavaCompiler()
                .run(null, complaints, complaints, arguments.toArray(String[]::new));
        assertThat(code).as(complaints.toString(StandardCharsets.UTF_8)).isZero();
    }

    private static String classPath() throws IOException {
        try (Stream<Path> jars = Files.list(TOOLS)) {
            return jars.filter(jar -> !jar.getFileName().toString().startsWith("openapi-generator"))
                    .map(Path::toString)
                    .collect(Collectors.joining(":"));
        }
    }

    @CanIgnoreReturnValue
    private String output(String... command) throws Exception {
        Path said = Files.createTempFile(folder, "said", ".txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        boolean over = process.waitFor(5, TimeUnit.MINUTES);
        String text = Files.readString(said);
        assertThat(over).as(text).isTrue();
        assertThat(process.exitValue()).as(text).isZero();
        return text;
    }
}
