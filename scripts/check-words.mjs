// Reports words of the glossary's "don't say" column (docs/reference/glossary.md) in names, comments, texts, and documents.
//   node scripts/check-words.mjs            all tracked files
//   node scripts/check-words.mjs bff docs   files below these paths
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** The changelog describes names of earlier builds. The other files contain the old words as data, or the words of other people. */
const excludedPaths = [
  'CHANGELOG.md',
  'package-lock.json',
  'scripts/check-words.mjs',
  'test/scripts/check-words.test.ts',
  'docs/reference/glossary.md',
  'widget/fields/industry-words-',
];

/**
 * Old words, as they appear in any capitalization and inside camelCase names: `mendedRow` contains "mend".
 * `only` and `exceptPath` limit a rule to paths; `exceptLine` names standard terms that contain the word.
 */
const rules = [
  { find: /mend/i, say: 'fix, corrected', exceptLine: /fromEnd|[ao]mmend|amend|commend|trimEnd/i },
  {
    find: /journal/i,
    say: 'store',
    exceptLine: /journal_mode|journalctl|journald/,
  },
  { find: /\bwish(?:es)?\b/i, say: 'contact request' },
  {
    find: /child(?:ren)?/i,
    say: 'attachment',
    only: /^bff\/(?:store|delivery|routes|middleware)\//,
    exceptLine: /process/i,
  },
  {
    find: /\bseal|Seal/,
    say: 'encrypt, decrypt, wrap key',
    exceptPath: /session|cookie|middleware|hostile/,
    exceptLine: /session|cookie|iron/i,
  },
  { find: /\bparked\b/i, say: 'held' },
  { find: /patience|answerWithin/i, say: 'timeout, delay' },
  { find: /\bcarried\b|\bcarries\b/i, say: 'deliver, attempt' },
  {
    find: /\bgates?\b|Gates?\b/,
    say: 'middleware, or "origin gate"',
    exceptLine: /origin[- ]?gate/i,
  },
  { find: /\b(?:a|the|session|by|no|its|as) handles?\b/i, say: 'session token' },
  { find: /\bfirst look\b|\blookAt/i, say: 'inspect, check' },
  { find: /\bwhoever|\bwhatever|\bwhomever/i, say: 'the name of the person or thing' },
  {
    find: /(?:\/\/|\/?\*\*?) (?:What|Whose|So long|That)(?= )/,
    say: 'a sentence with a subject, a verb, and an object',
  },
  { find: /\bbroke off\b|\bbreaks off\b/i, say: 'was interrupted' },
  {
    find: /colour|licence|behaviour|cancelled|recognise|organis(?:e|ation)|favour|honour/i,
    say: 'the US spelling',
    // A file name that some packages use.
    exceptLine: /\bLICENCE\b/,
  },
  { find: /\bticked\b|\buntick/i, say: 'check, clear' },
  // The shell's command of this name is fine.
  { find: /\btrap\b(?! ['-])|isTrap|trapF/, say: 'honeypot' },
  { find: /\btheir page\b/i, say: 'host page' },
];

/** @returns {{ line: number, word: string, say: string }[]} */
export function findWords(path, text) {
  const found = [];
  const applicable = rules.filter(
    ({ only = /^/, exceptPath }) => only.test(path) && !exceptPath?.test(path),
  );
  for (const [index, line] of text.split('\n').entries()) {
    for (const { find, say, exceptLine } of applicable) {
      const match = find.exec(line);
      if (match && !exceptLine?.test(line))
        found.push({ line: index + 1, word: match[0].trim(), say });
    }
  }
  return found;
}

export function isChecked(path) {
  return (
    /\.(?:ts|mts|mjs|js|md|json|html|env|service)$/.test(path) &&
    !excludedPaths.some((excluded) => path.startsWith(excluded))
  );
}

function main(paths) {
  const files = execFileSync('git', ['ls-files', '--', ...paths], { encoding: 'utf8' })
    .split('\n')
    .filter(isChecked);
  const problems = files.flatMap((file) =>
    findWords(file, readFileSync(file, 'utf8')).map(
      ({ line, word, say }) => `${file}:${line}: "${word}". Say: ${say}.`,
    ),
  );
  for (const problem of problems) console.error(problem);
  if (problems.length > 0)
    console.error(`${problems.length} words that docs/reference/glossary.md replaces.`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv.slice(2));
