// How to reach somebody, with links where a press is enough.

import { html, nothing, type TemplateResult } from 'lit';
import type { MessageKey, Translate } from '../i18n/text.ts';
import type { StepContext } from './step-context.ts';

/** A sentence with something else than text in the place of one value. */
export function renderWith(
  t: Translate,
  key: MessageKey,
  parts: Readonly<Record<string, unknown>>,
): readonly unknown[] {
  return t(key)
    .split(/\{(\w+)\}/)
    .map((piece, index) => (index % 2 === 0 ? piece : parts[piece]));
}

/** The partner's name, phone, mail and page, as far as the configuration has them; nothing when it has none. */
export function renderSupport({
  configuration,
}: Pick<StepContext, 'configuration'>): readonly unknown[] | typeof nothing {
  const { name, phone, email, url } = configuration.support;
  const ways = [
    name,
    phone && renderLink(`tel:${phone.replaceAll(/[^\d+]/g, '')}`, phone),
    email && renderLink(`mailto:${email}`, email),
    // The BFF has checked it; a host page with a transport of its own may not have.
    url?.startsWith('https://') && renderLink(url, url.slice('https://'.length)),
  ].filter(Boolean);
  return ways.length === 0
    ? nothing
    : ways.flatMap((way, index) => (index === 0 ? [way] : [', ', way]));
}

function renderLink(href: string, text: string): TemplateResult {
  return html`<a href=${href}>${text}</a>`;
}
