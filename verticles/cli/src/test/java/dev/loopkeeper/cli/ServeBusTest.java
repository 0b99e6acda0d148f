package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.cli.session.ExitCodes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong about the event bus of a node is said with its place and the remedy before anything is started. */
class ServeBusTest {
    private static final String STORE = "postgresql://loopkeeper@127.0.0.1:1/loopkeeper";
    private static final String FAR = "192.0.2.11:5701,192.0.2.12:5701";
    private static final String HOST = "dns:node";

    @TempDir
    static Path keys;

    private static TestAuthority authority;
    private static TestAuthority stranger;
    private static TestAuthority.Certificate sound;
    private static TestAuthority.Certificate other;

    @TempDir
    Path folder;

    private Terminal terminal;

    @BeforeAll
    static void sign() throws Exception {
        authority = new TestAuthority(keys.resolve("authority"));
        stranger = new TestAuthority(keys.resolve("stranger"));
        sound = authority.sign(HOST, 1, 30);
        other = authority.sign(HOST, 1, 30);
    }

    @BeforeEach
    void prepare() {
        terminal = new Terminal(folder.resolve("data"));
    }

    private Terminal.CommandOutput check(String... words) {
        List<String> all = new ArrayList<>(List.of("serve", "--check", "--node", "n1", "--store", STORE));
        all.addAll(List.of(words));
        return terminal.type(all.toArray(new String[0]));
    }

    private void assertRefused(Terminal.CommandOutput result, String... why) {
        assertThat(result.exitCode()).as(result.out() + result.err()).isEqualTo(ExitCodes.REFUSED);
        assertThat(result.err()).contains(why);
        assertThat(result.err().lines()).as(result.err()).hasSize(1);
        assertThat(folder.resolve("data")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "127.0.0.1:5701,127.0.0.1 | member 2, '127.0.0.1', is not like host:port",
                "127.0.0.1:5701,,127.0.0.1:5702 | member 2, '', is empty",
                "127.0.0.1:5701, | member 2, '', is empty",
                "127.0.0.1:57o1 | member 1, '127.0.0.1:57o1', is not like host:port",
                "127.0.0.1:5701 127.0.0.1:5702 | member 1,",
                "127.0.0.1:5701;127.0.0.1:5702 | is not like host:port",
                "127.0.0.1:70000 | has no such port",
                "127.0.0.1:5701,10.0.0.300:5701 | member 2, '10.0.0.300:5701', has no valid host",
                "10.0.11:5701 | member 1, '10.0.11:5701', has no valid host",
                "10.0.0.*:5701 | has no valid host",
                "10.0.0.1-9:5701 | has no valid host",
                "n1..example:5701 | has no valid host",
                "[fd00::1::2]:5701 | has no valid host",
                "127.0.0.1:0 | has no such port",
                "http://127.0.0.1:5701 | member 1,",
                "me@127.0.0.1:5701 | member 1,",
                "127.0.0.1:5701, 127.0.0.1:5701 | is listed twice",
                "'' | member 1, '', is empty"
            })
    void aMemberWithATypingErrorIsNamedWithItsPosition(String members, String why) {
        assertRefused(check("--cluster", members), "--cluster: member", why);
    }

    @Test
    void whatBelongsToABusNeedsOneAndABusNeedsAStore() {
        for (String option : Arrays.asList(
                "--cluster-bind", "--cluster-tls-certificate", "--cluster-tls-key", "--cluster-tls-trust")) {
            assertRefused(check(option, "127.0.0.1"), option + " needs --cluster");
            assertRefused(terminal.type("serve", "--check", option, "127.0.0.1"), option + " needs --store");
        }
        assertRefused(terminal.type("serve", "--check", "--cluster", "127.0.0.1:5701"), "--cluster needs --store");
    }

    @Test
    void whereThisNodeIsFoundHasToBeKnownAndItsOwn() throws IOException {
        String two = "127.0.0.1:5701,127.0.0.1:5702";

        assertRefused(
                check("--cluster", two),
                "127.0.0.1:5701, 127.0.0.1:5702",
                "give the address of this node with --cluster-bind");
        assertRefused(
                check("--cluster", two, "--cluster-bind", "127.0.0.1"), "matches several members", "127.0.0.1:5701");
        assertRefused(check("--cluster", FAR), "none of the members of --cluster is this machine", "--cluster-bind");
        assertRefused(check("--cluster", FAR, "--cluster-bind", "192.0.2.11"), "is not an address of this machine");
        assertRefused(check("--cluster", FAR, "--cluster-bind", "127.0.0.1"), "is not a member", "port");
        assertRefused(check("--cluster", two, "--cluster-bind", "a b"), "must be like host or host:port");
        assertRefused(check("--cluster", two, "--cluster-bind", "127.0.0.300:5701"), "has no valid host");
        assertRefused(
                check("--cluster", two, "--cluster-bind", "no-such-host.invalid:5701"),
                "no-such-host.invalid:5701 is not an address of this machine",
                "unknown host");
        assertRefused(check("--cluster", two, "--cluster-bind", "127.0.0.1:65500"), "1 to 65435, was 65500");
        assertThat(check("--cluster", BusPorts.free().toString()).exitCode()).isZero();
        assertThat(check("--cluster", two, "--cluster-bind", BusPorts.free().toString())
                        .exitCode())
                .isZero();
    }

