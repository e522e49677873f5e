// What the doctor reads of the BFF's environment, and what can be wrong with that before anything is asked.

import {
  createReader,
  readOrigin,
  readOrigins,
  readProxies,
  type VariableSource,
} from '../../config/environment-reader.ts';
import { toSandboxDefaults } from '../../config/sandbox-defaults.ts';
import { toRelation, type Relation } from './browser.ts';
import { hint, ok, wrong, type Finding } from './finding.ts';

export interface DoctorEnvironment {
  readonly publicOrigin: string;
  readonly allowedOrigins: readonly string[];
  readonly crossSiteOrigins: readonly string[];
  /** `undefined` when nobody has said which. */
  readonly trustedProxies: readonly string[] | undefined;
  /** Whether this is the BFF's own environment; with PUBLIC_URL alone the lists above say nothing. */
  readonly isComplete: boolean;
}

/** No more than is needed: the doctor also runs where the BFF's secrets are not. */
export function readEnvironment(
  source: VariableSource,
): DoctorEnvironment | { readonly problems: readonly string[] } {
  const isSandbox = source.variables['FUNDING_ENVIRONMENT'] === 'sandbox';
  const reader = createReader(source, isSandbox ? toSandboxDefaults(source.variables) : {});
  const environment = {
    publicOrigin: readOrigin(reader, 'PUBLIC_URL', isSandbox),
    allowedOrigins: readOrigins(reader, 'ALLOWED_ORIGINS', isSandbox),
    crossSiteOrigins: readOrigins(reader, 'CROSS_SITE_ORIGINS', isSandbox),
    trustedProxies: readProxies(reader, 'TRUSTED_PROXIES'),
  };
  const problems = reader.problems();
  if (problems.length > 0) return { problems };
  const { allowedOrigins, crossSiteOrigins } = environment;
  return { ...environment, isComplete: allowedOrigins.length + crossSiteOrigins.length > 0 };
}

/** How the BFF takes a page of that origin: as it is listed, or as it would have to be. */
export function toMode(environment: DoctorEnvironment, origin: string): Relation {
  const { publicOrigin, allowedOrigins, crossSiteOrigins } = environment;
  const relation = toRelation(origin, publicOrigin);
  if (relation === 'same-origin') return relation;
  if (allowedOrigins.includes(origin)) return 'same-site';
  return crossSiteOrigins.includes(origin) ? 'cross-site' : relation;
}

/**
 * The lines that let pages of that origin in. All that certainly stands in the wrong list is moved by them as well, since the lines
 * of several origins have to say the same: each takes the place of the one before.
 *
 * @param movesLikely also what only looks like the BFF's own site.
 */
export function toListingMend(
  environment: DoctorEnvironment,
  origin: string,
  movesLikely = false,
): string {
  const { publicOrigin, allowedOrigins, crossSiteOrigins, isComplete } = environment;

  function isForCrossSite(each: string): boolean {
    const staysThere = !movesLikely && crossSiteOrigins.includes(each);
    return staysThere || toRelation(each, publicOrigin) === 'cross-site';
  }

  function toLine(name: string, listed: readonly string[], isCrossSite: boolean): string[] {
    const all = new Set([...listed, ...allowedOrigins, ...crossSiteOrigins, origin]);
    const mended = [...all].filter((each) => isForCrossSite(each) === isCrossSite);
    if (!mended.includes(origin) && mended.join() === listed.join()) return [];
    return [`${name}=${[...(isComplete ? [] : ['…']), ...mended].join(',')}`];
  }

  return [
    ...toLine('CROSS_SITE_ORIGINS', crossSiteOrigins, true),
    ...toLine('ALLOWED_ORIGINS', allowedOrigins, false),
  ].join('\n');
}

/** Whether the origin stands in the right list; `undefined` where the lists are not known. */
export function examineListing(
  environment: DoctorEnvironment,
  origin: string,
): Finding | undefined {
  const { publicOrigin, allowedOrigins, crossSiteOrigins, isComplete } = environment;
  const relation = toRelation(origin, publicOrigin);
  if (relation === 'same-origin') return ok('listing', "It is the BFF's own origin.");
  if (!isComplete) return undefined;
  if (allowedOrigins.includes(origin)) {
    if (relation === 'same-site') {
      return ok('listing', "It is in ALLOWED_ORIGINS, and looks like the BFF's own site.");
    }
    const message = "It is in ALLOWED_ORIGINS, and not of the BFF's site.";
    return wrong('listing', message, toListingMend(environment, origin));
  }
  if (crossSiteOrigins.includes(origin)) {
    if (relation === 'cross-site') return ok('listing', 'It is in CROSS_SITE_ORIGINS.');
    const message = "It is in CROSS_SITE_ORIGINS, and looks like the BFF's own site.";
    const mend = `If both are of one site, its cookie can be stricter:\n${toListingMend(environment, origin, true)}`;
    return hint('listing', message, mend);
  }
  const mend = toListingMend(environment, origin);
  return wrong('listing', 'No list of the BFF has it.', mend);
}

/** Whether TRUSTED_PROXIES can be right; `undefined` where it is not known. */
export function examineProxies(environment: DoctorEnvironment): Finding | undefined {
  const { publicOrigin, trustedProxies, isComplete } = environment;
  if (!isComplete) return undefined;
  const naming = 'TRUSTED_PROXIES=<its address or range, as the BFF sees it>';
  if (trustedProxies === undefined) {
    const message = 'TRUSTED_PROXIES is not set, and without it the BFF does not start.';
    return wrong('proxies', message, `${naming}, or none`);
  }
  if (trustedProxies.some((range) => range.endsWith('/0'))) {
    const message = 'TRUSTED_PROXIES trusts every address, so applicants can write their own.';
    return wrong('proxies', message, 'TRUSTED_PROXIES=<the addresses of your proxies only>');
  }
  if (trustedProxies.length > 0) {
    const message =
      'TRUSTED_PROXIES names some. Where it misses one, the log has client-address-doubtful.';
    return ok('proxies', message);
  }
  // The BFF itself speaks plain HTTP.
  if (!publicOrigin.startsWith('https:'))
    return ok('proxies', 'None is named, and none is needed for http.');
  const message =
    'TRUSTED_PROXIES is none, and something before the BFF ends TLS: unless it keeps the addresses, all applicants share its own, and its limits.';
  return hint('proxies', message, naming);
}
