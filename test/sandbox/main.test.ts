import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startProcess, type TestProcess } from '../support/bff-process.ts';
import { credentials } from './sandbox-client.ts';

function start(variables: Record<string, string>, ...args: readonly string[]): TestProcess {
  return startProcess({ program: 'sandbox/main.ts', arguments: args, variables });
}

async function readOrigin({ output }: TestProcess): Promise<string> {
  const [, origin = ''] = await output(/FUNDING_AUTH_URL=(\S+)/);
  return origin;
}

describe('the sandbox process', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'serves requests until %s, then exits with 0',
    async (signal) => {
      const SANDBOX_DATA = join(mkdtempSync(join(tmpdir(), 'sandbox-')), 'sandbox.db');
      const sandbox = start({ SANDBOX_PORT: '0', SANDBOX_DATA });
      const origin = await readOrigin(sandbox);
      const response = await fetch(`${origin}/services/oauth2/token`, {
        method: 'POST',
        body: new URLSearchParams(credentials),
      });
      expect(await response.json()).toMatchObject({ token_type: 'Bearer', instance_url: origin });

      sandbox.child.kill(signal);

      expect(await sandbox.ended).toBe('0');
      expect(existsSync(SANDBOX_DATA)).toBe(true);
    },
  );

  it('prints one line with --brief', async () => {
    const sandbox = start({ SANDBOX_PORT: '0' }, '--brief');
    await sandbox.output(/\n$/);
    sandbox.child.kill('SIGTERM');
    await sandbox.ended;
    expect(String(sandbox.stdout())).toMatch(/^Sandbox listens on http:\/\/127\.0\.0\.1:\d+\n$/);
  });

  it('names a port that another process uses', async () => {
    const first = start({ SANDBOX_PORT: '0' });
    const { port } = new URL(await readOrigin(first));
    const second = start({ SANDBOX_PORT: port });
    expect(await second.ended).toBe('1');
    first.child.kill('SIGTERM');
    expect(String(second.stderr())).toContain(
      `SANDBOX_PORT (${port}) is in use by another process. Choose another`,
    );
  });

  it.each(['0.0.0.0', '::'])(
    'prints the address for this machine with SANDBOX_HOST=%s',
    async (host) => {
      const sandbox = start({ SANDBOX_PORT: '0', SANDBOX_HOST: host });
      const origin = await readOrigin(sandbox);
      sandbox.child.kill('SIGTERM');
      expect(origin).toMatch(/^http:\/\/localhost:\d+$/);
      await sandbox.ended;
    },
  );

  it('exits with 1 if its environment is invalid', async () => {
    const sandbox = start({ SANDBOX_PORT: 'many' });
    expect(await sandbox.ended).toBe('1');
    expect(String(sandbox.stderr())).toContain('SANDBOX_PORT is not a port.');
  });
});
