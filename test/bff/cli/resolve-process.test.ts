// `resolve` as a process of its own, against a store that another process filled.

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../bff/store/open-store.ts';
import { startBff } from '../../support/bff.ts';
import { createManualTime, until } from '../../support/manual-time.ts';
import { startSandboxServer } from '../../support/sandbox-server.ts';

const main = fileURLToPath(new URL('../../../bff/main.ts', import.meta.url));

it('resolve reports the answer of the funding service', { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'resolve-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const service = await startSandboxServer();
  onTestFinished(() => service.close());
  const variables = {
    FUNDING_ENVIRONMENT: 'sandbox',
    DATABASE_URL: `file:${join(folder, 'store.db')}`,
    ...service.variables,
  };
  const reference = await leaveUnconfirmed(variables.DATABASE_URL);

  const { code, out, err } = await run(variables, 'resolve', reference, '0060000000000000AA');

  const message = `The funding service does not have ${reference} under 0060000000000000AA. Nothing was changed. Check the ApplicationID.\n`;
  expect({ code, out, err }).toEqual({ code: 1, out: '', err: message });
});

/** Submits an application that stays unconfirmed. */
async function leaveUnconfirmed(url: string): Promise<string> {
  const time = createManualTime(Date.now());
  const store = await openStore(url);
  const bff = await startBff({ store, time, delivers: false });
  const filed = bff.openBrowser().apply();
  await until(() => time.listTimers().length > 0);
  time.advance(60_000);
  const { json } = await filed;
  const claim = await store.claimDue('application', 180_000);
  if (!claim || claim.kind === 'unreadable') throw new Error('No application was due');
  await store.recordResult(claim, { state: 'unconfirmed' });
  await store.close();
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
