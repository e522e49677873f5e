import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { credentials } from './sandbox-client.ts';

const main = fileURLToPath(new URL('../../sandbox/main.ts', import.meta.url));

function start(env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [main], { env: { ...process.env, ...env } });
}

async function readOrigin(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const origin = /FUNDING_AUTH_URL=(\S+)/.exec(line)?.[1];
    if (origin) return origin;
  }
  throw new Error('The sandbox did not print its address');
}

describe('the sandbox process', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'serves requests until %s, then exits with 0',
    async (signal) => {
      const SANDBOX_DATA = join(mkdtempSync(join(tmpdir(), 'sandbox-')), 'sandbox.db');
      const child = start({ SANDBOX_PORT: '0', SANDBOX_DATA });
      const exited = once(child, 'exit');
      const origin = await readOrigin(child);
      const response = await fetch(`${origin}/services/oauth2/token`, {
        method: 'POST',
        body: new URLSearchParams(credentials),
      });
      expect(await response.json()).toMatchObject({ token_type: 'Bearer', instance_url: origin });

      child.kill(signal);

      expect(await exited).toEqual([0, null]);
      expect(existsSync(SANDBOX_DATA)).toBe(true);
    },
  );

  it('prints one line with --brief', async () => {
    const child = spawn(process.execPath, [main, '--brief'], {
      env: { ...process.env, SANDBOX_PORT: '0' },
    });
    const exited = once(child, 'exit');
    let text = '';
    for await (const piece of child.stdout) {
      text += String(piece);
      if (text.endsWith('\n')) child.kill('SIGTERM');
    }
    await exited;
    expect(text).toMatch(/^Sandbox listens on http:\/\/127\.0\.0\.1:\d+\n$/);
  });

  it('names a port that another process uses', async () => {
    const first = start({ SANDBOX_PORT: '0' });
    const { port } = new URL(await readOrigin(first));
    const second = start({ SANDBOX_PORT: port });
    const exited = once(second, 'exit');
    let errors = '';
    for await (const piece of second.stderr!) errors += String(piece);
    first.kill('SIGTERM');
    expect(await exited).toEqual([1, null]);
    expect(errors).toContain(`SANDBOX_PORT (${port}) is in use by another process. Choose another`);
  });

  it.each(['0.0.0.0', '::'])(
    'prints the address for this machine with SANDBOX_HOST=%s',
    async (host) => {
      const child = start({ SANDBOX_PORT: '0', SANDBOX_HOST: host });
      const origin = await readOrigin(child);
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      expect(origin).toMatch(/^http:\/\/localhost:\d+$/);
      await exited;
    },
  );

  it('exits with 1 if its environment is invalid', async () => {
    const child = start({ SANDBOX_PORT: 'many' });
    const exited = once(child, 'exit');
    let errors = '';
    for await (const piece of child.stderr!) errors += String(piece);
    expect(await exited).toEqual([1, null]);
    expect(errors).toContain('SANDBOX_PORT is not a port.');
  });
});
