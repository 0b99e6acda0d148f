package dev.loopkeeper.gateway.access;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Map;

/** Checks whether a private key belongs to a certificate, by signing and verifying a text. */
public final class MatchingKey {
    /** Signature algorithm by key algorithm. */
    private static final Map<String, String> SIGNATURES =
            Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");

    private static final byte[] TEXT = "signed to see whether both belong together".getBytes(StandardCharsets.US_ASCII);

    private MatchingKey() {}

    /**
     * Returns whether the public key verifies what the private key signs.
     *
     * @return false also for keys of different algorithms
     * @throws GeneralSecurityException if Java has no signature for this algorithm
     */
    public static boolean matches(PrivateKey key, PublicKey certified) throws GeneralSecurityException {
        String kind = certified.getAlgorithm();
        if (!key.getAlgorithm().equals(kind)) {
            return false;
        }
        Signature signature = Signature.getInstance(SIGNATURES.getOrDefault(kind, kind));
        signature.initSign(key);
        signature.update(TEXT);
        byte[] signed = signature.sign();
        signature.initVerify(certified);
        signature.update(TEXT);
        return signature.verify(signed);
    }
}
