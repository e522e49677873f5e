// The command: what it refuses, what it shows and asks, how it ends early, and what it never prints.

import { createServer } from 'node:https';
import { beforeAll, describe, expect, it } from 'vitest';
import { createUndiciTransport } from '../../bff/funding-service/transport.ts';
import { maxRefusedLogins } from '../../conformance/session.ts';
import { createCanarySearch } from '../support/canaries.ts';
import { createSelfSigned } from '../support/self-signed.ts';
import { listen } from '../support/servers.ts';
import {
  type Rig,
  type RigOptions,
  runRig,
  stagingSecrets,
  stagingVariables,
  type Variant,
} from './conformance-rig.ts';

const staging = ['--environment', 'staging', '--yes'];

async function runStaging(options: RigOptions = {}): Promise<Rig> {
  return runRig({ args: staging, variables: stagingVariables, ...options });
}

/** Expects that nothing is sent. */
async function expectRefusal(options: RigOptions, message: RegExp | string): Promise<void> {
  const { code, err, requests } = await runStaging(options);
  expect({ code, requests }).toEqual({ code: 1, requests: [] });
  expect(err).toMatch(message);
}

const search = createCanarySearch(
  Object.entries(stagingSecrets).map(([name, value]) => ({ name, value })),
);

describe('the options', () => {
  it.each([
    [['--environment', 'production'], /^--environment production is refused, always: /],
    [
      ['--environment', 'test'],
      /^--environment is not an environment of this command\. Use staging/,
    ],
    [[], /^--environment is missing\. Use staging\./],
    [['--environment', 'staging', '--delay-ms', '10'], /^--delay-ms must be .* at least 200\.$/],
    [['--environment', 'staging', '--max-calls', 'x'], /^--max-calls must be a whole number/],
    [['--environment', 'staging', '--nope'], /--nope/],
  ])('%j are refused', async (args, message) => {
    await expectRefusal({ args }, message);
  });

  it('prints the help', async () => {
    const { code, out } = await runRig({ args: ['--help'] });
    expect(code).toBe(0);
    expect(out).toContain('Usage: bff conformance --environment');
  });
});

describe('the environment variables', () => {
  it('are reported with all problems at once', async () => {
    const { code, err, requests } = await runRig({
      args: staging,
      settings: { documents: { maxBytes: 0 } },
      variables: {
        FUNDING_ENVIRONMENT: 'production',
        FUNDING_AUTH_URL: 'http://login.staging.funding.example',
        FUNDING_BASE_URL: 'https://localhost/rest',
        FUNDING_CLIENT_ID: 'sandbox-client',
        FUNDING_PARTNER_ID: 'P-7731',
        FUNDING_PARTNER_NAME: 'Millstone’s',
      },
    });
    expect(code).toBe(1);
    const lines = err.split('\n  ').map((line) => line.split(' ').slice(0, 3).join(' '));
    expect(lines.toSorted()).toEqual([
      'FUNDING_AUTH_URL is not',
      'FUNDING_BASE_URL points to',
      'FUNDING_CLIENT_ID has the',
      'FUNDING_CLIENT_SECRET is not',
      'FUNDING_ENVIRONMENT is production,',
      'FUNDING_PARTNER_NAME contains a',
      'FUNDING_PASSWORD is not',
      'FUNDING_SETTINGS names an',
      'FUNDING_USERNAME is not',
      'The configuration is',
    ]);
    expect(requests).toEqual([]);
  });

  it.each(['https://api.prod.funding.example/rest', 'https://funding.example/live/rest'])(
    'are refused with the URL %s',
    async (FUNDING_BASE_URL) => {
      await expectRefusal(
        { variables: { ...stagingVariables, FUNDING_BASE_URL } },
        /FUNDING_BASE_URL contains “(prod|live)”, a sign of production/,
      );
    },
  );

  it.each(['https://nonprod.funding.example/rest', 'https://non-prod.funding.example/rest'])(
    'are accepted with the URL %s',
    async (FUNDING_BASE_URL) => {
      const { code } = await runStaging({ variables: { ...stagingVariables, FUNDING_BASE_URL } });
      expect(code).toBe(0);
    },
  );
});

