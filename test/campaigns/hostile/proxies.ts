// Starts nginx or HAProxy before a BFF, if installed. The proxies keep connections to the BFF open and share them.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

interface ProxyKind {
  readonly toArguments: (folder: string, file: string) => readonly string[];
  readonly toConfiguration: (folder: string, port: number, bffPort: number) => string;
}

/** The header that the proxies set on every request they forward. */
export const proxyMark = 'x-proxy-mark';

const kinds: Readonly<Record<ProxyName, ProxyKind>> = {
  nginx: {
    toArguments: (folder, file) => ['-p', folder, '-c', file, '-e', 'stderr', '-g', 'daemon off;'],
    toConfiguration: (folder, port, bffPort) => `
pid ${folder}/nginx.pid;
worker_processes 1;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
  scgi_temp_path ${folder}; uwsgi_temp_path ${folder};
  upstream bff { server 127.0.0.1:${bffPort}; keepalive 4; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://bff;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header ${proxyMark} nginx;
      proxy_request_buffering off;
    }
  }
}
`,
  },
  haproxy: {
    toArguments: (_folder, file) => ['-db', '-f', file],
    toConfiguration: (_folder, port, bffPort) => `
defaults
  mode http
  timeout connect 2s
  timeout client 10s
  timeout server 10s
  http-reuse always
frontend page
  bind 127.0.0.1:${port}
  default_backend bff
backend bff
  http-request set-header ${proxyMark} haproxy
  server bff 127.0.0.1:${bffPort}
`,
  },
};

/** Resolves to undefined if the proxy is not installed or does not start. */
export async function startProxy(name: ProxyName, bffPort: number): Promise<Proxy | undefined> {
  const command = findCommand(name, `/usr/sbin/${name}`);
  if (command === undefined) return undefined;
  const { toArguments, toConfiguration } = kinds[name];
  const output = spawnSync(command, ['-v'], { encoding: 'utf8' });
  const version = /\d+\.\d+\.\d+/.exec(`${output.stdout}${output.stderr}`)?.[0];
  if (version === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'funding-application-proxy-'));
  const file = join(folder, 'proxy.conf');
  const port = await findFreePort();
  writeFileSync(file, toConfiguration(folder, port, bffPort));
  const child = spawn(command, toArguments(folder, file), { stdio: 'ignore' });
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
