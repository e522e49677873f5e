// Reads which pages may hold the widget: those of the BFF's own site, and those of other sites.

import { readOrigins, type Reader } from './config-reader.ts';

export interface PageOrigins {
  /** Pages on the BFF's own site; the session's cookie never leaves that site. */
  readonly allowedOrigins: readonly string[];
  /** Pages on other sites, whose browsers may not keep our cookie. */
  readonly crossSiteOrigins: readonly string[];
}

/** One of the two lists has to name a page, and none may stand in both: its cookie would be of two kinds. */
export function readPageOrigins(
  reader: Reader,
  publicOrigin: string,
  allowHttp: boolean,
): PageOrigins {
  const allowedOrigins = readOrigins(reader, 'ALLOWED_ORIGINS', allowHttp);
  const crossSiteOrigins = readOrigins(reader, 'CROSS_SITE_ORIGINS', allowHttp);
  if (!['ALLOWED_ORIGINS', 'CROSS_SITE_ORIGINS'].some((name) => reader.optional(name))) {
    const mend = 'Set it, or CROSS_SITE_ORIGINS where every page is on another site.';
    reader.problem('ALLOWED_ORIGINS', 'is not set', mend);
  }
  if (crossSiteOrigins.some((origin) => allowedOrigins.includes(origin))) {
    const mend = "Keep it in ALLOWED_ORIGINS when the page is on the BFF's site, else here.";
    reader.problem('CROSS_SITE_ORIGINS', 'repeats an origin of ALLOWED_ORIGINS', mend);
  }
  if (publicOrigin !== '' && crossSiteOrigins.includes(publicOrigin)) {
    const mend = "Take it out: the BFF's own pages may always ask.";
    reader.problem('CROSS_SITE_ORIGINS', 'holds the origin of PUBLIC_URL', mend);
  }
  return { allowedOrigins, crossSiteOrigins };
}
