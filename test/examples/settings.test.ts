import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../bff/config/config.ts';
import { listUntranslatedTexts, parseSettings, type Settings } from '../../bff/config/settings.ts';
import { production } from '../bff/config/config-source.ts';

const example = readText('examples/settings.json');

describe('the example settings', () => {
  it('are valid in staging', () => {
    expect(listProblems('staging')).toEqual([]);
  });

  it('contain every text in English plus Spanish', () => {
    const { settings } = parseSettings(example) as { settings: Settings };
    expect(settings.locales).toEqual(['en', 'es']);
    expect(listUntranslatedTexts(settings)).toEqual([]);
  });

  it('are invalid in production because of their placeholder texts', () => {
    const { settings } = parseSettings(example) as { settings: Settings };
    const placeholders = settings.consents.map(({ id }) => `the consent ${id}`);
    const problems = listProblems('production').filter((text) => !text.includes('fictional'));
    expect(problems).toEqual(
      [...placeholders, 'offers.notQualifiedNotice'].map((place) =>
        expect.stringContaining(`placeholder text in ${place}.`),
      ),
    );
  });

  it('are invalid in production because of their fictional addresses', () => {
    const problems = listProblems('production').filter((text) => text.includes('fictional'));
    expect(problems.map((text) => / in ([\w.]+)\. /.exec(text)?.[1])).toEqual([
      'consents.1.text',
      'consents.2.links.0.url',
      'consents.2.links.1.url',
      'offers.notQualifiedNotice',
      'support.phone',
      'support.email',
      'support.url',
    ]);
  });

  it('are linked from the checklist of a deployment', () => {
    expect(readText('docs/deploy/index.md')).toContain('examples/settings.json)');
  });
});

/** Returns the configuration errors in this environment. */
function listProblems(environment: string): readonly string[] {
  const variables = { ...production, FUNDING_ENVIRONMENT: environment };
  const result = readConfig({ variables, readFile: () => example });
  return 'problems' in result ? result.problems : [];
}

function readText(file: string): string {
  return readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
}
