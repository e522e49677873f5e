// Default values of the sandbox environment. The other environments refuse them.

/** Public keys: they protect nothing. */
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

/** A default for every required variable, with the ports that `npm start` uses. */
export function toSandboxDefaults(
  variables: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const sandbox = `http://localhost:${variables['SANDBOX_PORT'] ?? '8082'}`;
  const page = `http://localhost:${variables['PAGE_PORT'] ?? '8080'}`;
  return {
    ...sandboxCredentials,
    FUNDING_AUTH_URL: sandbox,
    FUNDING_BASE_URL: `${sandbox}/rest`,
    // The page of `npm start` may be in CROSS_SITE_ORIGINS instead.
    ...(variables['CROSS_SITE_ORIGINS']?.trim() ? {} : { ALLOWED_ORIGINS: page }),
    PUBLIC_URL: `http://localhost:${variables['BFF_PORT'] ?? '8081'}`,
    SESSION_KEYS: `1:${developmentSessionKey}`,
    DATA_KEYS: `1:${developmentDataKey}`,
    DATABASE_URL: 'file:.data/store.db',
    TRUSTED_PROXIES: 'none',
  };
}