    @Test
    void anAddressThatNoInterfaceListsIsTakenWhereItCanBeBound() {
        int port = BusPorts.free().port();
        String members = "127.0.0.2:" + port + ",127.0.0.3:" + port;

        Terminal.CommandOutput named = check("--cluster", members, "--cluster-bind", "127.0.0.2");
        Terminal.CommandOutput alone = check("--cluster", "127.0.0.2:" + port);

        assertThat(named.exitCode()).as(named.err()).isZero();
        assertThat(alone.exitCode()).as(alone.err()).isZero();
        assertRefused(check("--cluster", members), "several members of --cluster are this machine", "127.0.0.3");
    }

    @Test
    void aPortThatIsTakenIsRefused() throws IOException {
        try (ServerSocket held = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String here = "127.0.0.1:" + held.getLocalPort();
            assertRefused(check("--cluster", here), "cannot listen at " + here, "--cluster-bind");
            String below = "127.0.0.1:" + (held.getLocalPort() - 100);
            assertRefused(check("--cluster", below), "cannot listen at ", "--cluster-bind");
        }
    }

    private Terminal.CommandOutput withTls(Path certificate, Path key, Path trust) throws IOException {
        return check(
                "--cluster",
                BusPorts.free().toString(),
                "--cluster-tls-certificate",
                certificate.toString(),
                "--cluster-tls-key",
                key.toString(),
                "--cluster-tls-trust",
                trust.toString());
    }

    @Test
    void beyondThisMachineNodesProveWhoTheyAre() throws Exception {
        assertRefused(
                check("--cluster", FAR, "--cluster-bind", BusPorts.free().toString()),
                "beyond this machine (192.0.2.11:5701)",
                "--cluster-tls-certificate, --cluster-tls-key and --cluster-tls-trust");
        assertRefused(
                check(
                        "--cluster",
                        BusPorts.free().toString(),
                        "--cluster-tls-key",
                        sound.key().toString()),
                "belong together; give all three");
        assertThat(check(
                                "--cluster",
                                FAR,
                                "--cluster-bind",
                                BusPorts.free().toString(),
                                "--cluster-tls-certificate",
                                sound.certificate().toString(),
                                "--cluster-tls-key",
                                sound.key().toString(),
                                "--cluster-tls-trust",
                                authority.certificate().toString())
                        .exitCode())
                .isZero();
    }

    @Test
    void whatNoPeerWouldTakeIsRefused() throws Exception {
        Path trust = authority.certificate();
        TestAuthority.Certificate old = authority.sign(HOST, 5, 2);
        TestAuthority.Certificate early = authority.sign(HOST, -3, 30);
        Path nowhere = folder.resolve("nowhere");
        Path text = Files.writeString(folder.resolve("text"), "hello\n");

        assertThat(withTls(sound.certificate(), sound.key(), trust).exitCode()).isZero();
        assertRefused(
                withTls(old.certificate(), old.key(), trust),
                "--cluster-tls-certificate",
                "NotAfter",
                "use a valid certificate");
        assertRefused(withTls(early.certificate(), early.key(), trust), "NotBefore", "use a valid certificate");
        assertRefused(withTls(sound.certificate(), other.key(), trust), "is not the key of --cluster-tls-certificate");
        assertRefused(
                withTls(sound.certificate(), sound.certificate(), trust), "no private key in PKCS#8", "openssl pkcs8");
        assertRefused(
                withTls(sound.certificate(), sound.key(), stranger.certificate()), "the other nodes would refuse it");
        assertRefused(withTls(nowhere, sound.key(), trust), "--cluster-tls-certificate " + nowhere + " cannot be read");
        assertRefused(withTls(sound.certificate(), nowhere, trust), "--cluster-tls-key " + nowhere + " cannot be read");
        assertRefused(withTls(sound.certificate(), sound.key(), nowhere), "--cluster-tls-trust " + nowhere);
        assertRefused(
                withTls(text, sound.key(), trust), "--cluster-tls-certificate " + text + " contains no certificate");
    }
}
