package dev.loopkeeper.cli.session;

/** Options or parameters that several commands share, with what they come to. */
public interface ArgumentGroup {
    /** The same arguments with those of this group. */
    Arguments addTo(Arguments arguments);
}
