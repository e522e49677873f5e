// The programs of Docker Engine and Compose 2, unpacked from Debian's packages. To install them would start a service and change the
// network of the machine.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findCommand } from '../../../scripts/project.mjs';

const folder = join(import.meta.dirname, '../../../test-output/docker');
const packages = ['docker.io', 'docker-cli', 'docker-compose', 'containerd'];
/** Debian 12 has Compose 1 only. These packages need no other library than its libc. */
const release = 'trixie';
const keys = '/usr/share/keyrings/debian-archive-keyring.gpg';
const files = [
  'usr/bin/docker',
  'usr/bin/containerd',
  'usr/sbin/dockerd',
  'usr/libexec/docker/cli-plugins/docker-compose',
];
/** Other programs that the engine and the tests need, with their packages. */
const commands = { runc: 'runc', iptables: 'iptables', ip: 'iproute2', setcap: 'libcap2-bin' };

/** Returns the root of the files. The first call on a machine downloads 77 MB. Throws if Docker cannot start on this machine. */
export function setUpDocker(): string {
  if (process.getuid?.() !== 0 || !existsSync(keys))
    throw new Error('Docker is not started. Run this campaign as root on Debian.');
  const missing = Object.entries(commands).filter(
    ([name]) => !findCommand(name, `/usr/sbin/${name}`, `/sbin/${name}`),
  );
  if (missing.length > 0) {
    const names = missing.map(([, name]) => name).join(' ');
    throw new Error(`Programs are missing. Run apt-get install ${names}.`);
  }
  if (!files.every((file) => existsSync(join(folder, file)))) unpack();
  return folder;
}

function unpack(): void {
  const temporary = mkdtempSync(join(tmpdir(), 'docker-packages-'));
  const apt = (...args: readonly string[]) =>
    execFileSync('apt-get', args, { cwd: temporary, encoding: 'utf8' });
  try {
    // The machine's own mirror.
    const targets = apt('indextargets', '--format', '$(REPO_URI) $(LABEL)', 'Created-By: Packages');
    const [, mirror] = /^(\S+) Debian$/m.exec(targets) ?? [];
    if (!mirror) throw new Error('apt-get has no source of Debian. Add one to its sources.');
    const sources = join(temporary, 'sources.list');
    writeFileSync(sources, `deb [signed-by=${keys}] ${mirror} ${release} main\n`);
    for (const name of ['lists/partial', 'archives/partial'])
      mkdirSync(join(temporary, name), { recursive: true });
    const options = [
      `Dir::Etc::SourceList=${sources}`,
      'Dir::Etc::SourceParts=/dev/null',
      `Dir::State::Lists=${temporary}/lists`,
      `Dir::Cache=${temporary}`,
      'APT::Sandbox::User=root',
    ].flatMap((option) => ['-o', option]);
    apt(...options, '-qq', 'update');
    apt(...options, '-qq', 'download', ...packages);
    mkdirSync(folder, { recursive: true });
    for (const name of readdirSync(temporary).filter((entry) => entry.endsWith('.deb')))
      execFileSync('dpkg', ['--extract', join(temporary, name), folder]);
  } finally {
    rmSync(temporary, { recursive: true });
  }
}
