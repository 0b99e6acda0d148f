package dev.loopkeeper.view;

import java.time.Instant;
import java.util.Optional;

/**
 * What a waiting run waits for before it resumes automatically, e.g. {@code {"reason": "provider", "detail":
 * "rate-limit", "message": "dev: 429 Too Many Requests", "resumeAt": "2026-11-20T15:30:00Z"}}.
 *
 * @param reason the category of the error after which a step is launched again; {@code pool} or {@code cap} for a run
 *     that waits for other runs
 * @param detail more precise than the reason, e.g. {@code rate-limit}, or the name of the pool or cap
 * @param message for people, one line, e.g. {@code usage limit of claude}
 * @param resumeAt when the run continues; absent when unknown
 */
public record PendingWait(String reason, String detail, String message, Optional<Instant> resumeAt) {}
