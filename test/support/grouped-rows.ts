// Reads a table of test/fixtures in which several cases share an expected sentence.

import { readFileSync } from 'node:fs';

/**
 * Pairs of a case and its sentence. The cases of a group stand above their sentence, which is indented.
 *
 * @param fill the text for a placeholder, `${name}`.
 */
export function readGroupedRows(
  file: string,
  fill: (name: string) => string | undefined,
): [string, string][] {
  const text = readFileSync(new URL(`../fixtures/${file}`, import.meta.url), 'utf8');
  const filled = text.replaceAll(/\$\{(.*?)\}/g, (_all, name: string) => {
    const value = fill(name);
    if (value === undefined) throw new Error(`${file} has the unknown placeholder ${name}`);
    return value;
  });
  const rows: [string, string][] = [];
  let cases: string[] = [];
  for (const line of filled.split('\n').filter((written) => written.trim() !== '')) {
    if (line.startsWith('  ')) {
      rows.push(...cases.map((one): [string, string] => [one, line.trim()]));
      cases = [];
    } else cases.push(line);
  }
  return rows;
}
