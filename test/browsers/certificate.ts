// A temporary certificate for HTTPS on this machine. The browsers are told to ignore certificate errors.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface Certificate {
  /** Both in PEM format. */
  readonly key: string;
  readonly cert: string;
}

const run = promisify(execFile);

/** Requires the `openssl` command. Leaves no files on disk. */
export async function createCertificate(hosts: readonly string[]): Promise<Certificate> {
  const folder = await mkdtemp(join(tmpdir(), 'funding-application-certificate-'));
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  try {
    const names = hosts.map((host) => `DNS:${host}`).join(',');
    const request = `req -x509 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=${names}`;
    const key = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1';
    await run('openssl', [...`${request} ${key}`.split(' '), '-keyout', keyFile, '-out', certFile]);
    return { key: await readFile(keyFile, 'utf8'), cert: await readFile(certFile, 'utf8') };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
