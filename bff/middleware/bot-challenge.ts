// What tells people from programs before an application is taken: the seam, and the two providers that are spoken to.

import * as z from 'zod/mini';
import type { ChallengeConfig, Config } from '../config/config.ts';
import {
  type Challenge,
  challengeFailures,
  type ChallengeRefusal,
  challengeRefusals,
  type ChallengeVerdict,
} from '../config/hooks.ts';
import { toJson } from '../runtime/json.ts';

export function isChallengeRefusal(verdict: ChallengeVerdict): verdict is ChallengeRefusal {
  return challengeRefusals.some((refusal) => refusal === verdict);
}

/** A partner's own provider is JavaScript of somebody else, and what it says stands in the log: only a word of ours does. */
export function toKnownVerdict(verdict: unknown): ChallengeVerdict {
  const known = ['passed', ...challengeRefusals, ...challengeFailures] as const;
  return known.find((word) => word === verdict) ?? 'answer-unreadable';
}

export interface SiteverifyChallengeOptions extends ChallengeConfig {
  /** Host names of the pages that may show the challenge; `undefined` takes any, as the providers' test keys need. */
  readonly pageHosts: readonly string[] | undefined;
  readonly fetch: typeof fetch;
}

const maxAnswerBytes = 64 * 1024;

/** Of both providers' documentation; any other code is about the token. */
const secretCodes: ReadonlySet<string> = new Set([
  'missing-input-secret',
  'invalid-input-secret',
  'sitekey-secret-mismatch',
  'not-using-dummy-passcode',
]);

/** What hCaptcha says in place of the host while many tokens are asked about; the token is bound to the site key all the same. */
const hostNotTold = 'not-provided';

const answerSchema = z.object({
  success: z.boolean(),
  hostname: z.optional(z.nullable(z.string())),
  'error-codes': z.optional(z.nullable(z.array(z.string()))),
});

type SiteverifyAnswer = z.infer<typeof answerSchema>;

/** The configured one; `undefined` when none is. */
export function createConfiguredChallenge(
  config: Config,
  fetch: SiteverifyChallengeOptions['fetch'],
): Challenge | undefined {
  const { challenge, allowedOrigins, crossSiteOrigins, publicOrigin, environment } = config;
  if (!challenge) return undefined;
  const origins = [publicOrigin, ...allowedOrigins, ...crossSiteOrigins];
  const hosts = origins.map((origin) => new URL(origin).hostname);
  return createSiteverifyChallenge({
    ...challenge,
    pageHosts: environment === 'sandbox' ? undefined : hosts,
    fetch,
  });
}

/**
 * Turnstile and hCaptcha by their `siteverify`. The applicant's address is not passed on: the provider knows it from the
 * browser, and over IPv4 and IPv6 the two would differ.
 */
export function createSiteverifyChallenge(options: SiteverifyChallengeOptions): Challenge {
  const { provider, siteKey, secret, verifyUrl, pageHosts } = options;

  async function ask(token: string, signal: AbortSignal): Promise<string | undefined> {
    const form = new URLSearchParams({ secret, response: token });
    if (provider === 'hcaptcha') form.set('sitekey', siteKey);
    try {
      const response = await options.fetch(verifyUrl, {
        method: 'POST',
        body: form,
        redirect: 'error',
        signal,
      });
      return response.status < 500 ? await readShort(response) : undefined;
    } catch {
      // fetch says no more than "TypeError" for every way a connection can fail; its cause may hold the address.
      return undefined;
    }
  }

  return {
    provider,
    siteKey,
    async verify(token, _address, signal) {
      const text = await ask(token, signal);
      if (text === undefined) return 'unreachable';
      const parsed = answerSchema.safeParse(toJson(text));
      return parsed.success ? toVerdict(parsed.data, pageHosts) : 'answer-unreadable';
    },
  };
}

function toVerdict(
  answer: SiteverifyAnswer,
  pageHosts: readonly string[] | undefined,
): ChallengeVerdict {
  const codes = answer['error-codes'] ?? [];
  if (!answer.success) {
    if (codes.some((code) => secretCodes.has(code))) return 'secret-refused';
    return codes.includes('internal-error') ? 'unreachable' : 'token-refused';
  }
  const host = answer.hostname?.toLowerCase() ?? '';
  const isOurs = host === hostNotTold || pageHosts === undefined || pageHosts.includes(host);
  return isOurs ? 'passed' : 'other-host';
}

/** The text; `undefined` when it is longer than any answer of theirs. */
async function readShort({ body }: Response): Promise<string | undefined> {
  if (body === null) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxAnswerBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
