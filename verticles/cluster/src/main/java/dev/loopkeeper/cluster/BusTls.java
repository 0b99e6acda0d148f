package dev.loopkeeper.cluster;

import java.nio.file.Path;

/**
 * How nodes prove to each other on the bus who they are; all three are files in PEM.
 *
 * @param certificate what this node shows, with those between it and its authority
 * @param key of the certificate, PKCS#8 and not encrypted
 * @param trust who may sign the certificates of nodes; no other node is let in
 */
public record BusTls(Path certificate, Path key, Path trust) {}
