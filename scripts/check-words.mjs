// Reports words of the glossary's "don't say" column (docs/glossary.md) in names, comments, texts, and documents.
//   node scripts/check-words.mjs            all tracked files
//   node scripts/check-words.mjs bff docs   files below these paths
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/**
 * Folders that still use the old words. Remove an entry when the folder is rewritten; the check then keeps it clean.
 * The changelog describes names of earlier releases.
 */
const excludedPaths = [
  'CHANGELOG.md',
  'widget/',
  'test/widget/',
  'docs/element.md',
  'scripts/check-words.mjs',
  'test/scripts/check-words.test.ts',
  'docs/glossary.md',
];

const commentStart = String.raw`(?:^|\s)(?:\/\/|\/?\*\*?)\s+`;

/**
 * Each rule: what must not appear, what to write instead, and lines or paths where the word has another, standard meaning.
 * Matching ignores case and camelCase: `mendedRow` contains "mended".
 */
export const rules = [
  { find: /mend(?:ed|ing|s)?\b|\bmend/i, say: 'fix, corrected', allowLine: /amend|recommend|commend/i },
  { find: /journal/i, say: 'store', allowLine: /journal_(?:mode|schema)|journalctl|systemd/ },
  { find: /\bwish(?:es)?\b/i, say: 'contact request' },
  { find: /\bchild(?:ren)?\b/i, say: 'attachment', only: /^bff\/(?:store|delivery|routes|middleware)\//, allowLine: /process|AAD|alter table|create (?:table|index)/i },
  { find: /\bsealed?\b|\bsealing\b|\bseals\b/i, say: 'encrypt, decrypt, wrap key', allowPath: /session|cookie|middleware|seals/, allowLine: /session|cookie|iron|sealed_/i },
  { find: /\bparked\b/i, say: 'held' },
  { find: /\bpatience\b|answerWithin/i, say: 'timeout, delay' },
  { find: /\bcarried\b|\bcarries one\b/i, say: 'delivery, attempt' },
  { find: /(?<!origin[ -])\bgates?\b(?!way)/i, say: 'middleware, or "origin gate"', allowLine: /OriginGate|originGate|origin-gate|assertGated/ },
  { find: /\b(?:a|the|session|by|no|its|as) handles?\b/i, say: 'session token' },
  { find: /\bfirst look\b|lookAt[A-Z]/, say: 'inspect, check' },
  { find: /\bhonest\b/i, say: 'legitimate', only: /^bff\// },
  { find: /\bwhoever\b|\bwhatever\b|\bwhomever\b/i, say: 'name the person or thing' },
  { find: new RegExp(`${commentStart}(?:What|Whose|So long|That) `), say: 'a sentence with a subject, a verb, and an object' },
  { find: /\bbroke off\b|\bbreaks off\b/i, say: 'was interrupted, aborted' },
  { find: /\bcolours?\b(?!:)|\blicence|\bbehaviour|\bcancelled\b|\bunrecognised\b|\brecognise|\borganis|\bfavour|\bhonour/i, say: 'the US spelling' },
  { find: /\bticked\b|\buntick/i, say: 'check, clear' },
];

/** @returns {{ line: number, word: string, say: string }[]} */
export function findWords(path, text) {
  const found = [];
  const applicable = rules.filter(({ only, allowPath }) => !(only && !only.test(path)) && !allowPath?.test(path));
  for (const [index, line] of text.split('\n').entries()) {
    for (const { find, say, allowLine } of applicable) {
      const match = find.exec(line);
      if (match && !allowLine?.test(line)) found.push({ line: index + 1, word: match[0].trim(), say });
    }
  }
  return found;
}

export function isChecked(path) {
  return /\.(?:ts|mts|mjs|js|md|json|html|env|service)$/.test(path) && !excludedPaths.some((excluded) => path.startsWith(excluded));
}

function main(paths) {
  const files = execFileSync('git', ['ls-files', '--', ...paths], { encoding: 'utf8' }).split('\n').filter(isChecked);
  const problems = files.flatMap((file) =>
    findWords(file, readFileSync(file, 'utf8')).map(({ line, word, say }) => `${file}:${line}: "${word}". Say: ${say}.`),
  );
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) console.error(`${problems.length} words that docs/glossary.md replaces.`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv.slice(2));
