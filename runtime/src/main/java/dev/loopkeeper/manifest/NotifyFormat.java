package dev.loopkeeper.manifest;

import dev.loopkeeper.json.WireName;

/** The shape of a webhook's message. */
public enum NotifyFormat implements WireName {
    /** The event itself. */
    JSON,
    /** Blocks of an incoming webhook of Slack. */
    SLACK,
    /** An embed of a webhook of Discord. */
    DISCORD,
    /** An Adaptive Card of a webhook of Teams Workflows. */
    TEAMS,
    /** A text with headers for a topic of ntfy. */
    NTFY;
}
