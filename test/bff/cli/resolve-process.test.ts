// `resolve` as a process of its own, while somebody else has the turn to log in: nothing but its own wait keeps it alive.

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { openJournal } from '../../../bff/journal/open-journal.ts';
import { toCredentialsMark } from '../../../bff/shared-logins.ts';
import { createRig } from '../bff-rig.ts';
import { readValid } from '../config-source.ts';
import { createManualTime, until } from '../manual-time.ts';
import { startSandboxServer } from '../sandbox-server.ts';

const main = fileURLToPath(new URL('../../../bff/main.ts', import.meta.url));
/** Longer than a process takes to start, most of the time; when it is not, the test tries less and still holds. */
const takenMs = 3_000;

it(
  'waits for the turn, asks the service, and says what it found',
  { timeout: 60_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'resolve-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const service = await startSandboxServer();
    onTestFinished(() => service.close());
    const variables = {
      FUNDING_ENVIRONMENT: 'sandbox',
      JOURNAL_URL: `file:${join(folder, 'journal.db')}`,
      ...service.variables,
    };
    const reference = await leaveUnconfirmed(variables.JOURNAL_URL, toMark(variables));

    const { code, out, err } = await run(variables, 'resolve', reference, '0060000000000000AA');

    const message = `0060000000000000AA does not belong to ${reference}, says the funding service. Nothing was changed.\n`;
    expect({ code, out, err }).toEqual({ code: 1, out: '', err: message });
  },
);

function toMark(variables: Readonly<Record<string, string>>): string {
  return toCredentialsMark(readValid(variables));
}

/** Files an application nobody can say has arrived, and leaves the turn to log in with somebody who never ends it. */
async function leaveUnconfirmed(url: string, credentials: string): Promise<string> {
  const time = createManualTime(Date.now());
  const journal = await openJournal(url);
  const rig = await createRig({ journal, time, delivers: false });
  const filed = rig.openBrowser().apply();
  await until(() => time.listTimers().length > 0);
  time.advance(60_000);
  const { json } = await filed;
  const claim = await journal.claimDue('application', 180_000);
  if (!claim || claim.kind === 'unreadable') throw new Error('No application was due');
  await journal.settle(claim, { state: 'unconfirmed' });
  await journal.changeLogin(credentials, (_state, now) => ({
    state: { kind: 'taken', refusals: 1, until: now + takenMs },
    answer: undefined,
  }));
  await journal.close();
  return json.reference;
}

function run(env: Readonly<Record<string, string>>, ...argv: string[]) {
  return new Promise<{ readonly code: number; readonly out: string; readonly err: string }>(
    (resolve) => {
      const child = execFile(process.execPath, [main, ...argv], { env }, (_error, out, err) =>
        resolve({ code: child.exitCode ?? -1, out, err }),
      );
    },
  );
}
