// Refuses Node options and variables that expose memory, secrets, or traffic, or that turn off TLS verification, and a file system
// that is not Node's own.

import type { EnvironmentReader, VariableSource } from './environment-reader.ts';

const unsafeOptions: readonly (readonly [RegExp, string])[] = [
  [/^--inspect/, 'opens a debugger'],
  [/^--(heap(snapshot|-prof)|abort-on-uncaught-exception)/, 'writes memory to disk'],
  [/^--report-/, 'writes reports that contain the environment'],
  [/^--tls-keylog/, 'writes TLS keys to disk'],
  [/^--insecure-http-parser/, 'allows request smuggling'],
];

const unsafeVariables: readonly (readonly [string, RegExp, string])[] = [
  ['NODE_DEBUG', /./, 'writes traffic to standard error'],
  ['NODE_DEBUG_NATIVE', /./, 'writes traffic to standard error'],
  ['NODE_TLS_REJECT_UNAUTHORIZED', /^0$/, 'turns off TLS verification'],
];

/** The sandbox does not call this: it has no personal data. */
export function refuseUnsafeRuntime(
  reader: EnvironmentReader,
  { variables, nodeOptions = [] }: VariableSource,
): void {
  for (const [name, unsafe, effect] of unsafeVariables) {
    if (unsafe.test(variables[name] ?? '')) reader.problem(name, `${effect}. Unset it.`);
  }
  const options = {
    NODE_OPTIONS: variables['NODE_OPTIONS']?.split(/\s+/) ?? [],
    'The node command line': nodeOptions,
  };
  for (const [name, given] of Object.entries(options)) {
    // Node accepts underscores instead of hyphens, and quotes in NODE_OPTIONS.
    const normalized = given.map((option) => option.replaceAll('_', '-').replaceAll('"', ''));
    for (const [pattern, effect] of unsafeOptions) {
      if (!normalized.some((option) => pattern.test(option))) continue;
      reader.problem(name, `contains an option that ${effect}. Remove the option.`);
    }
  }
}

/**
 * Yarn's Plug'n'Play replaces `node:fs` with its own version, which cannot sync a file to the disk, and keeps packages in archives,
 * from which the processes that inspect documents cannot start. The BFF would start, and refuse each document.
 */
export function refusePlugAndPlay(
  reader: EnvironmentReader,
  { variables, nodeOptions = [] }: VariableSource,
): void {
  const options = [variables['NODE_OPTIONS'] ?? '', ...nodeOptions];
  if (options.some((option) => option.includes('.pnp.cjs')))
    reader.problem(
      'Yarn',
      "replaces Node's file system, so documents cannot be stored. Write nodeLinker: node-modules into .yarnrc.yml, and run yarn install.",
    );
}

/** By default, SIGUSR1 opens a debugger that can read memory and keys. A listener prevents that. */
export function disableDebuggerSignal(process: NodeJS.Process): void {
  if (process.env['FUNDING_ENVIRONMENT'] !== 'sandbox') process.on('SIGUSR1', () => undefined);
}
