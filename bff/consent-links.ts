// The documents a consent speaks of, as the partner's settings name them: each with its words and its address.

import * as z from 'zod/mini';
import { listTexts, localized } from './localized-text.ts';
import { isThisMachine } from './this-machine.ts';

/** The evidence has a line for the label of a consent, and one for each link. */
export const oneLine = z.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'must be on one line');

/** No two consents have the same evidence: what stands at its end are links, and never the end of a text. */
export const endsUnlikeLinks = z.refine<string>(
  (text) => !endsLikeLinks(text),
  'must not end in lines of addresses: give them as links',
);

const linkLabel = z.string().check(z.minLength(1), z.maxLength(300), oneLine);

const linkUrl = z
  .string()
  .check(
    z.maxLength(2000),
    z.refine(
      isDocumentUrl,
      'must be an https address without blanks or a password, its host in lower case, as in https://www.example.com/terms',
    ),
  );

export const consentLinksSettingSchema = z
  .array(z.strictObject({ label: localized(linkLabel), url: localized(linkUrl) }))
  .check(z.maxLength(5));

export type ConsentLinkSetting = z.infer<typeof consentLinksSettingSchema>[number];

/** In any language: a document on this machine, which applicants elsewhere cannot read. */
export function isLocalLink({ url }: ConsentLinkSetting): boolean {
  return listTexts(url).some((text) => isThisMachine(new URL(text).hostname));
}

function endsLikeLinks(text: string): boolean {
  const place = text.lastIndexOf('\n\n');
  const lines = text.slice(place + 2).split('\n');
  return place >= 0 && lines.every((line) => /: https?:\/\/\S+$/.test(line));
}

/**
 * Only what every reader of addresses takes apart in the same way: the record has to say which document it was. Scheme and
 * host are as browsers write them, so that no name or password stands before the host; `http:` leads to this machine only.
 */
function isDocumentUrl(text: string): boolean {
  if (/[\p{C}\s\\]/u.test(text) || !URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  const isWhole = text === origin || text.startsWith(`${origin}/`);
  return isWhole && (protocol === 'https:' || (protocol === 'http:' && isThisMachine(hostname)));
}
