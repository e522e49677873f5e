// Probes of Get access token. The deliberately wrong logins come last: a lockout must not end a run with nothing.

import { tokenLifetimeMs } from '../../shared/funding-service/operations.ts';
import { parseJson, readObject, readText } from '../../bff/funding-service/responses.ts';
import type { TransportResponse } from '../../bff/funding-service/transport.ts';
import { shorten } from '../answer.ts';
import type { ServiceConfig } from '../../bff/config/config.ts';
import type { Finding, Probe } from '../probe.ts';
import type { Session } from '../session.ts';

const section = 'Authentication';
const fields = ['access_token', 'instance_url', 'id', 'token_type', 'issued_at', 'signature'];

export const tokenProbes: readonly Probe[] = [
  {
    id: 'token/issued',
    title: 'A login with the five parameters',
    section,
    says: `A token response with ${fields.join(', ')}. expires_in is not shown.`,
    async run(session) {
      const response = await session.logIn();
      const body = readObject(parseJson(response.text)) ?? {};
      const missing = fields.filter((name) => readText(body[name]) === undefined);
      const others = Object.keys(body).filter((name) => !fields.includes(name));
      const type = readText(body['token_type']);
      const issuedAt = readText(body['issued_at']) ?? '';
      const problems = [
        missing.length > 0 && `without ${missing.join(', ')}`,
        type !== undefined && !/^bearer$/i.test(type) && `token_type ${shorten(type, 20)}`,
        issuedAt !== '' && !/^\d{13}$/.test(issuedAt) && 'issued_at is not in milliseconds',
      ].filter((problem) => problem !== false);
      const extra =
        others.length > 0 ? `, and ${others.map((name) => shorten(name, 30)).join(', ')}` : '';
      const did = `HTTP ${response.status}, ${fields.length - missing.length} of the ${fields.length} fields${extra}`;
      return problems.length > 0
        ? { verdict: 'differs', did: `${did} (${problems.join(', ')})` }
        : { verdict: 'as-specified', did };
    },
  },
  {
    id: 'token/expires-in',
    title: 'The lifetime in the token response',
    section,
    says: 'A token expires after 2 hours. No field of the response states it.',
    async run(session) {
      const body = await readToken(session);
      const expiresIn = readText(body['expires_in']);
      if (expiresIn === undefined) return { verdict: 'as-specified', did: 'No expires_in' };
      const isTwoHours = Number(expiresIn) * 1000 === tokenLifetimeMs;
      const did = `expires_in ${shorten(expiresIn, 20)}`;
      return isTwoHours
        ? { verdict: 'as-specified', did }
        : {
            verdict: 'differs',
            did,
            advice:
              'The BFF uses a token for 115 minutes. If it expires sooner, the BFF logs in again after the first refused call.',
          };
    },
  },
  {
    id: 'token/instance-url',
    title: 'The host of instance_url',
    section,
    says: 'Base address of the environment’s service instance.',
    async run(session) {
      const body = await readToken(session);
      const host = URL.parse(readText(body['instance_url']) ?? '')?.host;
      const ours = new URL(session.service.baseUrl).host;
      if (host === undefined) return { verdict: 'differs', did: 'No URL' };
      if (host === ours) return { verdict: 'as-specified', did: 'The host of FUNDING_BASE_URL' };
      return {
        verdict: 'differs',
        did: `${shorten(host, 100)}, and FUNDING_BASE_URL has ${ours}`,
        advice:
          'The BFF never calls the host of instance_url. If calls fail, ask whether FUNDING_BASE_URL must name it.',
      };
    },
  },
];

/** They need a lead, so they follow Create Lead. */
export const secondLoginProbes: readonly Probe[] = [
  {
    id: 'token/second-login',
    title: 'An earlier token after a second login',
    section,
    says: 'Not shown.',
    async run(session) {
      const { applicationId } = session.requireLead();
      const first = await session.getToken();
      await session.logIn();
      const second = await session.getToken();
      if (first === second) {
        return { verdict: 'known-now', did: 'The second login returned the same token' };
      }
      const answer = await session.send('pre-approval-offer', {
        headers: { Authorization: `Bearer ${first}`, ApplicationID: applicationId },
      });
      return answer.outcome.kind === 'authentication'
        ? {
            verdict: 'known-now',
            did: 'The earlier token is no longer valid',
            advice:
              'Two BFFs with the same credentials would end each other’s sessions. Ask for a username for each.',
          }
        : { verdict: 'known-now', did: 'Both tokens are valid' };
    },
  },
];

