// What the environment `sandbox` assumes when nothing is set, and what the other environments refuse.

/** The development keys are public (SHA-256 of a sentence): they protect nothing, and only the sandbox takes them. */
export const developmentSessionKey = 'kyGITR3oggYIrgkRqWPAOUvOBt/o9Z90SmQsYpUdwq4=';
export const developmentDataKey = 'tombnYSc5/T0H/yqkI6lNkwsSOmOEDq4g+QSrkKVGCI=';

/** Credentials that the sandbox accepts. */
export const sandboxCredentials = {
  FUNDING_CLIENT_ID: 'sandbox-client',
  FUNDING_CLIENT_SECRET: 'sandbox-secret',
  FUNDING_USERNAME: 'partner@sandbox.example',
  FUNDING_PASSWORD: 'sandbox-password',
  FUNDING_PARTNER_ID: 'P-1001',
  FUNDING_PARTNER_NAME: 'Sandbox Partner',
} as const;

export const sandboxCredentialNames = Object.keys(
  sandboxCredentials,
) as readonly (keyof typeof sandboxCredentials)[];

/** Values of every variable that may stay unset in the sandbox; ports as `npm start` uses them. */
export function toSandboxDefaults(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const sandbox = `http://localhost:${environment['SANDBOX_PORT'] ?? '8082'}`;
  return {
    ...sandboxCredentials,
    FUNDING_AUTH_URL: sandbox,
    FUNDING_BASE_URL: `${sandbox}/rest`,
    // Whoever names pages of other sites says by that where the pages are.
    ...(environment['CROSS_SITE_ORIGINS']?.trim()
      ? {}
      : { ALLOWED_ORIGINS: `http://localhost:${environment['PAGE_PORT'] ?? '8080'}` }),
    PUBLIC_URL: `http://localhost:${environment['BFF_PORT'] ?? '8081'}`,
    SESSION_KEYS: `1:${developmentSessionKey}`,
    DATA_KEYS: `1:${developmentDataKey}`,
    DATABASE_URL: 'file:.data/store.db',
    TRUSTED_PROXIES: 'none',
  };
}
