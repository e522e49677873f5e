// `doctor`: finds no fault in a working BFF, and prints a fix for each fault of a proxy or the configuration.

import { createServer } from 'node:https';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { doctor } from '../../../bff/cli/doctor.ts';
import { indexWidget } from '../../../bff/config/widget-folder.ts';
import { apiHeaders } from '../../../shared/api/paths.ts';
import { createSelfSigned } from '../../support/self-signed.ts';
import { listen } from '../../support/servers.ts';
import { createWidgetFolder, entryName } from '../../support/widget-folder.ts';
import { createCliRig } from './cli-rig.ts';
import {
  answers,
  below,
  byMethod,
  changesAnswers,
  changesCookies,
  changesRequests,
  createDoctorRig,
  createFetchError,
  type DoctorRig,
  type DoctorRigOptions,
  limitsSessions,
  otherPage,
  type Proxy,
  publicUrl,
  samePage,
} from './doctor-rig.ts';

const strips = (name: string) => changesRequests((headers) => headers.delete(name));
const refusesBodies = answers(
  ({ headers }) => Number(headers.get('content-length') ?? 0) > 200_000,
  413,
);
const refusesHeaders = answers(({ headers }) => [...headers].join('').length > 8_000, 431);

let shared: DoctorRig;

beforeAll(async () => {
  shared = await createDoctorRig();
});

afterAll(() => shared.close());

/** A BFF behind a proxy: the same one, unless `options` change it. `changes` are variables of the doctor only. */
async function open(changes: DoctorRig['variables'] = {}, options?: DoctorRigOptions) {
  if (options) {
    const rig = await createDoctorRig(options);
    onTestFinished(() => rig.close());
    Object.assign(rig.variables, options.variables, changes);
    return rig;
  }
  shared.reset();
  Object.assign(shared.variables, changes);
  return shared;
}

async function check(rig: DoctorRig, name: string, page = samePage) {
  const { code, checks } = await rig.run('--origin', page, '--json');
  return { code, ...checks.find((found) => found.check === name) };
}

