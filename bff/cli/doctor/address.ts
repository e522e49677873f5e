// Whether the BFF's public address leads to a BFF: name, certificate, redirects, health, and the clock beside ours.

import * as z from 'zod/mini';
import { toDuration, toTime } from '../format.ts';
import { describe, readJson, visitorHeaders } from './browser.ts';
import { hint, ok, wrong, type Finding, type Findings } from './finding.ts';
import type { Arrived, Lost, Visit } from './visit.ts';

const dayMs = 24 * 60 * 60_000;
const soonMs = 14 * dayMs;
const clockToleranceMs = 60_000;

export interface PublicSite {
  /** The BFF's origin as browsers see it. */
  readonly publicOrigin: string;
  readonly visit: Visit;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

/** @returns whether a BFF answers there; without one nothing else can be looked at. */
export async function* examineAddress(site: PublicSite): Findings<boolean> {
  const alive = await ask(site, '/livez');
  if (alive.kind === 'lost' || !saysStatus(alive, 'alive')) {
    yield toAddressFault(site, alive);
    return false;
  }
  yield ok('address', `${site.publicOrigin} leads to a BFF.`);
  if (alive.certificateEndsAt !== undefined) {
    yield examineCertificate(alive.certificateEndsAt, site.clock());
  }
  yield examineReadiness(await ask(site, '/readyz'));
  yield examineClock(alive, site.clock());
  return true;
}

function ask({ visit, publicOrigin }: PublicSite, path: string): Promise<Arrived | Lost> {
  return visit({ method: 'GET', url: publicOrigin + path, headers: visitorHeaders });
}

function saysStatus(answer: Arrived, status: string): boolean {
  return (
    answer.status === 200 && readJson(answer, z.object({ status: z.literal(status) })) !== undefined
  );
}

function toAddressFault({ publicOrigin }: PublicSite, answer: Arrived | Lost): Finding {
  if (answer.kind === 'lost') {
    const mend = mends[answer.code] ?? unreachable;
    return wrong('address', `${publicOrigin} cannot be reached (${answer.code}).`, mend);
  }
  const target = answer.status >= 300 && answer.status < 400 && answer.headers.get('location');
  if (target && URL.canParse(target, publicOrigin)) {
    const { origin } = new URL(target, publicOrigin);
    const mend =
      origin === publicOrigin
        ? 'Take the redirect out of the proxy: the BFF has no other addresses.'
        : `PUBLIC_URL=${origin}\nor take the redirect out. The script tag has to name the same origin.`;
    return wrong('address', `It redirects to ${origin}, which no upload survives.`, mend);
  }
  return wrong(
    'address',
    `Something else than the BFF answers /livez (${describe(answer)}).`,
    'The proxy has to pass every path on as it is. nginx: location / { proxy_pass http://127.0.0.1:<BFF_PORT>; }',
  );
}

const unreachable =
  'Check that the proxy runs and listens there, and the firewall before it; or mend PUBLIC_URL.';
const unknownHost = 'Add a DNS record (A, AAAA or CNAME) for that name, or mend PUBLIC_URL.';
const incompleteChain =
  'Serve the whole chain, not the certificate alone. nginx: ssl_certificate …/fullchain.pem;';
const untrusted = 'Serve a certificate of an authority that browsers know.';

const mends: Readonly<Record<string, string>> = {
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  CERT_HAS_EXPIRED: 'Renew the certificate, and have the proxy load it again.',
  CERT_NOT_YET_VALID: "Check the clock of this machine, and the certificate's dates.",
  ERR_TLS_CERT_ALTNAME_INVALID:
    'The certificate is for other names: get one for this name, or mend PUBLIC_URL.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: incompleteChain,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: incompleteChain,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  EPROTO: 'It speaks no TLS there. nginx: listen 443 ssl;',
};

function examineCertificate(endsAt: number, now: number): Finding {
  const until = `until ${toTime(endsAt)}`;
  if (endsAt - now > soonMs) return ok('certificate', `It is valid ${until}.`);
  const mend = 'Renew it now, and look at why it is not renewed by itself.';
  return wrong('certificate', `It is valid ${until} only.`, mend);
}

function examineReadiness(answer: Arrived | Lost): Finding {
  if (answer.kind === 'arrived' && saysStatus(answer, 'ready')) {
    return ok('readiness', 'It can take applications.');
  }
  const mend =
    'Run check beside the BFF; 503 also while it stops, and when its disk is nearly full.';
  return wrong('readiness', `It cannot take applications (${describe(answer)}).`, mend);
}

/** Signatures and consents are dated by the BFF's clock, and its sessions end by it. */
function examineClock({ headers }: Arrived, now: number): Finding {
  const date = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(date)) {
    return hint('clock', 'The answer has no Date header.', 'The proxy takes it away; leave it in.');
  }
  const difference = Math.abs(date - now);
  if (difference <= clockToleranceMs) return ok('clock', 'It shows the same time as here.');
  const mend = 'On the machine that is wrong: timedatectl set-ntp true';
  return wrong('clock', `It is ${toDuration(difference)} away from the clock here.`, mend);
}