describe('the confirmation', () => {
  const args = ['--environment', 'staging'];

  it('shows calls, records, test data, and partner first', async () => {
    const { out, code, requests } = await runRig({
      args,
      variables: stagingVariables,
      answer: 'no',
    });
    expect(out).toContain('https://api.staging.funding.example/services/rest');
    expect(out).toContain('P-7731, Millstone Supply');
    expect(out).toMatch(/create-lead +\d+ calls/);
    expect(out).toMatch(/It creates 14 leads, \d+ documents/);
    expect(out).toMatch(/at most\n40 leads and 400 calls/);
    expect(out).toContain('TEST - do not process');
    expect(out).toContain('conformance-test@example.com');
    expect(code).toBe(1);
    expect(requests).toEqual([]);
  });

  it.each([
    ['y', 'Not confirmed. Nothing was sent.'],
    ['yes', 'Not confirmed. Nothing was sent.'],
    ['staging', 'Not confirmed. Nothing was sent.'],
    ['', 'Not confirmed. Nothing was sent.'],
    [undefined, /^Nobody can confirm: .* Use --yes in scripts\. Nothing was sent\.$/],
  ])('sends nothing after the answer %j', async (answer, message) => {
    await expectRefusal({ args, ...(answer !== undefined && { answer }) }, message);
  });

  it('is the name of the host', async () => {
    const { code, requests } = await runRig({
      args,
      variables: stagingVariables,
      answer: 'api.staging.funding.example',
    });
    expect(code).toBe(0);
    expect(requests.length).toBeGreaterThan(100);
  });

  it('announces the calls and leads that a service as specified then gets', async () => {
    // The offers and the name of the aggregator are ready, as in the rehearsal.
    const { out, requests, report } = await runStaging({
      settings: { aggregatorName: 'Acme', documents: { maxBytes: 100_000 } },
      sandbox: { aggregatorName: 'Acme' },
    });
    expect(out).toMatch(new RegExp(`in total +${requests.length} calls`));
    expect(out).toContain(`It creates ${report.facts.leads.length} leads`);
  });
});

describe('--dry-run', () => {
  it('prints each request with masked secrets, and sends nothing', async () => {
    const { out, code, requests, files } = await runRig({
      args: ['--environment', 'staging', '--dry-run'],
      variables: stagingVariables,
    });
    expect(code).toBe(0);
    expect(requests).toEqual([]);
    expect(files.size).toBe(0);
    expect(search.find(out)).toEqual([]);
    expect(out).toContain(
      'POST https://login.staging.funding.example/services/oauth2/token  (token)',
    );
    expect(out).toContain('client_secret=<FUNDING_CLIENT_SECRET>&username=<FUNDING_USERNAME>');
    expect(out).toContain('Authorization: Bearer <access token>');
    expect(out).toContain('PartnerId: P-7731');
    expect(out).toContain('"Company":"TEST - do not process (conformance)"');
    expect(out).toMatch(/\d+ requests\. Nothing was sent\.$/);
  });
});

describe('a run', () => {
  it('makes one call at a time, with the delay between calls', async () => {
    let active = 0;
    const { requests, waits } = await runStaging({
      args: [...staging, '--delay-ms', '700'],
      variant: async (_request, next) => {
        active += 1;
        expect(active).toBe(1);
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
        active -= 1;
        return next();
      },
    });
    expect(waits.filter((ms) => ms === 700)).toHaveLength(requests.length - 1);
  });

  describe('without options', () => {
    let rig: Rig;

    beforeAll(async () => {
      rig = await runStaging();
    });

    it('marks every lead as a test', () => {
      const leads = [...rig.sandbox.context.state.leads.values()].map(({ lead }) => lead);
      expect(leads.length).toBeGreaterThan(0);
      for (const lead of leads) {
        expect(lead.Company).toMatch(/^TEST - do not process/);
        expect(lead.ContactEmail).toMatch(/@example\.com$/);
        expect(lead.Ssn ?? '9').toMatch(/^9/);
      }
    });

    it('names the leads that support can delete', () => {
      const markdown = rig.files.get('conformance-report/staging.md') ?? '';
      for (const { applicationId, referenceId } of rig.sandbox.context.state.leads.values()) {
        expect(rig.out).toContain(`${applicationId}  ID ${referenceId}`);
        expect(markdown).toContain(applicationId);
      }
    });

    it('sends no asset report while the name of the aggregator is unknown', () => {
      expect(rig.row('asset-report/accepted')).toMatchObject({
        verdict: 'not-testable',
        did: expect.stringContaining('aggregatorName is not set'),
      });
      expect(rig.requests.filter(({ path }) => path.includes('asset-report'))).toEqual([]);
    });

    it('never sends a wrong password for the account of the partner', () => {
      const { FUNDING_USERNAME, FUNDING_PASSWORD } = stagingSecrets;
      const logins = rig.requests.filter(({ path }) => path.endsWith('/token'));
      const names = logins
        .map(({ body }) => new URLSearchParams(body))
        .filter((form) => form.get('password') !== FUNDING_PASSWORD)
        .map((form) => form.get('username'));
      expect(names.length).toBeGreaterThan(0);
      expect(names).not.toContain(FUNDING_USERNAME);
      const accounts = names.filter((name) => name?.includes('@'));
      expect(accounts.length).toBeLessThanOrEqual(maxRefusedLogins);
    });
  });

  it('skips rows', async () => {
    const { row, requests } = await runStaging({
      args: [...staging, '--skip', 'upload-file,token/user'],
    });
    expect(row('upload-file/accepted')).toMatchObject({ verdict: 'not-testable', did: 'Skipped.' });
    expect(row('token/user-invalid').did).toBe('Skipped.');
    expect(requests.filter(({ path }) => path === '/UploadFileApiV1')).toEqual([]);
  });

  it('ends at the limit of calls', async () => {
    const { code, err, requests } = await runStaging({ args: [...staging, '--max-calls', '5'] });
    expect(code).toBe(1);
    expect(err).toBe('The run has made 5 calls, its limit. Raise it with --max-calls.');
    expect(requests).toHaveLength(5);
  });
});

