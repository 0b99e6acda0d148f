package dev.loopkeeper.cluster;

import java.nio.file.Path;

/**
 * TLS between the nodes on the bus, with certificates on both sides; all files are PEM.
 *
 * @param certificate this node's certificate chain
 * @param key private key, PKCS#8 without encryption
 * @param trust authorities of the nodes' certificates; other nodes are rejected
 */
public record BusTls(Path certificate, Path key, Path trust) {}
