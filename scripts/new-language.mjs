// `npm run new-language -- fr`: creates the two files of texts of a language, with the English texts to translate.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'prettier';
import { industries } from '../shared/application/industries.ts';
import { industryWordsEn } from '../widget/fields/industry-words-en.ts';
import { readJson, root, toJson } from './project.mjs';

/** @returns {Promise<readonly { path: string, text: string }[]>} the files, with paths relative to the root. */
export async function createLanguageFiles(locale = '') {
  if (!/^[a-z]{2}$/.test(locale)) throw new Error('Name the language with two letters: -- fr');
  const catalogs = ['en', 'en-form', 'en-after', 'en-handoff', 'en-phone'].map((name) =>
    readJson(join(root, 'widget', 'i18n', `${name}.json`)),
  );
  const words = industries.map(
    (industry, index) =>
      `/* ${industry} */ ${JSON.stringify(`${industry}:${industryWordsEn[index]}`)},`,
  );
  const source = `// The industries in the order of \`industries\`: the label, a colon, and the synonyms. Loaded for this language only.

export const industryWords${locale[0].toUpperCase()}${locale.slice(1)}: readonly string[] = [
${words.join('\n')}
];
`;
  return [
    {
      path: `widget/i18n/${locale}.json`,
      text: toJson(Object.assign({}, ...catalogs)),
    },
    {
      path: `widget/fields/industry-words-${locale}.ts`,
      text: await format(source, { parser: 'typescript', printWidth: 100, singleQuote: true }),
    },
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  for (const { path, text } of await createLanguageFiles(process.argv[2])) {
    // Never overwrites a translation.
    writeFileSync(join(root, path), text, { flag: 'wx' });
    console.log(`Created ${path}. Translate its texts.`);
  }
