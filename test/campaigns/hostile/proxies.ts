// Starts nginx or HAProxy before a BFF, if installed. The proxies keep connections to the BFF open and share them.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findCommand } from '../../../scripts/project.mjs';
import { findFreePort } from '../../support/free-port.ts';
import { waitUntil } from '../../support/wait-until.ts';

interface Proxy {
  /** For example `nginx 1.22.1`. */
  readonly version: string;
  readonly port: number;
  stop(): Promise<void>;
}

export const proxyNames = ['nginx', 'haproxy'] as const;

type ProxyName = (typeof proxyNames)[number];

/** The header that the proxies set on every request they forward. */
export const proxyMark = 'x-proxy-mark';

function toArguments(name: ProxyName, folder: string, file: string): readonly string[] {
  return name === 'nginx'
    ? ['-p', folder, '-c', file, '-e', 'stderr', '-g', 'daemon off;']
    : ['-db', '-f', file];
}

function toConfiguration(name: ProxyName, folder: string, port: number, bffPort: number): string {
  return readFileSync(join(import.meta.dirname, `proxy-${name}.conf`), 'utf8')
    .replaceAll('FOLDER', folder)
    .replaceAll('PROXY_PORT', String(port))
    .replaceAll('BFF_PORT', String(bffPort))
    .replaceAll('MARK', proxyMark);
}

/** Resolves to undefined if the proxy is not installed or does not start. */
export async function startProxy(name: ProxyName, bffPort: number): Promise<Proxy | undefined> {
  const command = findCommand(name, `/usr/sbin/${name}`);
  if (command === undefined) return undefined;
  const output = spawnSync(command, ['-v'], { encoding: 'utf8' });
  const version = /\d+\.\d+\.\d+/.exec(`${output.stdout}${output.stderr}`)?.[0];
  if (version === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'funding-application-proxy-'));
  const file = join(folder, 'proxy.conf');
  const port = await findFreePort();
  writeFileSync(file, toConfiguration(name, folder, port, bffPort));
  const child = spawn(command, toArguments(name, folder, file), { stdio: 'ignore' });
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await waitUntil(() => child.exitCode !== null || acceptsConnection(port), `A start of ${name}`);
  } catch (error) {
    await stop();
    throw error;
  }
  if (child.exitCode === null) return { version: `${name} ${version}`, port, stop };
  await stop();
  return undefined;
}

async function acceptsConnection(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'close').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return isOpen;
}
