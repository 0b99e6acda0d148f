package dev.loopkeeper.gateway;

import java.nio.file.Path;

/**
 * What HTTPS is served with, both PEM.
 *
 * @param certificate the certificate, with its chain if there is one
 * @param key its private key, PKCS#8, without a password
 */
public record TlsFiles(Path certificate, Path key) {}
