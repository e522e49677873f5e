// Starts Caddy or nginx with the files of examples/deployment. Only addresses, ports, and paths differ.

import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { readTestTools } from '../../../scripts/test-tools.mjs';
import { createSelfSigned } from '../../support/self-signed.ts';
import { findFreePorts } from '../../support/free-port.ts';
import { startProgram } from '../../support/start-program.ts';

export const edgeNames = ['caddy', 'nginx'] as const;
export type EdgeName = (typeof edgeNames)[number];

export const edgePrograms: Readonly<Partial<Record<EdgeName, string>>> = readTestTools();

const examples = join(import.meta.dirname, '../../../examples/deployment');

interface Start {
  readonly folder: string;
  readonly port: number;
  readonly httpPort: number;
  readonly bffPorts: readonly number[];
}

export type Edge = Awaited<ReturnType<typeof startEdge>>;

/**
 * `httpPort` redirects to HTTPS. `authority` is the certificate of the authority that has signed the proxy's certificate.
 *
 * @param bffPorts ports of the BFFs on this machine. @param port HTTPS port of the proxy.
 */
export async function startEdge(name: EdgeName, bffPorts: readonly number[], port: number) {
  const [httpPort = 0] = await findFreePorts(1);
  const folder = mkdtempSync(join(tmpdir(), `funding-application-${name}-`));
  const start = { folder, port, httpPort, bffPorts };
  const { args, variables, authorityFile } = name === 'caddy' ? toCaddy(start) : toNginx(start);
  const program = await startProgram({
    program: edgePrograms[name]!,
    args,
    env: { PATH: process.env['PATH'], HOME: folder, ...variables },
    folder,
    signal: 'SIGTERM',
    isReady: () => acceptsTls(port),
  });
  const authority = readFileSync(authorityFile, 'utf8');
  return { ...program, url: `https://localhost:${port}`, port, httpPort, authority };
}

function toCaddy({ folder, port, httpPort, bffPorts }: Start) {
  return {
    args: ['run', '--config', join(examples, 'Caddyfile'), '--adapter', 'caddyfile'],
    variables: {
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
      PUBLIC_HOST: 'localhost',
      BFF_UPSTREAMS: bffPorts.map((bffPort) => `127.0.0.1:${bffPort}`).join(' '),
      // Caddy's own authority, which this machine does not trust.
      CADDY_TLS: 'tls internal',
      CADDY_OPTIONS: [
        `http_port ${httpPort}`,
        `https_port ${port}`,
        'default_bind 127.0.0.1',
        'skip_install_trust',
      ].join('\n'),
    },
    authorityFile: join(folder, 'caddy/pki/authorities/local/root.crt'),
  };
}

function toNginx({ folder, port, httpPort, bffPorts }: Start) {
  const { certificate, key } = createSelfSigned(Date.now() + 86_400_000);
  const authorityFile = join(folder, 'apply.crt');
  writeFileSync(authorityFile, certificate);
  writeFileSync(join(folder, 'apply.key'), key);
  // nginx writes its temporary files below the prefix of its installation.
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => {
    mkdirSync(join(folder, kind));
    return `${kind}_temp_path ${join(folder, kind)};`;
  });
  const upstreams = bffPorts.map(
    (bffPort) => `server 127.0.0.1:${bffPort} max_fails=1 fail_timeout=2s;`,
  );
  const changes = {
    'user www-data;': '',
    'worker_processes auto;': 'worker_processes 1;\ndaemon off;',
    '/run/nginx.pid': join(folder, 'nginx.pid'),
    '/var/log/nginx/error.log warn': 'stderr warn',
    '/var/log/nginx/access.log': join(folder, 'access.log'),
    'server_tokens off;': ['server_tokens off;', ...temporary].join('\n'),
    'server 127.0.0.1:8081 max_fails=1 fail_timeout=2s;': upstreams.join('\n'),
    '/etc/nginx/tls': folder,
    'listen 443 ssl http2;': `listen 127.0.0.1:${port} ssl http2;`,
    'listen 80;': `listen 127.0.0.1:${httpPort};`,
    'apply.partner.example': 'localhost',
  };
  let text = readFileSync(join(examples, 'nginx.conf'), 'utf8');
  for (const [from, to] of Object.entries(changes)) {
    if (!text.includes(from)) throw new Error(`nginx.conf does not contain ${from}`);
    text = text.replaceAll(from, to);
  }
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, text);
  return { args: ['-p', folder, '-c', file, '-e', 'stderr'], variables: {}, authorityFile };
}

async function acceptsTls(port: number): Promise<boolean> {
  const socket = connect({ port, servername: 'localhost', rejectUnauthorized: false });
  const isOpen = await once(socket, 'secureConnect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}
