package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.cli.session.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong about a node is said before anything is started, without repeating a secret. */
class ServeClusterTest {
    private static final String STORE = "postgresql://loopkeeper@127.0.0.1:5432/loopkeeper";

    @TempDir
    Path folder;

    private Terminal terminal;

    @BeforeEach
    void prepare() {
        terminal = new Terminal(folder.resolve("data"));
    }

    private Terminal.CommandOutput check(String... words) {
        List<String> all = new ArrayList<>(List.of("serve", "--check"));
        all.addAll(List.of(words));
        return terminal.type(all.toArray(new String[0]));
    }

    private void assertRefused(Terminal.CommandOutput result, String... why) {
        assertThat(result.exitCode()).as(result.out() + result.err()).isEqualTo(ExitCodes.REFUSED);
        assertThat(result.err()).contains(why);
        assertThat(folder.resolve("data")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgresql://loopkeeper:hunter2@127.0.0.1/loopkeeper",
                "postgresql://loopkeeper@127.0.0.1/loopkeeper?password=hunter2"
            })
    void aPasswordInTheAddressIsRefusedAndNotRepeated(String address) {
        Terminal.CommandOutput result = check("--store", address);

        assertRefused(result, "must not hold a password", "LOOPKEEPER_STORE_PASSWORD", "--store-password-file");
        assertThat(result.out() + result.err()).doesNotContain("hunter2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mysql://loopkeeper@127.0.0.1/loopkeeper",
                "postgresql://127.0.0.1",
                "postgresql:loopkeeper",
                "postgresql://lo op:hunter2@127.0.0.1/x",
                "postgresql://loopkeeper@127.0.0.1/x?sslmode=require"
            })
    void anotherAddressIsRefused(String address) {
        Terminal.CommandOutput result = check("--store", address);

        assertRefused(result, "--store must be like postgresql://user@host:5432/database");
        assertThat(result.err()).doesNotContain("hunter2");
    }

    @ParameterizedTest
    @CsvSource({
        "--lease, 5s, --lease must be a duration from 6s",
        "--lease, soon, --lease must be a duration from 6s",
        "--lease, 6m, to 5m",
        "--node, a b, --node must be 1 to 63 letters",
        "--shared-root, /nowhere/at/all, is not a folder",
        "--store-password-file, /nowhere/at/all, cannot be read"
    })
    void whatMakesNoNodeIsRefused(String option, String value, String why) {
        assertRefused(check("--store", STORE, option, value), why);
    }

    @Test
    void optionsOfANodeAloneAreRefused() throws IOException {
        Path password = Files.writeString(folder.resolve("password"), "hunter2\n");

        assertRefused(check("--node", "n1"), "--node needs --store");
        assertRefused(check("--lease", "8s"), "--lease needs --store");
        assertRefused(check("--store-ca", "x"), "--store-ca needs --store");
        assertRefused(check("--store-password-file", password.toString()), "--store-password-file needs --store");
    }

    @Test
    void aDatabaseThatIsNotThereIsNamedWithTheRemedy() {
        Terminal.CommandOutput result = terminal.type(
                "serve", "--port", "0", "--node", "n1", "--store", "postgresql://loopkeeper@127.0.0.1:1/loopkeeper");

        assertThat(result.exitCode()).isEqualTo(ExitCodes.REFUSED);
        assertThat(result.err())
                .contains("127.0.0.1:1/loopkeeper does not answer", "Check its address", "nothing was changed");
    }
}
