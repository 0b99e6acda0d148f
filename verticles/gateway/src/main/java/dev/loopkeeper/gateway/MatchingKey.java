package dev.loopkeeper.gateway;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Map;

/** Whether a private key is the one of a certificate: found by signing with the one and verifying with the other. */
public final class MatchingKey {
    /** What signs with a key of this kind. */
    private static final Map<String, String> SIGNATURES =
            Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");

    private static final byte[] TEXT = "signed to see whether both belong together".getBytes(StandardCharsets.US_ASCII);

    private MatchingKey() {}

    /**
     * Whether what this key signs is verified by that one.
     *
     * @return false also for keys of different kinds
     * @throws GeneralSecurityException where Java knows no signature of this kind of key
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