describe('secrets', () => {
  /** Repeats everything that it received, in several forms. */
  const repeats: Variant = async (request, next) => {
    const response = await next();
    const body = await response.json();
    if (body.access_token) issued.push(body.access_token);
    const echo = `${request.headers['Authorization'] ?? request.headers['authorization']} ${request.body} ${Buffer.from(`${request.headers['Authorization']}|${request.body}`).toString('base64')}`;
    const secrets = Object.values(stagingSecrets).flatMap((secret) => [
      secret,
      encodeURIComponent(secret),
      secret.toUpperCase(),
      Buffer.from(secret).toString('base64'),
      Buffer.from(`${secret}:x`).toString('base64'),
      Buffer.from(secret).toString('hex'),
    ]);
    const text = `${secrets.join(' ').slice(0, 900)} ${echo}`;
    for (const name of ['ResponseText', 'ResponseMessage', 'message', 'error_description']) {
      if (name in body) body[name] = `${body[name]} ${text}`;
    }
    for (const name of ['error', 'OfferId']) if (name in body) body[name] = text;
    return Response.json(body, { status: response.status });
  };
  const issued: string[] = [];

  it('are in no output and no report, even if the service repeats them', async () => {
    const { out, err, files } = await runStaging({ variant: repeats });
    expect(issued.length).toBeGreaterThan(1);
    const tokens = createCanarySearch(issued.map((value) => ({ name: 'token', value })));
    for (const text of [out, err, ...files.values()]) {
      expect(search.find(text)).toEqual([]);
      expect(tokens.find(text)).toEqual([]);
    }
    expect(files.get('conformance-report/staging.md')).toContain('&lt;FUNDING');
  });

  it('are in no message about a refused login', async () => {
    const { out, err, files, code } = await runStaging({
      variant: async ({ body }) =>
        Response.json({ error: 'invalid_grant', error_description: body }, { status: 400 }),
    });
    expect(code).toBe(1);
    for (const text of [out, err, ...files.values()]) expect(search.find(text)).toEqual([]);
  });
});

