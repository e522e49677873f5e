// Minimum versions of the packages that parse untrusted input. An audit is not enough: private registries may have no advisories.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** The first version without known advisories. */
const floors = [
  { name: 'hono', floor: '4.12.25', because: 'CVE-2026-44456 (body limit), CVE-2026-54288' },
  { name: '@hono/node-server', floor: '2.0.10', because: 'CVE-2026-29087, CVE-2026-39406' },
  { name: 'file-type', floor: '21.3.1', because: 'CVE-2026-31808 (55 bytes stall the process)' },
  { name: 'iron-session', floor: '9.0.1', because: 'version 8 does not sign its version suffix' },
] as const;

it.each(floors)('the lockfile holds $name at $floor or later', ({ name, floor }) => {
  expect(isBelow(readLockedVersion(name), floor)).toBe(false);
});

it.each([
  ['4.12.24', true],
  ['4.9.99', true],
  ['3.99.99', true],
  ['4.12.25-rc.1', true],
  ['4.12.25', false],
  ['4.13.0', false],
  ['5.0.0', false],
])('isBelow compares %s with 4.12.25', (version, expected) => {
  expect(isBelow(version, '4.12.25')).toBe(expected);
});

function readLockedVersion(name: string): string {
  const text = readFileSync(new URL('../../../package-lock.json', import.meta.url), 'utf8');
  return JSON.parse(text).packages[`node_modules/${name}`].version;
}

/** By the three numbers of semantic versioning; a pre-release of the floor itself is below it. */
function isBelow(version: string, floor: string): boolean {
  const [numbers = '', preRelease] = version.split('-');
  const order = numbers.localeCompare(floor, 'en', { numeric: true });
  return order < 0 || (order === 0 && preRelease !== undefined);
}
