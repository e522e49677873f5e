// Builds images that a registry would provide, under their names, from programs of this machine. They do what compose.yaml uses of
// the official images; test/release/deployment/images names the source of each contract.

import { cpSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTestTools } from '../../../scripts/test-tools.mjs';
import { eicarSignature } from './clamd.ts';
import type { Docker } from './docker.ts';
import { copyWithLibraries, createRootFolder } from './image-files.ts';

const commands = (...names: readonly string[]) => names.map((name) => `/usr/bin/${name}`);
const shell = ['/bin/sh', ...commands('chmod', 'cat', 'install', 'ln', 'mkdir', 'rm')];

/** @param names names of the images in compose.yaml, and of the base image of the BFF. */
export async function buildStandIns(
  docker: Docker,
  names: { readonly [image in 'node' | 'postgres' | 'clamav' | 'caddy']: string },
): Promise<void> {
  const { postgres, clamd, caddy } = readTestTools();
  if (!postgres || !clamd || !caddy)
    throw new Error('PostgreSQL, ClamAV, or Caddy is missing. Run npm test, which installs them.');
  const contexts = join(docker.folder, 'images');
  cpSync(join(import.meta.dirname, 'images'), contexts, { recursive: true });

  const node = createFiles(join(contexts, 'node'), [...shell, process.execPath]);
  mkdirSync(join(node, 'usr/local/bin'), { recursive: true });
  renameSync(join(node, process.execPath), join(node, 'usr/local/bin/node'));

  const server = join(realpathSync(join(postgres, 'postgres')), '../../..');
  createFiles(join(contexts, 'postgres'), [
    ...shell,
    ...commands('bash', 'env', 'sed'),
    ...['initdb', 'pg_ctl', 'pg_dump', 'pg_isready', 'pg_restore', 'postgres', 'psql'].map((name) =>
      join(server, 'bin', name),
    ),
    ...['dict_snowball.so', 'plpgsql.so'].map((name) => join(server, 'lib', name)),
    server.replace('/lib/', '/share/'),
    '/usr/lib/locale/C.utf8',
    '/usr/share/zoneinfo/Etc/UTC',
  ]);

  const clamav = join(contexts, 'clamav');
  createFiles(clamav, [...shell, ...commands('bash', 'chown', 'sleep'), clamd]);
  writeFileSync(join(clamav, 'test.ndb'), eicarSignature);

  createFiles(join(contexts, 'caddy'), [...shell, ...commands('wget'), '/usr/sbin/setcap', caddy]);

  const services = Object.entries(names).map(([name, image]) => {
    const build = {
      context: join(contexts, name),
      dockerfile: 'Containerfile',
      args: { PROGRAMS: join(server, 'bin') },
    };
    return [name, { image, build }];
  });
  const file = join(contexts, 'compose.json');
  writeFileSync(file, JSON.stringify({ services: Object.fromEntries(services) }));
  await docker.run(`compose --project-name stand-ins --file ${file} build --quiet`);
  rmSync(contexts, { recursive: true });
}

function createFiles(context: string, paths: readonly string[]): string {
  const files = join(context, 'files');
  createRootFolder(files);
  copyWithLibraries(files, paths);
  return files;
}
