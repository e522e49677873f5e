// Each alarm has a runbook, under a heading that alerts can link to.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { alarmCodes } from '../../bff/store/alarms.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/operate/alarms.md'), 'utf8');
const [, ...runbooks] = page.split(/^## /m);

it.each(alarmCodes)('%s has a runbook', (code) => {
  const runbook = runbooks.find((text) => text.split('\n\n')[1]?.includes(`\`${code}\``));
  expect(runbook).toMatch(/^1\. |Follow its steps\./m);
});