interface WrongLogin {
  readonly id: string;
  readonly title: string;
  readonly parameters: (service: ServiceConfig) => Readonly<Record<string, string>>;
  readonly contentType?: string;
}

const wrong = 'conformance-test-wrong';
/** No request has a wrong password for the partner's own account, so none can lock that account. */
const unknownUser = { username: `${wrong}@example.com`, password: wrong };

const wrongLogins: readonly WrongLogin[] = [
  // These three name no user at all.
  {
    id: 'token/content-type-invalid',
    title: 'A login that is not form-encoded',
    parameters: () => ({ grant_type: 'password' }),
    contentType: 'application/json',
  },
  {
    id: 'token/missing-parameter',
    title: 'A login with no parameter but grant_type',
    parameters: () => ({ grant_type: 'password' }),
  },
  {
    id: 'token/unsupported-grant-type',
    title: 'A login with another grant_type',
    parameters: ({ clientId }) => ({
      grant_type: wrong,
      client_id: clientId,
      client_secret: wrong,
      username: '-',
      password: '-',
    }),
  },
  {
    id: 'token/client-id-invalid',
    title: 'A login with an unknown client_id, secret, and user',
    parameters: () => ({
      grant_type: 'password',
      client_id: wrong,
      client_secret: wrong,
      ...unknownUser,
    }),
  },
  {
    id: 'token/client-secret-invalid',
    title: 'A login with a wrong client_secret, and an unknown user',
    parameters: ({ clientId }) => ({
      grant_type: 'password',
      client_id: clientId,
      client_secret: wrong,
      ...unknownUser,
    }),
  },
  {
    id: 'token/user-invalid',
    title: 'A login with an unknown user',
    parameters: ({ clientId, clientSecret }) => ({
      grant_type: 'password',
      client_id: clientId,
      client_secret: clientSecret,
      ...unknownUser,
    }),
  },
];

export const wrongLoginProbes: readonly Probe[] = [
  ...wrongLogins.map(({ id, title, parameters, contentType }): Probe => ({
    id,
    title,
    section: 'Errors',
    says: 'Error body of the token operation: not shown.',
    run: async (session) =>
      describeRefusedLogin(
        await session.sendWrongLogin(parameters(session.service), contentType),
        session,
      ),
  })),
  {
    id: 'token/after-refusals',
    title: 'A correct login after the refused ones',
    section: 'Limits',
    says: 'Not shown whether refused logins lock an account.',
    async run(session) {
      const refusals = session.facts.refusedLogins.length;
      await session.logIn();
      return {
        verdict: 'known-now',
        did: `Accepted after ${refusals} logins with an unknown user`,
      };
    },
  },
];

function describeRefusedLogin(response: TransportResponse, session: Session): Finding {
  const body = readObject(parseJson(response.text)) ?? {};
  const error = readText(body['error']);
  const description = readText(body['error_description']);
  if (response.status < 300) {
    return { verdict: 'differs', did: `HTTP ${response.status}: the login was accepted` };
  }
  const mask = session.mask.secrets;
  const parts = [
    `HTTP ${response.status}`,
    error === undefined ? 'no error field' : `error ${shorten(mask(error), 60)}`,
    description !== undefined && `“${shorten(mask(description), 200)}”`,
  ].filter((part) => part !== false);
  const isHandled = error !== undefined || response.status === 401;
  return {
    verdict: 'known-now',
    did: parts.join(', '),
    bff: isHandled ? 'handled' : 'not-handled',
    ...(isHandled
      ? {}
      : { advice: 'The log of the BFF will say login-response-unreadable, not login-refused.' }),
  };
}

/** Logs in again only if this process has not logged in yet, after a resumption. */
async function readToken(session: Session): Promise<Readonly<Record<string, unknown>>> {
  return session.loginBody() ?? readObject(parseJson((await session.logIn()).text)) ?? {};
}
