// The service's tracking address is handed on only where it is safe to follow.

import type { Config } from '../config.ts';

/** What browsers and servers are known to take; longer ones lead nowhere. */
const maxLength = 2_048;

/** `undefined` unless it is https (http in the sandbox) and its host is one of the partner's, or the service's own. */
export function toSafeTrackingUrl(
  text: string | undefined,
  { environment, settings, service }: Config,
): string | undefined {
  if (text === undefined || text.length > maxLength || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isSafe =
    url.protocol === 'https:' || (environment === 'sandbox' && url.protocol === 'http:');
  const hosts = settings.trackingHosts ?? [new URL(service.baseUrl).host];
  if (!isSafe || !hosts.includes(url.host) || url.username !== '' || url.password !== '') {
    return undefined;
  }
  return url.href;
}
