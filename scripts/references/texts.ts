// The reference of the texts of the element: the industries of `prefill`, and the keys of `messages`.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { industries } from '../../shared/application/industries.ts';
import { root } from '../project.mjs';
import { generatedNote, toCode, toDocument, toList } from './markdown.ts';

/** The catalogs, each with the part of the form that shows its texts. */
const catalogs = {
  en: 'Start page, first question, and language',
  'en-form': 'Further steps of the form',
  'en-after': 'After the submission: status, documents, bank, and offers',
  'en-handoff': 'Documents from a phone, on the first device',
  'en-phone': 'Documents from a phone, on the phone',
} as const;

export function toTextsReference(): Promise<string> {
  return toDocument([
    '# Texts of the form',
    generatedNote('widget/i18n and shared/application/industries.ts'),
    'The industries that [`prefill`](../embed/prefill.md) accepts, and the keys of [`messages`](../embed/language.md#change-a-text) with their English texts.',
    '## Industries',
    'Values of `prefill.business.industry`, with exactly this spelling:',
    toList(industries.map(toCode)),
    ...Object.entries(catalogs).flatMap(([name, title]) => [
      `## ${title}`,
      toList(
        Object.entries(readCatalog(name)).map(([key, text]) => `${toCode(key)}: ${toCode(text)}`),
      ),
    ]),
  ]);
}

function readCatalog(name: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(join(root, 'widget/i18n', `${name}.json`), 'utf8'));
}
