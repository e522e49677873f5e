// Reads a table of test/fixtures in which several cases share an expected result, and applies the changes in such cases.

import { readFileSync } from 'node:fs';

/**
 * Pairs of a case and its result. The cases of a group stand above their result, which is indented. `${x 9 times}` is a long text.
 *
 * @param fill the text for any other placeholder, `${name}`.
 */
export function readGroupedRows(
  file: string,
  fill: (name: string) => string | undefined = () => undefined,
): [string, string][] {
  const text = readFileSync(new URL(`../fixtures/${file}`, import.meta.url), 'utf8');
  const filled = text.replaceAll(/\$\{(.*?)\}/g, (_all, name: string) => {
    const [, count] = /^x (\d+) times$/.exec(name) ?? [];
    const value = count === undefined ? fill(name) : 'x'.repeat(Number(count));
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

/** The assignments of a change: `name=value | name=value`. */
export function toAssignments(change: string): readonly (readonly [string, string | undefined])[] {
  return change.split(' | ').map((assignment) => {
    const [, name = '', value] = /^([^=]+)(?:=([^]*))?$/.exec(assignment) ?? [];
    return [name, value] as const;
  });
}

/** Copies the object with the members of a change, `path.to.member=JSON`. Without JSON, a member is removed. Also returns the last path. */
export function applyChange(object: object, change: string): [changed: object, path: string] {
  const changed = structuredClone(object) as Record<string, unknown>;
  let place = '';
  for (const [path, json] of toAssignments(change)) {
    if (json !== undefined) setMember(changed, path.split('.'), json);
    place = path;
  }
  return [changed, place];
}

function setMember(target: Record<string, unknown>, path: readonly string[], json: string): void {
  const [name = '', ...rest] = path;
  if (rest.length > 0) {
    target[name] ??= /^\d+$/.test(rest[0] ?? '') ? [] : {};
    setMember(target[name] as Record<string, unknown>, rest, json);
  } else if (json === '') delete target[name];
  else target[name] = JSON.parse(json);
}
