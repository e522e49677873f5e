// Reports words of the glossary's "don't say" column (docs/reference/glossary.md) in names, comments, texts, and documents.
//   node scripts/check-words.mjs            all tracked files
//   node scripts/check-words.mjs bff docs   files below these paths
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The changelog describes names of earlier builds. The other files contain the old words as data, or the words of other people. */
const excludedPaths = [
  'CHANGELOG.md',
  'scripts/check-words.mjs',
  'test/scripts/check-words.test.ts',
  'docs/reference/glossary.md',
  'widget/fields/industry-words-',
];

/**
 * Old words, as they appear in any capitalization and inside camelCase names (`mendedRow` contains "mend"), with the words to say.
 * `only` and `exceptPath` limit a rule to paths; `exceptLine` names standard terms that contain the word.
 */
const rules = [
  [/mend/i, 'fix, corrected', { exceptLine: /fromEnd|[ao]mmend|amend|commend|trimEnd/i }],
  [/journal/i, 'store', { exceptLine: /journal_mode|journal(?:ctl|d)/ }],
  [/\bwish(?:es)?\b/i, 'contact request'],
  [
    /child(?:ren)?/i,
    'attachment',
    {
      only: /^bff\/(?:store|delivery|routes|middleware)\//,
      exceptLine: /process/i,
    },
  ],
  [
    /\bseal|Seal/,
    'encrypt, decrypt, wrap key',
    {
      exceptPath: /session|cookie|middleware|hostile/,
      exceptLine: /session|cookie|iron/i,
    },
  ],
  [/\bparked\b/i, 'held'],
  [/patience|answerWithin/i, 'timeout, delay'],
  [/\bcarried\b|\bcarries\b/i, 'deliver, attempt'],
  [/\bgates?\b|Gates?\b/, 'middleware, or "origin gate"', { exceptLine: /origin[- ]?gate/i }],
  [/\b(?:a|the|session|by|no|its|as) handles?\b/i, 'session token'],
  [/\bfirst look\b|\blookAt/i, 'inspect, check'],
  [/\bwhoever|\bwhatever|\bwhomever/i, 'the name of the person or thing'],
  [/(?:\/\/|\/?\*\*?) (?:What|Whose|So long|That)(?= )/, 'a subject, a verb, and an object'],
  [/\bbroke off\b|\bbreaks off\b/i, 'was interrupted'],
  // LICENCE is a file name that some packages use.
  [
    /colour|licence|behaviour|cancelled|recognise|organis(?:e|ation)|favour|honour/i,
    'the US spelling',
    { exceptLine: /\bLICENCE\b/ },
  ],
  [/\bticked\b|\buntick/i, 'check, clear'],
  // The shell's command of this name is fine.
  [/\btrap\b(?! ['-])|isTrap|trapF/, 'honeypot'],
  [/\btheir page\b/i, 'host page'],
];

/** @returns {{ line: number, word: string, say: string }[]} */
export function findWords(path, text) {
  const applicable = rules.filter(
    ([, , { only, exceptPath } = {}]) => (only?.test(path) ?? true) && !exceptPath?.test(path),
  );
  return text.split('\n').flatMap((line, index) =>
    applicable.flatMap(([find, say, { exceptLine } = {}]) => {
      const match = exceptLine?.test(line) ? null : find.exec(line);
      return match ? [{ line: index + 1, word: match[0].trim(), say }] : [];
    }),
  );
}

export function isChecked(path) {
  return (
    /\.(?:ts|mts|mjs|js|md|json|html|env|service)$/.test(path) &&
    !path.endsWith('package-lock.json') &&
    !excludedPaths.some((excluded) => path.startsWith(excluded))
  );
}

if (import.meta.main) {
  const args = ['ls-files', '--', ...process.argv.slice(2)];
  const files = execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(isChecked);
  const problems = files.flatMap((file) =>
    findWords(file, readFileSync(file, 'utf8')).map(
      ({ line, word, say }) => `${file}:${line}: "${word}". Say: ${say}.`,
    ),
  );
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) {
    console.error(`${problems.length} words that docs/reference/glossary.md replaces.`);
    process.exitCode = 1;
  }
}
