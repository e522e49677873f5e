// How long a session lasts. The file has no schema, so that the element does not load one.

/**
 * The session's lifetime. If you change a time, change the paragraph "Lifetime" of docs/security/requests.md too. All other uses are
 * derived from this object. test/shared/api/session.test.ts checks the order of the times, and test/bff/config/config.test.ts
 * checks that the store keeps the record of an application at least for `maxSeconds`.
 */
export const sessionLifetime = {
  /**
   * A session ends after this time without use, until the applicant submits the application. Collecting bank statements
   * afterwards can take hours, so only `maxSeconds` applies then. Scripts can read a session token (`handle`), so an unused
   * token must not outlive an unused cookie (OWASP ASVS 5.0, 7.3.1).
   */
  idleSeconds: { cookie: 60 * 60, handle: 30 * 60 },
  /** Every session ends after this time. The element tells applicants the whole hours, so use at least two hours. */
  maxSeconds: 24 * 60 * 60,
  /** A request with a seal older than this gets a new one, which extends the session. */
  renewAfterSeconds: 10 * 60,
} as const;

/** `maxSeconds` in the texts for applicants. */
export const sessionMaxHours: number = Math.floor(sessionLifetime.maxSeconds / 3600);
