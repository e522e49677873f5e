// Reads which provider tells people from programs before an application is taken; none is asked by default.

import { readServiceUrl, type Reader } from './config-reader.ts';

/** Their verification addresses; both take the same form and answer in the same way. */
const verifyUrls = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
} as const;

export type ChallengeProvider = keyof typeof verifyUrls;

export interface ChallengeConfig {
  readonly provider: ChallengeProvider;
  /** Public: the page shows the challenge with it. */
  readonly siteKey: string;
  readonly secret: string;
  readonly verifyUrl: string;
}

/** `undefined` without CHALLENGE_PROVIDER; the other variables are then a mistake, since nothing would be checked. */
export function readChallenge(reader: Reader, allowHttp: boolean): ChallengeConfig | undefined {
  const name = reader.optional('CHALLENGE_PROVIDER');
  if (name === undefined) {
    refuseOrphans(reader);
    return undefined;
  }
  const provider = name === 'turnstile' || name === 'hcaptcha' ? name : undefined;
  if (provider === undefined) {
    reader.problem('CHALLENGE_PROVIDER', 'is not known', 'Set it to turnstile or hcaptcha.');
    return undefined;
  }
  const hasUrl = reader.optional('CHALLENGE_VERIFY_URL') !== undefined;
  return {
    provider,
    siteKey: reader.text('CHALLENGE_SITE_KEY'),
    secret: reader.secret('CHALLENGE_SECRET'),
    verifyUrl: hasUrl
      ? readServiceUrl(reader, 'CHALLENGE_VERIFY_URL', allowHttp)
      : verifyUrls[provider],
  };
}

function refuseOrphans(reader: Reader): void {
  const isSet =
    reader.optional('CHALLENGE_VERIFY_URL') !== undefined ||
    reader.optional('CHALLENGE_SITE_KEY') !== undefined ||
    reader.optionalSecret('CHALLENGE_SECRET') !== undefined;
  if (!isSet) return;
  const mend = 'Set it to turnstile or hcaptcha, or unset the others.';
  reader.problem('CHALLENGE_PROVIDER', 'is not set, though other CHALLENGE_ variables are', mend);
}
