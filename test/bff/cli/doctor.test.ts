// `doctor`: finds no fault in a working BFF, and prints a fix for each fault of a proxy or the configuration.

import { createServer } from 'node:https';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { doctor } from '../../../bff/cli/doctor.ts';
import { apiHeaders } from '../../../shared/api/paths.ts';
import { findFreePort } from '../../support/free-port.ts';
import { createSelfSigned } from '../../support/self-signed.ts';
import { listen } from '../../support/servers.ts';
import { createCliRig } from './cli-rig.ts';
import {
  addsAnswerHeader,
  answers,
  below,
  byMethod,
  changesCookies,
  createDoctorRig,
  createFetchError,
  type DoctorRig,
  limitsSessions,
  otherPage,
  type ProxyFaults,
  publicUrl,
  refusesBodies,
  refusesHeaders,
  samePage,
  setsAnswerHeader,
  setsRequestHeaders,
  stripsCookies,
  stripsRequestHeader,
  toAnswer,
} from './doctor-rig.ts';

describe('doctor', () => {
  let rig: DoctorRig;

  beforeEach(async () => {
    rig = await createDoctorRig();
  });

  afterEach(() => rig.close());

  it('finds no fault behind a proxy that changes nothing', async () => {
    const { code, checks } = await rig.run('--json');
    expect(code).toBe(0);
    expect(checks.filter(({ result }) => result !== 'ok')).toEqual([]);
    const list = (origin?: string) =>
      checks.filter((check) => check.origin === origin).map(({ check }) => check);
    const page = ['origin', 'preflight', 'cors', 'cookie', 'session-token'];
    expect(list()).toEqual([
      'address',
      'service',
      'readiness',
      'proxies',
      'header-size',
      'body-size',
    ]);
    expect(list(samePage)).toEqual(page);
    expect(list(otherPage)).toEqual(page);
  });

  it('accepts a proxy that does not publish /readyz', async () => {
    rig.faults = answers(below('/readyz'), toAnswer(404));
    const { code, checks } = await rig.run('--json');
    expect(code).toBe(0);
    expect(checks.find(({ check }) => check === 'readiness')).toMatchObject({ result: 'ok' });
  });

  it('finds no fault below a base path', async () => {
    const PUBLIC_URL = `${publicUrl}/funding`;
    await rig.close();
    rig = await createDoctorRig({ variables: { PUBLIC_URL } });
    rig.variables['PUBLIC_URL'] = PUBLIC_URL;
    const { code, checks } = await rig.run('--json');
    expect(checks.filter(({ result }) => result !== 'ok')).toEqual([]);
    expect(checks[0]!.message).toBe(`The BFF answers at ${PUBLIC_URL}.`);
    expect(code).toBe(0);
  });

  it('prints no session cookie or session token', async () => {
    await rig.run();
    expect(rig.secrets.length).toBeGreaterThanOrEqual(4);
  });

  it("sends no preflight from the BFF's own origin, nor Origin in a GET", async () => {
    const origins: unknown[] = [];
    rig.faults = {
      changeAnswer: (_answer, { method, url, headers }) =>
        void origins.push(method === 'GET' && url === '/v1/configuration' && headers.origin),
    };
    const { code, checks } = await rig.run('--origin', publicUrl, '--json');
    expect(code).toBe(0);
    expect(checks.map(({ check }) => check)).not.toContain('preflight');
    expect(origins).toContain(undefined);
    expect(origins).not.toContain(publicUrl);
  });

  it('needs only PUBLIC_URL', async () => {
    for (const name of Object.keys(rig.variables)) delete rig.variables[name];
    rig.variables.PUBLIC_URL = publicUrl;
    const { code, checks } = await rig.run(`--origin=${otherPage}`, '--json');
    expect(code).toBe(0);
    const names = checks.map(({ check }) => check);
    expect(names).toContain('cookie');
    expect(names).not.toContain('origin');
    expect(names).not.toContain('proxies');
  });

  it('prints one line per check, with the fix below', async () => {
    rig.faults = refusesBodies(200_000);
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

  it.each([
    [['--origin', 'https://www.partner.example/funding'], '--origin is not an origin.'],
    [['--origin', 'www.partner.example'], '--origin is not an origin.'],
    [['--origin'], "Option '--origin <value>' argument missing."],
    [['--page', otherPage], "Unknown option '--page'."],
    [['now'], 'There are too many arguments. The command takes none.'],
  ])('rejects the arguments %j', async (argv, sentence) => {
    const { code, out, err } = await rig.run(...argv);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(sentence);
  });

  it('reports an invalid environment', async () => {
    delete rig.variables.FUNDING_ENVIRONMENT;
    rig.variables.PUBLIC_URL = 'http://apply.partner.example';
    const { code, err } = await rig.run();
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
    rig.failure = failure;
    const { code, checks } = await rig.run('--json');
    expect(code).toBe(1);
    expect(checks.map(({ check }) => check)).toEqual(['address', 'service']);
    expect(checks[0]).toMatchObject({ check: 'address', result: 'failed' });
    expect(checks[0]!.message).toContain(failure);
    expect(checks[0]!.fix).toContain(fix);
  });

  it('skips the funding service without its addresses', async () => {
    delete rig.variables.FUNDING_ENVIRONMENT;
    rig.service = () => Promise.reject(new Error('No request'));
    const { code, checks } = await rig.run('--origin', samePage, '--json');
    expect(code).toBe(0);
    expect(checks.map(({ check }) => check)).not.toContain('service');
  });

  it.each([
    ['FUNDING_AUTH_URL', 'http://localhost:8082', 'npm run sandbox'],
    ['FUNDING_AUTH_URL', 'http://127.0.0.1:9082', 'SANDBOX_PORT=9082 npm run sandbox'],
    ['FUNDING_BASE_URL', 'http://localhost:8082/rest', 'npm run sandbox'],
  ])('names a sandbox that is stopped: %s', async (name, url, command) => {
    rig.variables[name] = url;
    const { service } = rig;
    rig.service = (target, init) =>
      target.startsWith(`${url}/`) && (name === 'FUNDING_AUTH_URL' || target.includes('/rest/'))
        ? Promise.reject(createFetchError('ECONNREFUSED'))
        : service(target, init);
    const { code, checks } = await rig.run('--origin', samePage, '--json');
    expect(code).toBe(1);
    expect(checks.find(({ check }) => check === 'service')).toEqual({
      check: 'service',
      result: 'failed',
      message: `The funding service cannot be reached at ${url} (${name}). Nothing listens there (ECONNREFUSED).`,
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
  ])('explains a funding service that fails with %s', async (failure, message, fix) => {
    const url = 'https://login.service.example';
    rig.variables.FUNDING_ENVIRONMENT = 'staging';
    rig.variables.FUNDING_AUTH_URL = url;
    rig.service = () => Promise.reject(createFetchError(failure));
    const { code, checks } = await rig.run('--origin', samePage, '--json');
    expect(code).toBe(1);
    const found = checks.find(({ check }) => check === 'service')!;
    expect(found.message).toBe(
      `The funding service cannot be reached at ${url} (FUNDING_AUTH_URL). ${message} (${failure}).`,
    );
    expect(found.fix).toContain(fix);
    expect(found.fix).toMatch(/FUNDING_AUTH_URL|of the funding service/);
  });

  it.each([
    ['a page', '<h1>It works!</h1>', 200, 'text/html'],
    ['a missing path', '[{"message":"No match","errorCode":"NOT_FOUND"}]', 404, 'application/json'],
    ['a proxy that blocks', '<h1>Blocked</h1>', 403, 'text/html'],
    ['another API', '{"status":"ok"}', 200, 'application/json'],
  ])('reports %s instead of the funding service', async (_name, body, status, type) => {
    const url = 'https://login.service.example/path';
    rig.variables.FUNDING_ENVIRONMENT = 'staging';
    rig.variables.FUNDING_AUTH_URL = url;
    rig.service = async () => new Response(body, { status, headers: { 'content-type': type } });
    const { code, checks } = await rig.run('--origin', samePage, '--json');
    expect(code).toBe(1);
    expect(checks.find(({ check }) => check === 'service')).toMatchObject({
      message: `${url} (FUNDING_AUTH_URL) is not the funding service (${status} ${type}).`,
      fix: expect.stringContaining('Correct FUNDING_AUTH_URL, which ends before /services/oauth2'),
    });
  });

  it('warns of a refusal in an unknown form', async () => {
    rig.variables.FUNDING_ENVIRONMENT = 'staging';
    rig.variables.FUNDING_AUTH_URL = 'https://login.service.example';
    rig.service = async () => Response.json({ reason: 'no client' }, { status: 401 });
    const { code, checks } = await rig.run('--origin', samePage, '--json');
    expect(code).toBe(0);
    expect(checks.find(({ check }) => check === 'service')).toMatchObject({
      result: 'warning',
      message:
        'https://login.service.example (FUNDING_AUTH_URL) refuses the request in a form that is not documented (401 application/json).',
    });
  });

  it('sends no credentials to the funding service', async () => {
    const sent: unknown[] = [];
    const { service } = rig;
    rig.service = (url, init) => {
      sent.push([url, init?.method, init?.body, init?.headers]);
      return service(url, init);
    };
    await rig.run('--origin', samePage);
    expect(sent).toEqual([
      [
        'http://localhost:8082/services/oauth2/token',
        'POST',
        undefined,
        { 'content-type': 'application/x-www-form-urlencoded' },
      ],
      [
        'http://localhost:8082/rest/creditapp/getPreApprovalOffer',
        'POST',
        undefined,
        { 'content-type': 'application/json' },
      ],
    ]);
  });

  it('says how to start the BFF of a sandbox', async () => {
    await rig.close();
    const PUBLIC_URL = 'http://localhost:8081';
    rig = await createDoctorRig({ variables: { PUBLIC_URL } });
    rig.variables['PUBLIC_URL'] = PUBLIC_URL;
    rig.failure = 'ECONNREFUSED';
    const { checks } = await rig.run('--origin', samePage, '--json');
    expect(checks[0]).toMatchObject({
      message: `PUBLIC_URL (${PUBLIC_URL}) cannot be reached. Nothing listens there (ECONNREFUSED).`,
      fix: 'Start the BFF: npm run bff. Or correct PUBLIC_URL.',
    });
  });

  it('fails if the origin is not listed', async () => {
    rig.variables.ALLOWED_ORIGINS = 'https://a.partner.example';
    const { failed, checks } = await rig.run('--origin', samePage, '--json');
    expect(failed).toEqual(['origin']);
    expect(checks.find(({ result }) => result === 'failed')!.fix).toContain(
      'Add it to ALLOWED_ORIGINS',
    );
  });

  it('fails if ALLOWED_ORIGINS lists an origin of another site', async () => {
    rig.variables.ALLOWED_ORIGINS = `${samePage} ${otherPage}`;
    rig.variables.CROSS_SITE_ORIGINS = 'https://other.example';
    const { failed, checks } = await rig.run('--origin', otherPage, '--json');
    expect(failed).toEqual(['origin']);
    expect(checks.at(-1)!.fix).toBe('Move it to CROSS_SITE_ORIGINS, and restart the BFF.');
  });

  it('warns if CROSS_SITE_ORIGINS seems to list an origin of the same site', async () => {
    const page = 'https://cross.partner.example';
    await rig.close();
    rig = await createDoctorRig({ variables: { CROSS_SITE_ORIGINS: page } });
    rig.variables.CROSS_SITE_ORIGINS = page;
    const { code, checks } = await rig.run('--origin', page, '--json');
    expect(code).toBe(0);
    expect(checks.find(({ check }) => check === 'origin')!.result).toBe('warning');
    expect(checks.find(({ check }) => check === 'cookie')!.result).toBe('ok');
  });

  it('warns if TRUSTED_PROXIES is none behind TLS', async () => {
    rig.variables.TRUSTED_PROXIES = 'none';
    const { code, checks } = await rig.run('--origin', samePage, '--json');
    expect(code).toBe(0);
    expect(checks.find(({ check }) => check === 'proxies')!.result).toBe('warning');
  });

  it('fails if the running BFF does not know the origin', async () => {
    rig.variables.ALLOWED_ORIGINS = 'https://new.partner.example';
    const { failed, checks } = await rig.run('--origin', 'https://new.partner.example', '--json');
    expect(failed).toEqual(['preflight']);
    expect(checks.at(-1)!.message).toBe('The BFF refuses this origin.');
  });

  it('fails if the BFF runs with another PUBLIC_URL', async () => {
    await rig.close();
    rig = await createDoctorRig({ variables: { PUBLIC_URL: 'http://apply.partner.example' } });
    const { failed, checks } = await rig.run('--origin', samePage, '--json');
    expect(failed).toEqual(['cookie']);
    expect(checks.find(({ check }) => check === 'cookie')!.fix).toContain('this PUBLIC_URL');
  });

  it('warns if a rate limit prevents a check', async () => {
    rig.faults = limitsSessions(1);
    const { code, checks } = await rig.run('--origin', samePage, '--json');
    expect(code).toBe(0);
    expect(checks.filter(({ result }) => result !== 'ok')).toMatchObject([
      {
        check: 'session-token',
        result: 'warning',
        fix: expect.stringContaining('Run doctor again'),
      },
    ]);
  });
});

describe('doctor behind a proxy that', () => {
  let rig: DoctorRig;

  beforeAll(async () => {
    rig = await createDoctorRig();
  });

  afterAll(() => rig.close());

  const api = below('/v1/');
  const preflights = byMethod('OPTIONS');
  const afterPreflight = byMethod('GET', 'POST', 'DELETE');
  const allowedOrigin = 'access-control-allow-origin';
  const ownPreflight = toAnswer(204, {
    [allowedOrigin]: samePage,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'GET, POST',
  });

  it.each<readonly [string, ProxyFaults, string, string]>([
    [
      'redirects to another host',
      answers(below('/'), toAnswer(301, { location: 'https://other.example/livez' })),
      'address',
      'without a redirect',
    ],
    [
      'answers everything itself',
      answers(below('/'), toAnswer(200)),
      'address',
      'proxy_pass http://127.0.0.1:',
    ],
    [
      'reports that the BFF is not ready',
      answers(below('/readyz'), toAnswer(503)),
      'readiness',
      'Run "check"',
    ],
    [
      'answers preflights itself',
      answers(preflights, ownPreflight),
      'preflight',
      'if ($request_method = OPTIONS)',
    ],
    [
      'allows some headers only',
      setsAnswerHeader(preflights, 'access-control-allow-headers', 'content-type'),
      'preflight',
      'if ($request_method = OPTIONS)',
    ],
    [
      'rejects preflights',
      answers(preflights, toAnswer(405)),
      'preflight',
      'Forward OPTIONS requests',
    ],
    ['strips Origin', stripsRequestHeader('origin'), 'preflight', 'proxy_set_header Origin'],
    [
      'sets Sec-Fetch-Site itself',
      setsRequestHeaders({ 'sec-fetch-site': 'none' }),
      'preflight',
      'Sec-Fetch-Site unchanged',
    ],
    [
      'forbids credentials',
      setsAnswerHeader(api, 'access-control-allow-credentials', 'false'),
      'preflight',
      'proxy_hide_header Access-Control-…',
    ],
    [
      'adds CORS headers',
      addsAnswerHeader((asked) => api(asked) && afterPreflight(asked), allowedOrigin, '*'),
      'cors',
      'proxy_hide_header Access-Control-…',
    ],
    [
      'replaces the list of readable headers',
      setsAnswerHeader(api, 'access-control-expose-headers', 'retry-after'),
      'cors',
      'add_header Access-Control-Expose-Headers',
    ],
    [
      "strips the BFF's own header",
      stripsRequestHeader(apiHeaders.request),
      'cors',
      'with all methods and headers',
    ],
    [
      'asks for a login',
      answers(below('/v1/configuration'), toAnswer(401)),
      'cors',
      'without a login',
    ],
    ['strips Set-Cookie', stripsCookies, 'cookie', 'proxy_hide_header'],
    ['strips Secure', changesCookies('; Secure', ''), 'cookie', 'proxy_cookie_flags'],
    ['strips HttpOnly', changesCookies('; HttpOnly', ''), 'cookie', 'proxy_cookie_flags'],
    ['weakens SameSite', changesCookies('Strict', 'Lax'), 'cookie', 'proxy_cookie_flags'],
    [
      'adds a Domain',
      changesCookies('; Path=/', '; Path=/; Domain=a.example'),
      'cookie',
      'proxy_cookie_domain',
    ],
    ['changes the Path', changesCookies('; Path=/', '; Path=/v1'), 'cookie', 'proxy_cookie_path'],
    ['strips Cookie', stripsRequestHeader('cookie'), 'cookie', 'Forward the header Cookie'],
    [
      'rejects DELETE',
      answers(byMethod('DELETE'), toAnswer(405)),
      'cookie',
      'Forward DELETE requests',
    ],
    [
      'strips Authorization',
      stripsRequestHeader('authorization'),
      'session-token',
      'Forward the header Authorization',
    ],
    [
      'accepts short headers only',
      refusesHeaders(8_000),
      'header-size',
      'large_client_header_buffers',
    ],
    ['accepts short bodies only', refusesBodies(200_000), 'body-size', 'client_max_body_size 1m;'],
  ])('%s prints the fix', async (_fault, faults, check, fix) => {
    rig.faults = faults;
    const { code, checks, failed } = await rig.run('--origin', samePage, '--json');
    expect(code).toBe(1);
    expect(failed).toEqual([check]);
    expect(checks.find(({ result }) => result === 'failed')!.fix).toContain(fix);
  });

  it('strips Partitioned fails for pages of other sites only', async () => {
    rig.faults = changesCookies('; Partitioned', '');
    expect((await rig.run('--origin', otherPage, '--json')).failed).toEqual(['cookie']);
    expect((await rig.run('--origin', samePage, '--json')).failed).toEqual([]);
  });
});

describe('doctor over the network', () => {
  it('reports certificates that no authority has signed', async () => {
    const { certificate, key } = createSelfSigned(Date.UTC(2049, 5, 1));
    const server = await listen(createServer({ cert: certificate, key }, (_q, a) => void a.end()));
    const rig = await createCliRig();
    const url = new URL(server.url).origin.replace('http:', 'https:');
    rig.variables['PUBLIC_URL'] = url;
    rig.variables['FUNDING_AUTH_URL'] = url;
    const { code, json } = await rig.run(doctor.name, '--json');
    await server.close();
    await rig.store.close();
    expect(code).toBe(1);
    const failure = 'The certificate cannot be verified (DEPTH_ZERO_SELF_SIGNED_CERT).';
    expect(json.checks).toMatchObject([
      { check: 'address', message: expect.stringContaining(failure) },
      { check: 'service', message: expect.stringContaining(failure) },
    ]);
  });

  it('reports ports where nothing listens', async () => {
    const [bffPort, servicePort] = [await findFreePort(), await findFreePort()];
    const rig = await createCliRig();
    rig.variables['PUBLIC_URL'] = `http://localhost:${bffPort}`;
    rig.variables['SANDBOX_PORT'] = String(servicePort);
    const { code, json } = await rig.run(doctor.name, '--json');
    await rig.store.close();
    expect(code).toBe(1);
    expect(json.checks).toMatchObject([
      { check: 'address', fix: 'Start the BFF: npm run bff. Or correct PUBLIC_URL.' },
      { check: 'service', fix: `Start the sandbox: SANDBOX_PORT=${servicePort} npm run sandbox` },
    ]);
  });
});
