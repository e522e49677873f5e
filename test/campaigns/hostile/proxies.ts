// Starts nginx or HAProxy before a BFF, if installed. The proxies keep connections to the BFF open and share them.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findCommand } from '../../../scripts/project.mjs';
import { findFreePort } from '../../support/free-port.ts';
import { acceptsConnection, startProgram } from '../../support/start-program.ts';

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

/** Resolves to undefined if the proxy is not installed. */
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
  const { stop } = await startProgram({
    program: command,
    args: toArguments(name, folder, file),
    folder,
    signal: 'SIGTERM',
    isReady: () => acceptsConnection(port),
  });
  return { version: `${name} ${version}`, port, stop };
}
