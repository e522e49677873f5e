// Identifies a mutant by its text, so that reports can be compared after lines have moved.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** @typedef {{ line: number, column: number }} Position Counted from 0. */
/** @typedef {{ fileName: string, mutatorName: string, replacement?: string, location: { start: Position, end: Position } }} Mutant */
/** Each `every`th mutant, or the mutants with these keys. @typedef {{ every?: number, keys?: string[] }} Selection */

/** @type {Map<string, string[]>} */
const linesByFile = new Map();

/** @param {Mutant} mutant */
export function readOriginal({ fileName, location: { start, end } }) {
  let lines = linesByFile.get(fileName);
  if (lines === undefined) {
    lines = readFileSync(fileName, 'utf8').split('\n');
    linesByFile.set(fileName, lines);
  }
  const text = lines.slice(start.line, end.line + 1);
  text[text.length - 1] = text.at(-1)?.slice(0, end.column) ?? '';
  text[0] = text[0]?.slice(start.column) ?? '';
  return text.join('\n');
}

/** @param {string} file @param {Mutant} mutant */
export function toKey(file, mutant) {
  const change = JSON.stringify([
    file,
    mutant.mutatorName,
    readOriginal(mutant),
    mutant.replacement,
  ]);
  return createHash('sha256').update(change).digest('hex').slice(0, 12);
}

/** The text of a mutant decides, so that a sample stays the same after lines have moved. @param {string} file @param {Mutant} mutant @param {Selection} selection */
export function isSelected(file, mutant, { every = 1, keys }) {
  const key = toKey(file, mutant);
  return keys?.includes(key) ?? Number.parseInt(key.slice(0, 8), 16) % every === 0;
}
