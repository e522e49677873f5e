// Ways of running Node that a BFF with real applicants refuses.
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../bff/config/config.ts';
import { listProblems, production } from './config-source.ts';

describe('a configuration outside the sandbox', () => {
  it.each([
    ['NODE_DEBUG', 'http', 'NODE_DEBUG is set and writes traffic to the error output. Unset it.'],
    [
      'NODE_DEBUG_NATIVE',
      'tls',
      'NODE_DEBUG_NATIVE is set and writes traffic to the error output. Unset it.',
    ],
    [
      'NODE_TLS_REJECT_UNAUTHORIZED',
      '0',
      'NODE_TLS_REJECT_UNAUTHORIZED is set and lets anybody pose as the service. Unset it.',
    ],
    [
      'NODE_OPTIONS',
      '--enable-source-maps --inspect=0.0.0.0:9229',
      'NODE_OPTIONS holds an option that opens a debugger. Take it out.',
    ],
    [
      'NODE_OPTIONS',
      '"--heapsnapshot-signal=SIGUSR2"',
      'NODE_OPTIONS holds an option that writes memory to disk. Take it out.',
    ],
    [
      'NODE_OPTIONS',
      '--report_on_fatalerror',
      'NODE_OPTIONS holds an option that writes reports that hold the environment. Take it out.',
    ],
    [
      'NODE_OPTIONS',
      '--tls-keylog=/tmp/keys',
      'NODE_OPTIONS holds an option that writes the keys of encrypted connections. Take it out.',
    ],
    [
      'NODE_OPTIONS',
      '--insecure-http-parser',
      'NODE_OPTIONS holds an option that reads requests that two servers may read differently. Take it out.',
    ],
  ])('refuses %s=%s', (name, value, problem) => {
    expect(listProblems({ ...production, [name]: value })).toEqual([problem]);
  });

  it('refuses the same on the command line', () => {
    const result = readConfig({
      variables: { FUNDING_ENVIRONMENT: 'staging' },
      nodeOptions: ['--inspect'],
      readFile: () => '',
    });

    expect(result).toMatchObject({
      problems: expect.arrayContaining([
        'The command line of node holds an option that opens a debugger. Take it out.',
      ]),
    });
  });

  it.each([
    ['NODE_TLS_REJECT_UNAUTHORIZED', '1'],
    ['NODE_OPTIONS', '--max-old-space-size=512'],
    ['NODE_EXTRA_CA_CERTS', '/etc/ssl/own.pem'],
  ])('takes %s=%s', (name, value) => {
    expect(listProblems({ ...production, [name]: value })).toEqual([]);
  });
});

describe('the sandbox', () => {
  it('may be debugged', () => {
    expect(listProblems({ FUNDING_ENVIRONMENT: 'sandbox', NODE_DEBUG: 'http' })).toEqual([]);
  });
});
