// Default values of the sandbox environment. The other environments refuse them.

import { type VariableName, variables as table } from './variables.ts';

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
): Readonly<Partial<Record<VariableName, string>>> {
  const toLocalUrl = (name: 'SANDBOX_PORT' | 'PAGE_PORT' | 'BFF_PORT') => {
    // An invalid port is reported by its name, not by the names of these URLs.
    const [port] = /^\d{1,5}$/.exec(variables[name]?.trim() ?? '') ?? [];
    return `http://localhost:${port ?? table[name].default}`;
  };
  const sandbox = toLocalUrl('SANDBOX_PORT');
  return {
    ...sandboxCredentials,
    FUNDING_AUTH_URL: sandbox,
    FUNDING_BASE_URL: `${sandbox}/rest`,
    // The page of `npm start` may be in CROSS_SITE_ORIGINS instead.
    ...(variables['CROSS_SITE_ORIGINS']?.trim()
      ? {}
      : { ALLOWED_ORIGINS: toLocalUrl('PAGE_PORT') }),
    PUBLIC_URL: toLocalUrl('BFF_PORT'),
    SESSION_KEYS: `1:${developmentSessionKey}`,
    DATA_KEYS: `1:${developmentDataKey}`,
    DATABASE_URL: 'file:.data/store.db',
    TRUSTED_PROXIES: 'none',
  };
}
