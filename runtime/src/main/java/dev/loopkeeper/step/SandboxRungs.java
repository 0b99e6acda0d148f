package dev.loopkeeper.step;

import dev.loopkeeper.manifest.SandboxSpec;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a machine can enforce: Landlock, and on top of it a mount namespace by bubblewrap.
 *
 * @param abi version of the kernel's Landlock; 0 where there is none
 * @param withoutBubblewrap why bubblewrap cannot be used and what to do; empty where it works
 */
public record SandboxRungs(int abi, Optional<String> withoutBubblewrap) {
    /** The first ABI of Landlock that prevents truncation; before it, each file could be emptied. */
    public static final int WRITE_ABI = 3;

    private static final int NETWORK_ABI = 4;
    private static final String SECOND = " + bubblewrap";
    private static final Pattern LEVEL = Pattern.compile("landlock abi (\\d{1,9})(" + Pattern.quote(SECOND) + ")?.*");

    /** The rungs, e.g. {@code landlock abi 7 + bubblewrap}. */
    public String name() {
        return abi == 0 ? "none" : "landlock abi " + abi + (withoutBubblewrap.isEmpty() ? SECOND : "");
    }

    /** What holds for this sandbox, e.g. {@code landlock abi 7 + bubblewrap: write, hide, network}. */
    public String level(SandboxSpec spec) {
        return name() + ": write, hide" + (spec.protect().isEmpty() ? "" : ", protect")
                + (spec.network() ? "" : ", network");
    }

    /** Whether this level is below an earlier one: an older Landlock, or no bubblewrap any more. */
    public static boolean isLower(String level, String earlier) {
        Matcher now = LEVEL.matcher(level);
        Matcher before = LEVEL.matcher(earlier);
        return now.matches()
                && before.matches()
                && (Integer.parseInt(now.group(1)) < Integer.parseInt(before.group(1))
                        || (now.group(2) == null && before.group(2) != null));
    }

    /** What the machine cannot enforce for any sandbox like this one and what to do. */
    public Optional<String> lacking(SandboxSpec spec) {
        if (abi < WRITE_ABI) {
            String has = abi == 0 ? "has no Landlock" : "has Landlock ABI " + abi;
            return Optional.of("the kernel " + has + ", and ABI 3 is required; use Linux 6.2 or newer with Landlock"
                    + " enabled, or set sandbox: off");
        }
        if (!spec.network() && abi < NETWORK_ABI) {
            return Optional.of("network: off requires Landlock ABI 4, and the kernel has ABI " + abi
                    + "; use Linux 6.7 or newer, or set network: on");
        }
        Optional<String> earlier = spec.atLeast().filter(before -> isLower(level(spec), before));
        if (earlier.isPresent()) {
            return earlier.map(before -> "an earlier step of the run had " + before.split(":", 2)[0]
                    + ", and this machine has "
                    + name() + withoutBubblewrap.map(why -> " (" + why + ")").orElse("")
                    + "; resume the run where that level holds, or with sandbox: off");
        }
        return spec.protect().isEmpty()
                ? Optional.empty()
                : lacking("protect files in a writable folder", "remove protect");
    }

    /** The same for what only bubblewrap can enforce. */
    Optional<String> lacking(String what, String otherwise) {
        return withoutBubblewrap.map(why -> "Landlock cannot " + what + ", and " + why + ", or " + otherwise);
    }
}
