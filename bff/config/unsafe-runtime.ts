// Refuses ways of running Node that write memory, secrets or traffic somewhere, or that stop checking who is spoken to.

import type { Reader, VariableSource } from './environment-reader.ts';

const unsafeOptions: readonly (readonly [RegExp, string])[] = [
  [/^--inspect/, 'opens a debugger'],
  [/^--(heap(snapshot|-prof)|abort-on-uncaught-exception)/, 'writes memory to disk'],
  [/^--report-/, 'writes reports that hold the environment'],
  [/^--tls-keylog/, 'writes the keys of encrypted connections'],
  [/^--insecure-http-parser/, 'reads requests that two servers may read differently'],
];

const unsafeVariables: readonly (readonly [string, (value: string) => boolean, string])[] = [
  ['NODE_DEBUG', () => true, 'writes traffic to the error output'],
  ['NODE_DEBUG_NATIVE', () => true, 'writes traffic to the error output'],
  ['NODE_TLS_REJECT_UNAUTHORIZED', (value) => value === '0', 'lets anybody pose as the service'],
];

/** Notes a problem for each; the sandbox, which holds nobody's data, takes them all. */
export function refuseUnsafeRuntime(
  reader: Reader,
  { variables, nodeOptions = [] }: VariableSource,
): void {
  for (const [name, isUnsafe, what] of unsafeVariables) {
    const value = variables[name] ?? '';
    if (value !== '' && isUnsafe(value)) reader.problem(name, `is set and ${what}`, 'Unset it.');
  }
  const fromEnvironment = (variables['NODE_OPTIONS'] ?? '').split(/\s+/);
  refuseOptions(reader, 'NODE_OPTIONS', fromEnvironment);
  refuseOptions(reader, 'The command line of node', nodeOptions);
}

/** Node answers SIGUSR1 with a debugger, whose client reads memory and keys; with a listener it does not. */
export function keepDebuggerShut(process: NodeJS.Process): void {
  if (process.env['FUNDING_ENVIRONMENT'] !== 'sandbox') process.on('SIGUSR1', () => undefined);
}

function refuseOptions(reader: Reader, name: string, options: readonly string[]): void {
  for (const option of options) {
    // Node takes underscores for hyphens, and quotes within NODE_OPTIONS.
    const plain = option.replaceAll('_', '-').replaceAll('"', '');
    const [, what] = unsafeOptions.find(([pattern]) => pattern.test(plain)) ?? [];
    if (what !== undefined) reader.problem(name, `holds an option that ${what}`, 'Take it out.');
  }
}
