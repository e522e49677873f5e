// Tests for the files that `npm run new-language` creates.

import { describe, expect, it } from 'vitest';
import { createLanguageFiles } from '../../scripts/new-language.mjs';
import { industries } from '../../shared/application/industries.ts';
import { english } from '../support/messages.ts';

describe('createLanguageFiles', () => {
  it('creates a catalog with the English texts in their order', async () => {
    const [catalog] = await createLanguageFiles('fr');
    expect(catalog?.path).toBe('widget/i18n/fr.json');
    expect(Object.entries(JSON.parse(catalog?.text ?? ''))).toEqual(Object.entries(english));
  });

  it('creates a line of words for each industry', async () => {
    const [, words] = await createLanguageFiles('fr');
    expect(words?.path).toBe('widget/fields/industry-words-fr.ts');
    expect(words?.text).toContain('export const industryWordsFr: readonly string[] = [');
    const labels = [...(words?.text ?? '').matchAll(/^ {2}\/\* .+? \*\/ ['"](.+?):/gm)];
    expect(labels.map(([, label]) => label)).toEqual([...industries]);
  });

  it('rejects a name that is no language code', async () => {
    await expect(createLanguageFiles('French')).rejects.toThrow('two letters');
  });
});