describe('doctor', () => {
  it('finds no fault behind a proxy that changes nothing', async () => {
    const rig = await open();
    const { code, checks } = await rig.run('--json');
    expect(code).toBe(0);
    expect(checks.filter(({ result }) => result !== 'ok')).toEqual([]);
    const list = (origin?: string) =>
      checks.filter((found) => found.origin === origin).map((found) => found.check);
    const page = ['origin', 'preflight', 'cors', 'cookie', 'session-token'];
    const bff = ['address', 'service', 'readiness', 'proxies', 'header-size', 'body-size'];
    expect([list(), list(samePage), list(otherPage)]).toEqual([bff, page, page]);
    // The rig refuses an output with a session cookie or a session token.
    expect(rig.secrets.length).toBeGreaterThanOrEqual(4);
  });

  it('accepts a proxy that does not publish /readyz', async () => {
    const rig = await open();
    rig.proxy = answers(below('/readyz'), 404);
    expect(await check(rig, 'readiness')).toMatchObject({ code: 0, result: 'ok' });
  });

  it('finds no fault below a base path', async () => {
    const PUBLIC_URL = `${publicUrl}/funding`;
    const { code, checks } = await (await open({}, { variables: { PUBLIC_URL } })).run('--json');
    expect([code, checks.filter(({ result }) => result !== 'ok')]).toEqual([0, []]);
    expect(checks[0]!.message).toBe(`The BFF answers at ${PUBLIC_URL}.`);
  });

  it("sends no preflight from the BFF's own origin, nor Origin in a GET", async () => {
    const rig = await open();
    const origins: unknown[] = [];
    rig.proxy = (request, forward) => {
      const isConfiguration = request.method === 'GET' && below('/v1/configuration')(request);
      if (isConfiguration) origins.push(request.headers.get('origin'));
      return forward(request);
    };
    const { code, checks } = await rig.run('--origin', publicUrl, '--json');
    expect(code).toBe(0);
    expect(checks.map((found) => found.check)).not.toContain('preflight');
    expect(new Set(origins)).toEqual(new Set([null]));
  });

  it('needs only PUBLIC_URL', async () => {
    const rig = await open();
    for (const name of Object.keys(rig.variables)) delete rig.variables[name];
    rig.variables.PUBLIC_URL = publicUrl;
    rig.service = () => Promise.reject(new Error('No request'));
    const { code, checks } = await rig.run(`--origin=${otherPage}`, '--json');
    expect(code).toBe(0);
    const names = checks.map((found) => found.check);
    expect(names).toContain('cookie');
    expect(names.filter((name) => /origin|proxies|service/.test(name))).toEqual([]);
  });

  it('prints one line per check, with the fix below', async () => {
    const rig = await open();
    rig.proxy = refusesBodies;
    const { code, out } = await rig.run('--origin', samePage);
    expect(code).toBe(1);
    expect(out).toContain(`ok       address        The BFF answers at ${publicUrl}.\n`);
    expect(out).toContain(`ok       preflight      ${samePage}: The CORS preflight succeeds.\n`);
    expect(out).toContain(
      'failed   body-size      Documents of 1 MiB do not reach the BFF (413 text/html).\n' +
        '         Fix: Accept request bodies of 1 MiB. nginx: client_max_body_size 1m;',
    );
    expect(out).toMatch(/\n\n1 fault\.\n$/);
  });

  it('reports an invalid environment', async () => {
    const PUBLIC_URL = 'http://apply.partner.example';
    const { code, err } = await (await open({ FUNDING_ENVIRONMENT: undefined, PUBLIC_URL })).run();
    expect(code).toBe(1);
    expect(err).toContain('\n  PUBLIC_URL ');
  });

  it.each([
    ['ENOTFOUND', 'Add a DNS record'],
    ['ECONNREFUSED', 'Start the proxy, and open its port.'],
    ['ETIMEDOUT', 'Open the port in the firewall'],
    ['TimeoutError', 'Open the port in the firewall'],
    ['ECONNRESET', 'Check the proxy and the firewall'],
    ['CERT_HAS_EXPIRED', 'Renew the certificate'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ssl_certificate …/fullchain.pem;'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'Get a certificate for this host name'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'listen 443 ssl;'],
  ])('prints a fix if the connection fails with %s', async (failure, fix) => {
    const rig = await open();
    rig.failure = failure;
    const { code, checks } = await rig.run('--json');
    expect(code).toBe(1);
    expect(checks).toMatchObject([
      {
        check: 'address',
        result: 'failed',
        message: expect.stringContaining(failure),
        fix: expect.stringContaining(fix),
      },
      { check: 'service' },
    ]);
  });

  it('warns if a rate limit prevents a check', async () => {
    const rig = await open();
    rig.proxy = limitsSessions();
    expect(await check(rig, 'session-token')).toMatchObject({
      code: 0,
      result: 'warning',
      fix: expect.stringContaining('Run doctor again'),
    });
  });
});

describe('the check of the funding service', () => {
  const url = 'https://login.service.example';
  const staging = { FUNDING_ENVIRONMENT: 'staging', FUNDING_AUTH_URL: url };

  it.each([
    ['FUNDING_AUTH_URL', 'http://localhost:8082', 'npm run sandbox'],
    ['FUNDING_AUTH_URL', 'http://127.0.0.1:9082', 'SANDBOX_PORT=9082 npm run sandbox'],
    ['FUNDING_BASE_URL', 'http://localhost:8082/rest', 'npm run sandbox'],
  ])('names a sandbox that is stopped: %s', async (name, address, command) => {
    const rig = await open({ [name]: address });
    const { service } = rig;
    rig.service = (target, init) =>
      target.startsWith(`${address}/`) && (name === 'FUNDING_AUTH_URL' || target.includes('/rest/'))
        ? Promise.reject(createFetchError('ECONNREFUSED'))
        : service(target, init);
    expect(await check(rig, 'service')).toEqual({
      code: 1,
      check: 'service',
      result: 'failed',
      message: `The funding service cannot be reached at ${address} (${name}). Nothing listens there (ECONNREFUSED).`,
      fix: `Start the sandbox: ${command}`,
    });
  });

  it.each([
    ['ECONNREFUSED', 'Nothing listens there', 'Open the firewall for login.service.example, or'],
    ['ENOTFOUND', 'The host name is unknown here', 'Check the DNS server of this machine, or'],
    ['TimeoutError', 'There is no answer within 15 seconds', 'Allow outgoing connections to login'],
    ['CERT_HAS_EXPIRED', 'The certificate has expired', 'Check the clock of this machine'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'The certificate is for another host name', 'Set FUNDING_'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'The certificate cannot be verified', 'NODE_EXTRA_CA_CERTS'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'TLS fails there', 'Use the scheme and the port'],
    ['ECONNRESET', 'The connection fails', 'Check the network of this machine, or'],
  ])('explains a service that fails with %s', async (failure, message, fix) => {
    const rig = await open(staging);
    rig.service = () => Promise.reject(createFetchError(failure));
    const found = await check(rig, 'service');
    expect(found).toMatchObject({
      code: 1,
      message: `The funding service cannot be reached at ${url} (FUNDING_AUTH_URL). ${message} (${failure}).`,
      fix: expect.stringContaining(fix),
    });
    expect(found.fix).toMatch(/FUNDING_AUTH_URL|of the funding service/);
  });

  it.each([
    ['a page', '<h1>It works!</h1>', 200, 'text/html'],
    ['a missing path', '[{"message":"No match","errorCode":"NOT_FOUND"}]', 404, 'application/json'],
    ['a proxy that blocks', '<h1>Blocked</h1>', 403, 'text/html'],
    ['another API', '{"status":"ok"}', 200, 'application/json'],
  ])('reports %s instead of the service', async (_name, body, status, type) => {
    const rig = await open({ ...staging, FUNDING_AUTH_URL: `${url}/path` });
    rig.service = async () => new Response(body, { status, headers: { 'content-type': type } });
    expect(await check(rig, 'service')).toMatchObject({
      code: 1,
      message: `${url}/path (FUNDING_AUTH_URL) is not the funding service (${status} ${type}).`,
      fix: expect.stringContaining('Correct FUNDING_AUTH_URL, which ends before /services/oauth2'),
    });
  });

  it('warns of a refusal in an unknown form', async () => {
    const rig = await open(staging);
    rig.service = async () => Response.json({ reason: 'no client' }, { status: 401 });
    expect(await check(rig, 'service')).toMatchObject({
      code: 0,
      result: 'warning',
      message: `${url} (FUNDING_AUTH_URL) refuses the request in a form that is not documented (401 application/json).`,
    });
  });

  it('sends no credentials', async () => {
    const rig = await open();
    const sent: unknown[] = [];
    const { service } = rig;
    rig.service = (target, init) => {
      sent.push([target, init?.method, init?.body, init?.headers]);
      return service(target, init);
    };
    await rig.run('--origin', samePage);
    const toSent = (path: string, type: string) => [
      `http://localhost:8082${path}`,
      'POST',
      undefined,
      { 'content-type': type },
    ];
    expect(sent).toEqual([
      toSent('/services/oauth2/token', 'application/x-www-form-urlencoded'),
      toSent('/rest/creditapp/getPreApprovalOffer', 'application/json'),
    ]);
  });
});

describe('the check of an origin', () => {
  const newPage = 'https://new.partner.example';
  const crossPage = 'https://cross.partner.example';
  const plainUrl = 'http://apply.partner.example';

  it.each<[string, DoctorRig['variables'], string, string, string, DoctorRigOptions?]>(
    // prettier-ignore
    [
      ['is not listed', { ALLOWED_ORIGINS: 'https://a.partner.example' }, samePage, 'origin', 'Add it to ALLOWED_ORIGINS'],
      [
        'is listed as one of the same site',
        { ALLOWED_ORIGINS: `${samePage} ${otherPage}`, CROSS_SITE_ORIGINS: 'https://o.example' },
        otherPage,
        'origin',
        'Move it to CROSS_SITE_ORIGINS, and restart the BFF.',
      ],
      ['is unknown to the running BFF', { ALLOWED_ORIGINS: newPage }, newPage, 'preflight', ''],
      ['asks a BFF with another PUBLIC_URL', { PUBLIC_URL: publicUrl }, samePage, 'cookie', 'this PUBLIC_URL', { variables: { PUBLIC_URL: plainUrl } }],
    ],
  )('fails if it %s', async (_how, variables, page, failed, fix, options) => {
    const rig = await open(variables, options);
    expect((await rig.run('--origin', page, '--json')).failed).toEqual([failed]);
    expect((await check(rig, failed, page)).fix).toContain(fix);
  });

  it('warns if CROSS_SITE_ORIGINS seems to list an origin of the same site', async () => {
    const rig = await open({}, { variables: { CROSS_SITE_ORIGINS: crossPage } });
    expect(await check(rig, 'origin', crossPage)).toMatchObject({ code: 0, result: 'warning' });
    expect(await check(rig, 'cookie', crossPage)).toMatchObject({ result: 'ok' });
  });

  it('warns if TRUSTED_PROXIES is none behind TLS', async () => {
    const rig = await open({ TRUSTED_PROXIES: 'none' });
    expect(await check(rig, 'proxies')).toMatchObject({ code: 0, result: 'warning' });
  });
});

describe('doctor behind a proxy that', () => {
  const api = below('/v1/');
  const preflights = byMethod('OPTIONS');
  const afterPreflight = byMethod('GET', 'POST', 'DELETE');
  const allowedOrigin = 'access-control-allow-origin';
  const ownPreflight = answers(preflights, 204, {
    [allowedOrigin]: samePage,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'GET, POST',
  });
  const addedCors = changesAnswers(
    (request) => api(request) && afterPreflight(request),
    (headers) => headers.append(allowedOrigin, '*'),
  );
  const redirect = answers(below('/'), 301, { location: 'https://other.example/livez' });
  const setsAnswer = (isMatch: typeof api, name: string, value: string) =>
    changesAnswers(isMatch, (headers) => headers.set(name, value));
  const allowedHeaders = setsAnswer(preflights, 'access-control-allow-headers', 'content-type');
  const noCredentials = setsAnswer(api, 'access-control-allow-credentials', 'false');
  const readableHeaders = setsAnswer(api, 'access-control-expose-headers', 'retry-after');
  const ownDomain = changesCookies('; Path=/', '; Path=/; Domain=a.example');

  it.each<readonly [string, string, string, Proxy]>(
    // prettier-ignore
    [
      ['redirects to another host', 'address', 'without a redirect', redirect],
      ['answers everything itself', 'address', 'proxy_pass http://127.0.0.1:', answers(below('/'), 200)],
      ['has no BFF', 'readiness', 'Run "check"', answers(below('/readyz'), 503)],
      ['answers preflights itself', 'preflight', 'if ($request_method = OPTIONS)', ownPreflight],
      ['allows some headers only', 'preflight', 'if ($request_method = OPTIONS)', allowedHeaders],
      ['rejects preflights', 'preflight', 'Forward OPTIONS requests', answers(preflights, 405)],
      ['strips Origin', 'preflight', 'proxy_set_header Origin', strips('origin')],
      ['sets Sec-Fetch-Site itself', 'preflight', 'Sec-Fetch-Site unchanged', changesRequests((sent) => sent.set('sec-fetch-site', 'none'))],
      ['forbids credentials', 'preflight', 'proxy_hide_header Access-Control-…', noCredentials],
      ['adds CORS headers', 'cors', 'proxy_hide_header Access-Control-…', addedCors],
      ['replaces the list of readable headers', 'cors', 'add_header Access-Control-Expose-Headers', readableHeaders],
      ["strips the BFF's own header", 'cors', 'with all methods and headers', strips(apiHeaders.request)],
      ['asks for a login', 'cors', 'without a login', answers(below('/v1/configuration'), 401)],
      ['strips Set-Cookie', 'cookie', 'proxy_hide_header', changesAnswers(api, (sent) => sent.delete('set-cookie'))],
      ['strips Secure', 'cookie', 'proxy_cookie_flags', changesCookies('; Secure', '')],
      ['strips HttpOnly', 'cookie', 'proxy_cookie_flags', changesCookies('; HttpOnly', '')],
      ['weakens SameSite', 'cookie', 'proxy_cookie_flags', changesCookies('Strict', 'Lax')],
      ['adds a Domain', 'cookie', 'proxy_cookie_domain', ownDomain],
      ['changes the Path', 'cookie', 'proxy_cookie_path', changesCookies('; Path=/', '; Path=/v1')],
      ['strips Cookie', 'cookie', 'Forward the header Cookie', strips('cookie')],
      ['rejects DELETE', 'cookie', 'Forward DELETE requests', answers(byMethod('DELETE'), 405)],
      ['strips Authorization', 'session-token', 'Forward the header Authorization', strips('authorization')],
      ['accepts short headers only', 'header-size', 'large_client_header_buffers', refusesHeaders],
      ['accepts short bodies only', 'body-size', 'client_max_body_size 1m;', refusesBodies],
    ],
  )('%s fails the check %s with the fix', async (_fault, failed, fix, proxy) => {
    const rig = await open();
    rig.proxy = proxy;
    const run = await rig.run('--origin', samePage, '--json');
    expect([run.code, run.failed]).toEqual([1, [failed]]);
    expect(run.checks.find(({ result }) => result === 'failed')!.fix).toContain(fix);
  });

  it('strips Partitioned fails for pages of other sites only', async () => {
    const rig = await open();
    rig.proxy = changesCookies('; Partitioned', '');
    expect((await rig.run('--origin', otherPage, '--json')).failed).toEqual(['cookie']);
    expect((await rig.run('--origin', samePage, '--json')).failed).toEqual([]);
  });
});

describe('the check of the pages', () => {
  let rig: DoctorRig;

  beforeEach(async () => {
    const folder = createWidgetFolder('1.2.3-test', { [entryName]: 'export {};' });
    rig = await open({}, { widget: indexWidget(folder.directory, '1.2.3-test') });
    folder.remove();
  });

  it('succeeds', async () => {
    expect(await check(rig, 'pages')).toMatchObject({ result: 'ok' });
  });

  const elsewhere = (path: string) => answers(below(path), 404);
  const forward = 'Forward /apply, /phone, /page/, /widget/, and /v1/ with all headers to the BFF.';
  const policy = 'The Content-Security-Policy of the pages is not the one for PUBLIC_URL.';
  it.each<[string, Proxy, object]>([
    ['keeps /phone', elsewhere('/phone'), { fix: forward }],
    ['keeps /page/', elsewhere('/page/'), { fix: forward }],
    ['keeps /v1/handoff/claim', elsewhere('/v1/handoff/claim'), { fix: forward }],
    ['removes the header of phones', strips('x-funding-phone'), {}],
    [
      'replaces the policy',
      changesAnswers(
        () => true,
        (sent) => sent.set('content-security-policy', "default-src 'self'"),
      ),
      { message: policy },
    ],
  ])('fails if the proxy %s', async (_what, proxy, expected) => {
    rig.proxy = proxy;
    expect(await check(rig, 'pages')).toMatchObject({ result: 'failed', ...expected });
  });
});

describe('doctor over the network', () => {
  it('reports certificates that no authority has signed', async () => {
    const { certificate, key } = createSelfSigned(Date.UTC(2049, 5, 1));
    const server = await listen(createServer({ cert: certificate, key }, (_q, a) => void a.end()));
    onTestFinished(server.close);
    const url = server.origin.replace('http:', 'https:');
    const rig = await createCliRig();
    Object.assign(rig.variables, { PUBLIC_URL: url, FUNDING_AUTH_URL: url });
    const { code, json } = await rig.run(doctor.name, '--json');
    expect(code).toBe(1);
    const failure = 'The certificate cannot be verified (DEPTH_ZERO_SELF_SIGNED_CERT).';
    expect(json.checks).toMatchObject([
      { check: 'address', message: expect.stringContaining(failure) },
      { check: 'service', message: expect.stringContaining(failure) },
    ]);
  });

  it('reports ports where nothing listens', async () => {
    const closed = await listen(createServer());
    await closed.close();
    const rig = await createCliRig();
    rig.variables['PUBLIC_URL'] = `http://localhost:${closed.port}`;
    rig.variables['SANDBOX_PORT'] = String(closed.port);
    const { code, json } = await rig.run(doctor.name, '--json');
    expect(code).toBe(1);
    expect(json.checks).toMatchObject([
      { check: 'address', fix: 'Start the BFF: npm run bff. Or correct PUBLIC_URL.' },
      { check: 'service', fix: `Start the sandbox: SANDBOX_PORT=${closed.port} npm run sandbox` },
    ]);
  });
});
