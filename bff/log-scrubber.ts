// The last net under the log: takes out of a finished line whatever looks like a person's data or a secret.

/** With its quotes. No event holds as much: what is longer got there by mistake, and would take long to look through. */
const longestText = 4_096;

/** What is looked for inside the strings of a line, and the word that takes its place. Order matters: the longer forms come first. */
const shapes: readonly (readonly [string, RegExp])[] = [
  ['[seal]', /Fe26\.\d+\*[\w*.=~-]*/g],
  ['[token]', /\b(?:Bearer|Basic|Funding)\s+[^\s"\\]+/gi],
  ['[token]', /\b00D[A-Za-z0-9]{9,15}![^\s"\\]+/g],
  ['[base64]', /[A-Za-z0-9+/_-]{200,}={0,2}/g],
  ['[email]', /[^\s@"\\<>]{1,64}@[^\s@"\\<>]{1,253}\.[A-Za-z]{2,}/g],
  // Of nine digits alone or in the groups people write; never a part of an id, whose groups are joined by hyphens too.
  ['[ssn]', /(?<![\w.-])\d{3}[- ]\d{2}[- ]\d{4}(?![\w-])/g],
  ['[ein]', /(?<![\w.-])\d{2}[- ]\d{7}(?![\w-])/g],
  ['[9 digits]', /(?<![\w.:-])\d{9}(?![\w-])/g],
  ['[date]', /(?<![\w-])(?:18|19|20)\d{2}-\d{2}-\d{2}(?![\w-])/g],
  ['[phone]', /(?<![\w-])(?:\+?1[ .-]?)?\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}(?![\w-])/g],
];

/**
 * The line with each shape replaced: Social Security and employer numbers, dates, phone numbers, e-mail addresses, tokens, session
 * seals, long Base64. Only inside its JSON strings, so that it stays JSON. A shape is a guess, so this is no licence to log
 * freely: events are typed, and this catches what a mistake in one of them lets through (CWE-532). Of a string of more than
 * 4,096 characters only the length is left: looking through it would hold up the thread that serves (CWE-1333).
 */
export function scrubLine(line: string): string {
  return line.replaceAll(/"(?:[^"\\]|\\.)*"/g, scrubText);
}

function scrubText(text: string): string {
  if (text.length > longestText) return `"[${text.length - 2} characters]"`;
  return shapes.reduce((scrubbed, [word, shape]) => scrubbed.replaceAll(shape, word), text);
}