describe('a run that cannot go on', () => {
  const answerAll =
    (
      status: number,
      body: object | string,
      headers: Readonly<Record<string, string>> = {},
    ): Variant =>
    async () =>
      new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });

  it.each([
    [
      'a refused login',
      answerAll(400, { error: 'invalid_grant', error_description: 'authentication failure' }),
      /^The funding service refused the login \(HTTP 400, username-or-password\)\. Check FUNDING_USERNAME and FUNDING_PASSWORD\.$/,
    ],
    [
      'HTTP 401',
      answerAll(401, ''),
      /^The funding service refused the login \(HTTP 401, unrecognized\)\. Check /,
    ],
    [
      'a locked account',
      answerAll(400, { error: 'invalid_grant', error_description: 'User is locked out' }),
      /says that the account is locked\. Ask it to unlock the account/,
    ],
    [
      'a page',
      answerAll(200, '<html>Hello</html>'),
      /^The answer at FUNDING_AUTH_URL is not a token response/,
    ],
    ['an outage', answerAll(503, 'down'), /^The login failed with HTTP 503\. .* --resume\.$/],
    [
      'throttled logins',
      answerAll(429, ''),
      /^The funding service refuses logins for now \(HTTP 429\)/,
    ],
  ])('says so after one call: %s', async (_name, variant, message) => {
    const { code, err, requests, report } = await runStaging({ variant });
    expect(code).toBe(1);
    expect(err).toMatch(message);
    expect(requests).toHaveLength(1);
    expect(report).toMatchObject({ state: 'stopped', rows: [] });
  });

  it('waits before another refused login could lock the account', async () => {
    const files = new Map<string, string>();
    const variant = answerAll(400, { error: 'invalid_grant', error_description: 'no' });
    let count = 0;
    let last = '';
    for (let run = 0; run < 5; run += 1) {
      const args = run === 0 ? staging : [...staging, '--resume'];
      const { requests, err } = await runStaging({ args, variant, files });
      count += requests.length;
      last = err;
    }
    expect(last).toMatch(/^The funding service has refused 3 logins within 15 minutes/);
    expect(count).toBe(maxRefusedLogins);
  });

  it('ends when an operation asks for fewer calls', async () => {
    const { code, err, requests } = await runStaging({
      variant: async ({ path }, next) =>
        path === '/creditapp'
          ? new Response('', { status: 429, headers: { 'Retry-After': '30' } })
          : next(),
    });
    expect(code).toBe(1);
    expect(err).toMatch(/^The funding service asks for fewer calls \(HTTP 429\)\. Wait 30 seconds/);
    expect(requests).toHaveLength(2);
  });

  it.each([
    ['instance_url', 'https://api.prod.funding.example', 1],
    ['pURL', 'https://apply.live.funding.example/1', 2],
  ])('ends when %s names a host of production', async (name, url, calls) => {
    const { code, err, requests } = await runStaging({
      variant: async (_request, next) => {
        const response = await next();
        const body = await response.json();
        return Response.json(name in body ? { ...body, [name]: url } : body, {
          status: response.status,
        });
      },
    });
    expect(code).toBe(1);
    expect(err).toMatch(/a sign of production\. The run has ended\./);
    expect(requests).toHaveLength(calls);
  });

  it.each([
    [
      'nothing listens',
      'http',
      /^127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)\. Check FUNDING/,
    ],
    [
      'the certificate is not valid',
      'https',
      /^The TLS connection to localhost:\d+ failed \(DEPTH_ZERO_SELF_SIGNED_CERT\)\. Check its cert/,
    ],
  ])('names a host where %s', async (_fault, scheme, message) => {
    const { certificate, key } = createSelfSigned(Date.parse('2040-01-01'));
    const server = await listen(createServer({ cert: certificate, key }));
    if (scheme === 'http') await server.close();
    const url = scheme === 'http' ? server.origin : `https://localhost:${server.port}`;
    const { code, err } = await runRig({
      variables: { FUNDING_AUTH_URL: url, FUNDING_BASE_URL: url },
      transport: createUndiciTransport(),
    });
    await server.close();
    expect(code).toBe(1);
    expect(err).toMatch(message);
  });

  it('names a host that is too slow', async () => {
    const { code, err } = await runRig({
      transport: async () => ({ kind: 'interrupted', failure: 'UND_ERR_HEADERS_TIMEOUT' }),
    });
    expect(code).toBe(1);
    expect(err).toBe(
      'localhost:8082 did not answer in time (UND_ERR_HEADERS_TIMEOUT). Try again later with --resume.',
    );
  });
});

describe('an interrupted run', () => {
  it('ends before the next call, and its report has the rows so far', async () => {
    const { code, report, requests } = await runStaging({ interruptAfter: 10 });
    expect(code).toBe(130);
    expect(requests).toHaveLength(10);
    expect(report.state).toBe('interrupted');
    expect(report.rows.length).toBeGreaterThan(5);
  });

  it('continues with --resume, without repeating rows or losing leads', async () => {
    const files = new Map<string, string>();
    const first = await runStaging({ interruptAfter: 60, files });
    const done = first.report.rows.filter(({ verdict }) => verdict !== 'not-testable');
    const leads = first.report.facts.leads.map(({ applicationId }) => applicationId);

    const second = await runStaging({
      args: [...staging, '--resume'],
      files,
      service: first.sandbox,
    });
    expect(second.report.rows.slice(0, 5)).toEqual(first.report.rows.slice(0, 5));
    expect(second.report.facts.leads.map(({ applicationId }) => applicationId)).toEqual(
      expect.arrayContaining(leads),
    );
    expect(second.report.facts.leads).toHaveLength(14);
    expect(second.requests.length).toBeLessThan(first.requests.length + 10);
    expect(done.length).toBeGreaterThan(30);
    expect(second.report.state).toBe('complete');
    expect(new Set(second.report.rows.map(({ id }) => id)).size).toBe(second.report.rows.length);
  });

  it('refuses the report of another service', async () => {
    const files = new Map<string, string>();
    await runStaging({ interruptAfter: 5, files });
    const variables = { ...stagingVariables, FUNDING_PARTNER_ID: 'P-9' };
    await expectRefusal(
      { args: [...staging, '--resume'], files, variables },
      /is the report of another service or partner/,
    );
  });
});
