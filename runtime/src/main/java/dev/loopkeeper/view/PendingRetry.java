package dev.loopkeeper.view;

import dev.loopkeeper.step.ErrorCategory;
import java.time.Instant;

/**
 * The retry that a waiting run waits for before it resumes automatically, e.g. {@code {"reason": "provider", "detail":
 * "rate-limit", "message": "dev: 429 Too Many Requests", "resumeAt": "2026-11-20T15:30:00Z"}}.
 *
 * @param reason the category of the error after which a step is launched again
 * @param detail more precise than the reason, e.g. {@code rate-limit}
 * @param message for people, one line, e.g. {@code usage limit of claude}
 * @param resumeAt when the retry is due
 */
public record PendingRetry(ErrorCategory reason, String detail, String message, Instant resumeAt) {}
