// When `npm start` cannot start, it names the setting to change, and exits.

import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { listen, type Listening } from '../support/servers.ts';

const root = new URL('../../', import.meta.url);
const portSettings = ['SANDBOX_PORT', 'BFF_PORT', 'PAGE_PORT'] as const;

describe('npm start', () => {
  const taken: Listening[] = [];

  afterEach(async () => {
    await Promise.all(taken.splice(0).map(({ close }) => close()));
  });

  it('names every port in use, with the setting that changes it', async () => {
    const ports = await Promise.all(portSettings.map(() => takePort()));
    const { code, stdout, stderr } = await start(
      Object.fromEntries(portSettings.map((name, index) => [name, ports[index]!])),
    );
    expect(code).toBe(1);
    expect(stdout).toBe('');
    const lines = stderr.trim().split('\n');
    expect(lines).toHaveLength(3);
    for (const [index, name] of portSettings.entries()) {
      expect(lines[index]).toContain(`Port ${ports[index]} of`);
      expect(lines[index]).toContain(`set ${name}, for example ${name}=`);
    }
  });

  it('names two settings with the same port', async () => {
    const [sandbox, bff] = [await takePort(), await takePort()];
    const { code, stderr } = await start({
      SANDBOX_PORT: sandbox,
      BFF_PORT: bff,
      PAGE_PORT: bff,
    });
    expect(code).toBe(1);
    expect(stderr).toContain(`PAGE_PORT and BFF_PORT are both ${bff}. Use different ports.`);
  });

  it.each(['0', '65536', 'eight'])('rejects %s as a port', async (port) => {
    const { code, stderr } = await start({ BFF_PORT: port });
    expect([code, stderr]).toEqual([
      1,
      'BFF_PORT is not a port number. Use a number from 1 to 65535.\n',
    ]);
  });

  it('is for the sandbox only', async () => {
    const { code, stderr } = await start({ FUNDING_ENVIRONMENT: 'production' });
    expect(code).toBe(1);
    expect(stderr).toContain('FUNDING_ENVIRONMENT is production');
    expect(stderr).toContain('npm run bff');
  });

  it('keeps the sandbox no longer than the store', async () => {
    const { code, stderr } = await start({ SANDBOX_DATA: 'sandbox.db', DATABASE_URL: '' });
    expect(code).toBe(1);
    expect(stderr).toContain('SANDBOX_DATA is set, but the store of the BFF would be deleted');
  });

  async function takePort(): Promise<string> {
    const server = await listen(createServer());
    taken.push(server);
    return new URL(server.url).port;
  }
});

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `npm start` until it exits. After a timeout, it is killed, and the exit code shows it. */
async function start(variables: Readonly<Record<string, string>>): Promise<Ended> {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['scripts/start.ts'], {
      cwd: root,
      env: { PATH: process.env['PATH'], ...variables },
      timeout: 4_000,
    });
    return { code: 0, stdout, stderr };
  } catch (error) {
    // execFile rejects with these fields when the exit code is not 0 (Node, child_process.execFile).
    return error as Ended;
  }
}
