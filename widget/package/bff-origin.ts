// The origin of the BFF in the npm package. Replaces widget/app/bff-origin.ts.

import type { BffHost } from '../app/bff-origin.ts';

const fix =
  'Set it to the origin of your BFF, for example <funding-application bff-url="https://apply.partner.example">.';

/** An URL that no browser requests, so that the form shows its fallback and the host page's own server is left alone. */
const noOrigin = 'bff-url-is-missing:';

/**
 * A bundler makes this script a part of the host page, so its URL says nothing about the BFF. A `bff-url` without a scheme would be
 * a path of the host page.
 */
export function toBffOrigin({ bffUrl, api }: BffHost): string {
  const url = String(bffUrl ?? '').replace(/\/+$/, '');
  if (/^https?:\/\/|^\//.test(url)) return url;
  // A custom transport does not use the URL.
  if (api) return location.origin;
  // oxlint-disable-next-line no-console -- The developer has no other channel. Applicants read the texts of the form.
  console.error(
    url === ''
      ? `<funding-application>: bff-url is missing. ${fix}`
      : `<funding-application>: bff-url is not a URL: "${url}". ${fix}`,
  );
  return noOrigin;
}
