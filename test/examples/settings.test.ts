// The settings a partner may begin with: the BFF takes them, they are whole in both languages, and nobody goes live with their words.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../bff/config/config.ts';
import { listUntranslatedTexts, parseSettings, type Settings } from '../../bff/config/settings.ts';
import { production } from '../bff/config/config-source.ts';

const example = readText('examples/settings.json');

describe('the example settings', () => {
  it('are taken as they are', () => {
    expect(read('staging')).toEqual([]);
  });

  it('hold every text in English and in Spanish', () => {
    const { settings } = parseSettings(example) as { settings: Settings };
    expect(settings.locales).toEqual(['en', 'es']);
    expect(listUntranslatedTexts(settings)).toEqual([]);
  });

  it('are refused in production until the words of each consent and of the notice are replaced', () => {
    const { settings } = parseSettings(example) as { settings: Settings };
    const places = settings.consents.map(({ id }) => `the consent ${id}`);
    expect(read('production')).toEqual(
      [...places, 'offers.notQualifiedNotice'].map((place) =>
        expect.stringContaining(`placeholder text of ${place}.`),
      ),
    );
  });

  it('are named where the settings are spoken of', () => {
    expect(readText('README.md')).toContain('(examples/settings.json)');
  });
});

/** What is wrong with them there. */
function read(environment: string): readonly string[] {
  const variables = { ...production, FUNDING_ENVIRONMENT: environment };
  const result = readConfig({ variables, readFile: () => example });
  return 'problems' in result ? result.problems : [];
}

function readText(file: string): string {
  return readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
}
