package dev.loopkeeper.cli.command.admin;

import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.store.postgres.PostgresOptions;
import dev.loopkeeper.store.postgres.StoreTls;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** The database that the options {@code --store…} of {@link ServeCluster} name. */
record ServeStore(String url, Optional<Path> passwordFile, Optional<Path> authorities, boolean insecure) {
    private static final String PASSWORD = "LOOPKEEPER_STORE_PASSWORD";

    /** Returns the options of the connection; an invalid option ends the command. */
    PostgresOptions options(Map<String, String> environment) {
        PostgresOptions options = PostgresOptions.of(address().toString()).password(password(environment));
        if (insecure) {
            if (authorities.isPresent()) {
                throw CommandFailure.refused("--store-ca and --insecure-store contradict each other; leave one out");
            }
            return options.tls(Optional.empty());
        }
        return authorities.map(file -> options.tls(Optional.of(trusting(file)))).orElse(options);
    }

    private static StoreTls trusting(Path file) {
        Object unused = new OptionFile("--store-ca", file).certificates();
        return StoreTls.of(file.toAbsolutePath());
    }

    /** Parses the URL of the store. Refusals do not repeat it, as it may contain a password. */
    private URI address() {
        try {
            URI address = new URI(url);
            String user = Optional.ofNullable(address.getRawUserInfo()).orElse("");
            boolean asParameter =
                    address.getRawQuery() != null && address.getRawQuery().contains("password");
            if (user.contains(":") || asParameter) {
                throw CommandFailure.refused(
                        "--store must not hold a password, which lists of processes show; put it into " + PASSWORD
                                + " or a file for --store-password-file");
            }
            if ("postgresql".equals(address.getScheme())
                    && address.getHost() != null
                    && address.getRawQuery() == null
                    && address.getPath().length() > 1) {
                return address;
            }
        } catch (URISyntaxException wrong) {
            // Refused below, like a URL of another kind.
        }
        throw CommandFailure.refused("--store must be like postgresql://user@host:5432/database, without parameters");
    }

    private Optional<String> password(Map<String, String> environment) {
        if (passwordFile.isEmpty()) {
            return Optional.ofNullable(environment.get(PASSWORD)).filter(value -> !value.isEmpty());
        }
        OptionFile file = new OptionFile("--store-password-file", passwordFile.get());
        String password = file.text(StandardCharsets.UTF_8).stripTrailing();
        if (password.isEmpty()) {
            throw file.refused(
                    " is empty; put the password into it, or leave the option out if the database requires none");
        }
        return Optional.of(password);
    }
}
