package dev.loopkeeper.cli.command.admin;

import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cluster.BusAddress;
import dev.loopkeeper.cluster.BusOptions;
import dev.loopkeeper.cluster.BusTls;
import io.netty.util.NetUtil;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The event bus that the options of {@link ServeCluster} configure. The node joins it only when it starts.
 *
 * @param files as given; all three or none
 */
record ServeBus(String members, Optional<String> bind, Files files) {
    private static final Pattern ADDRESS = Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^:\\[\\]\\s/@]+):([0-9]{1,5})");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*\\.?");
    private static final Pattern LETTER = Pattern.compile("[A-Za-z]");
    private static final String NO_HOST =
            "has no valid host; give a name, or an address such as 10.0.0.11 or [fd00::11]";
    private static final Pattern HOST = Pattern.compile("\\[[0-9A-Fa-f:.]+]|[^:\\[\\]\\s/@]+");

    /** Certificate, key and trusted certificates of this node. */
    record Files(Optional<Path> certificate, Optional<Path> key, Optional<Path> trust) {}

    /** @param listening whether the ports must be free; they are in use while this node runs */
    BusOptions options(boolean listening) {
        List<BusAddress> all = addresses();
        BusAddress own = own(all);
        Optional<BusTls> tls = tls();
        if (tls.isEmpty()) {
            Optional<BusAddress> far =
                    all.stream().filter(member -> !isLoopback(member.host())).findFirst();
            if (far.isPresent() || !isLoopback(own.host())) {
                throw CommandFailure.refused("--cluster reaches beyond this machine ("
                        + far.orElse(own) + "), so nodes must authenticate each other; give"
                        + " --cluster-tls-certificate, --cluster-tls-key and --cluster-tls-trust");
            }
        }
        try {
            BusOptions options = new BusOptions(all, own, tls);
            if (listening) {
                requireFree(own.host(), own.port());
                requireFree(own.host(), options.messagePort());
            }
            return options;
        } catch (IllegalArgumentException outOfRange) {
            throw CommandFailure.refused("--cluster-bind: " + outOfRange.getMessage());
        }
    }

    /** Returns the number of named nodes, including invalid names. */
    int size() {
        return members.split(",", -1).length;
    }

    private List<BusAddress> addresses() {
        List<BusAddress> all = new ArrayList<>();
        Set<String> seen = new LinkedHashSet<>();
        String[] words = members.split(",", -1);
        for (int word = 0; word < words.length; word++) {
            BusAddress member = member(words[word].strip(), word + 1);
            if (!seen.add(member.toString())) {
                throw wrong(words[word], word + 1, "is listed twice; name each node once");
            }
            all.add(member);
        }
        return all;
    }

    private static BusAddress member(String text, int number) {
        if (text.isEmpty()) {
            throw wrong(text, number, "is empty; remove a comma");
        }
        Matcher parts = ADDRESS.matcher(text);
        if (!parts.matches()) {
            throw wrong(text, number, "is not like host:port, such as 10.0.0.11:5701");
        }
        return address(parts, why -> wrong(text, number, why));
    }

    private static BusAddress address(Matcher parts, Function<String, CommandFailure> wrong) {
        if (!isHost(parts.group(1))) {
            throw wrong.apply(NO_HOST);
        }
        try {
            return new BusAddress(bare(parts.group(1)), Integer.parseInt(parts.group(2)));
        } catch (IllegalArgumentException outOfRange) {
            throw wrong.apply("has no such port: " + outOfRange.getMessage());
        }
    }

    /** Returns whether the text can be an address or a name; a name need not resolve yet. */
    private static boolean isHost(String host) {
        if (host.startsWith("[")) {
            return NetUtil.isValidIpV6Address(bare(host));
        }
        return NAME.matcher(host).matches() && (LETTER.matcher(host).find() || NetUtil.isValidIpV4Address(host));
    }

    private static CommandFailure wrong(String member, int number, String why) {
        return CommandFailure.refused(
                "--cluster: member " + number + ", '" + Words.oneLine(member.strip()) + "', " + why);
    }

    private static String bare(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private BusAddress own(List<BusAddress> all) {
        if (bind.isEmpty()) {
            List<BusAddress> here = all.stream()
                    .filter(member -> whyNotHere(member.host()).isEmpty())
                    .toList();
            if (here.size() == 1) {
                return here.get(0);
            }
            throw CommandFailure.refused(
                    here.isEmpty()
                            ? "none of the members of --cluster is this machine; give the address of this machine with --cluster-bind"
                            : "several members of --cluster are this machine ("
                                    + here.stream().map(BusAddress::toString).collect(Collectors.joining(", "))
                                    + "); give the address of this node with --cluster-bind");
        }
        String text = bind.get().strip();
        BusAddress own = bound(text, all);
        Optional<String> why = whyNotHere(own.host());
        if (why.isPresent()) {
            throw CommandFailure.refused("--cluster-bind " + Words.oneLine(text)
                    + " is not an address of this machine, so the bus cannot listen there (" + why.get()
                    + "); give the address under which the other nodes reach this one, see: ip address");
        }
        return own;
    }

    private static BusAddress bound(String text, List<BusAddress> all) {
        Matcher parts = ADDRESS.matcher(text);
        if (parts.matches()) {
            return address(parts, why -> CommandFailure.refused("--cluster-bind " + text + " " + why));
        }
        if (!HOST.matcher(text).matches()) {
            throw CommandFailure.refused(
                    "--cluster-bind must be like host or host:port, was '" + Words.oneLine(text) + "'");
        }
        List<BusAddress> same =
                all.stream().filter(member -> member.host().equals(bare(text))).toList();
        if (same.size() != 1) {
            throw CommandFailure.refused("--cluster-bind " + text
                    + (same.isEmpty() ? " is not a member of --cluster" : " matches several members of --cluster")
                    + "; give its port too: --cluster-bind " + text + ":5701");
        }
        return same.get(0);
    }

    static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException later) {
            // The host may resolve later, and is then another machine.
            return false;
        }
    }

    /**
     * Returns why this machine cannot listen at the address. Only a socket shows that: no interface lists all
     * addresses, e.g. those of 127.0.0.0/8.
     */
    private static Optional<String> whyNotHere(String host) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.bind(new InetSocketAddress(InetAddress.getByName(host), 0));
            return Optional.empty();
        } catch (UnknownHostException unknown) {
            return Optional.of("unknown host");
        } catch (IOException refused) {
            return Optional.of(Words.oneLine(String.valueOf(refused.getMessage())));
        }
    }

    private static void requireFree(String host, int port) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(InetAddress.getByName(host), port));
        } catch (IOException taken) {
            throw CommandFailure.refused("the bus cannot listen at " + new BusAddress(host, port) + " ("
                    + Words.oneLine(String.valueOf(taken.getMessage()))
                    + "); stop the process that uses the port, or give another port with"
                    + " --cluster-bind; the bus uses that port and the one " + BusOptions.MESSAGES + " above it");
        }
    }

    private Optional<BusTls> tls() {
        List<Optional<Path>> given = Arrays.asList(files.certificate(), files.key(), files.trust());
        if (given.stream().allMatch(Optional::isEmpty)) {
            return Optional.empty();
        }
        if (!given.stream().allMatch(Optional::isPresent)) {
            throw CommandFailure.refused("--cluster-tls-certificate, --cluster-tls-key and --cluster-tls-trust belong"
                    + " together; give all three");
        }
        BusTls tls = new BusTls(
                files.certificate().orElseThrow().toAbsolutePath(),
                files.key().orElseThrow().toAbsolutePath(),
                files.trust().orElseThrow().toAbsolutePath());
        new BusTlsCheck(tls).require();
        return Optional.of(tls);
    }
}
