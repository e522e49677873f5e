// Installs Debian's packages for the tests, on machines where that is possible.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { findCommand } from './project.mjs';

/** An attempt that failed (offline, no rights) is not repeated by every run. */
const retryAfterMs = 60 * 60 * 1000;

let hasUpdatedLists = false;

/** Whether to ask the package manager: something is missing, and the last attempt was not just now. */
export function shouldInstall(missing, triedAtMs = 0, nowMs = Date.now()) {
  return missing.length > 0 && nowMs - triedAtMs >= retryAfterMs;
}

export function isRootOnDebian() {
  if (process.getuid?.() !== 0 || !findCommand('apt-get') || !existsSync('/etc/os-release'))
    return false;
  return /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
}

/**
 * Installs what it can; says so when it cannot, and never throws for it.
 * @param {string[][]} groups packages that are of use only together
 */
export function installDebianPackages(groups) {
  const packages = groups.flat();
  console.log(`Installing for the tests (apt-get install ${packages.join(' ')}) …`);
  // Stale lists may still be good enough to install from, so a failed update ends nothing.
  if (!hasUpdatedLists) apt(['update']);
  hasUpdatedLists = true;
  if (install(packages) || groups.length === 1) return;
  // One package that cannot be had must not cost the other groups.
  for (const group of groups) install(group);
}

function install(packages) {
  return apt(['install', '-y', '--no-install-recommends', ...packages]);
}

function apt(args) {
  const options = ['-qq', '-o', 'DPkg::Lock::Timeout=120', '-o', 'Acquire::http::Timeout=20'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // The lock of the package lists has no time-out of its own: `update` fails at once while another apt runs.
  for (let attempt = 1; ; attempt += 1) {
    const result = spawnSync('apt-get', [...options, ...args], {
      encoding: 'utf8',
      env,
      timeout: 600_000,
    });
    if (result.status === 0) return true;
    const isLocked = /could not get lock|unable to lock/i.test(result.stderr ?? '');
    if (isLocked && attempt < 24) {
      spawnSync('sleep', ['5']);
      continue;
    }
    const reason =
      (result.stderr ?? '').trim().split('\n').slice(-3).join('\n') || result.error?.message;
    console.warn(`apt-get ${args[0]} failed: ${reason}`);
    return false;
  }
}
