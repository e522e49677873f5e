// `doctor` before a proxy that breaks one thing: it names that thing and nothing else, and the line to change.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiHeaders } from '../../../../shared/api/paths.ts';
import {
  createDoctorRig,
  otherPage,
  publicUrl,
  samePage,
  toAnswer,
  type DoctorRig,
  type ProxyFaults,
} from './doctor-rig.ts';
import {
  adds,
  answers,
  below,
  byMethod,
  changesChunks,
  changesCookies,
  keepsAnswers,
  refusesBodies,
  refusesHeads,
  replacesRefusals,
  sets,
  strips,
  stripsCookies,
  writes,
} from './proxy-faults.ts';

const api = below('/v1/');
const widget = below('/widget/');
const preflights = byMethod('OPTIONS');
const afterPreflight = byMethod('GET', 'POST', 'DELETE');
const allowedOrigin = 'access-control-allow-origin';
const ownPreflight = toAnswer(204, {
  [allowedOrigin]: samePage,
  'access-control-allow-credentials': 'true',
  'access-control-allow-methods': 'GET, POST',
});

type Case = readonly [string, ProxyFaults, string];

describe('doctor, where the proxy', () => {
  let rig: DoctorRig;

  beforeAll(async () => {
    rig = await createDoctorRig();
  });

  afterAll(() => rig.close());

  function test(check: string, cases: readonly Case[]): void {
    it.each(cases)(`%s, finds it by the check ${check}`, async (_what, faults, mend) => {
      rig.faults = faults;
      const { code, checks, wrong } = await rig.run('--origin', samePage, '--json');
      expect(code).toBe(1);
      expect(wrong).toEqual([check]);
      expect(checks.find(({ result }) => result === 'wrong')!.mend).toContain(mend);
    });
  }

  test('address', [
    [
      'redirects to another host',
      answers(below('/'), toAnswer(301, { location: 'https://other.example/livez' })),
      'PUBLIC_URL=https://other.example\n',
    ],
    [
      'redirects to itself',
      answers(below('/'), toAnswer(302, { location: '/start' })),
      'Take the redirect out',
    ],
    ['answers all itself', answers(below('/'), toAnswer(200)), 'proxy_pass http://127.0.0.1:'],
  ]);

  test('readiness', [
    ['says that the BFF is away', answers(below('/readyz'), toAnswer(503)), 'Run check'],
  ]);

  test('script', [
    ['takes the widget from elsewhere', answers(widget, toAnswer(404)), 'pass /widget/ on'],
    [
      'changes the type of scripts',
      sets(widget, 'content-type', 'text/plain'),
      'Content-Type: text/javascript',
    ],
    [
      'adds a second CORS header to scripts',
      adds(widget, allowedOrigin, '*'),
      'take add_header and proxy_hide_header access-control-allow-origin out',
    ],
    [
      'closes scripts to other origins',
      sets(widget, 'cross-origin-resource-policy', 'same-site'),
      'cross-origin-resource-policy: cross-origin',
    ],
  ]);

  test('integrity', [['changes scripts', changesChunks, 'Empty the cache']]);

  test('version', [
    [
      'leads to two releases',
      answers(below('/widget/1.2.3/'), toAnswer(404)),
      'dist/widget and dist/bff are of two releases',
    ],
  ]);

  test('preflight', [
    [
      'answers preflights itself',
      answers(preflights, ownPreflight),
      'if ($request_method = OPTIONS)',
    ],
    [
      'allows some headers only',
      sets(preflights, 'access-control-allow-headers', 'content-type'),
      'if ($request_method = OPTIONS)',
    ],
    ['refuses preflights', answers(preflights, toAnswer(405)), 'pass OPTIONS on'],
    ['strips Origin', strips('origin'), 'proxy_set_header Origin'],
    ['writes Sec-Fetch-Site itself', writes({ 'sec-fetch-site': 'none' }), 'pass both on'],
    [
      'forgets credentials',
      sets(api, 'access-control-allow-credentials', 'false'),
      'proxy_hide_header Access-Control-… out',
    ],
  ]);

  test('answers', [
    [
      'adds CORS headers',
      adds((asked) => api(asked) && afterPreflight(asked), allowedOrigin, '*'),
      'proxy_hide_header Access-Control-… out',
    ],
    ['strips our header', strips(apiHeaders.request), `${apiHeaders.request} among them`],
    ['keeps answers', keepsAnswers(), 'proxy_cache off'],
    ['lets answers be kept', sets(api, 'cache-control', 'max-age=60'), 'take expires'],
    ['asks for a login', answers(below('/v1/configuration'), toAnswer(401)), 'pass /v1/ on'],
  ]);

  test('cookie', [
    ['strips Set-Cookie', stripsCookies, 'proxy_hide_header'],
    ['strips Secure', changesCookies('; Secure', ''), 'proxy_cookie_flags'],
    ['strips HttpOnly', changesCookies('; HttpOnly', ''), 'proxy_cookie_flags'],
    ['weakens SameSite', changesCookies('Strict', 'Lax'), 'proxy_cookie_flags'],
    ['adds a Domain', changesCookies('; Path=/', '; Path=/; Domain=a.example'), 'cookie_domain'],
    ['changes the Path', changesCookies('; Path=/', '; Path=/v1'), 'proxy_cookie_path'],
  ]);

  test('session', [['strips Cookie', strips('cookie'), 'pass Cookie on']]);

  test('gate', [
    [
      'writes our header itself',
      writes({ [apiHeaders.request]: '1' }),
      `proxy_set_header ${apiHeaders.request}`,
    ],
    [
      'writes Origin itself',
      writes({ origin: samePage, 'sec-fetch-site': 'same-site' }),
      'proxy_set_header Origin',
    ],
  ]);

  test('end', [['refuses DELETE', answers(byMethod('DELETE'), toAnswer(405)), 'pass DELETE on']]);

  test('handle', [
    ['strips Authorization', strips('authorization'), 'pass Authorization on'],
    [
      'hides the renewed handle',
      sets(api, 'access-control-expose-headers', 'x-request-id'),
      'Access-Control-Expose-Headers',
    ],
  ]);

  test('head', [['takes short heads only', refusesHeads(8_000), 'large_client_header_buffers']]);
  test('body', [['takes short bodies only', refusesBodies(200_000), 'client_max_body_size 1m;']]);
  test('refusals', [['replaces refusals', replacesRefusals, 'proxy_intercept_errors off']]);

  it('puts the address of the BFF into Origin, does not ask for a listing that is right', async () => {
    rig.faults = writes({ origin: publicUrl });
    const { wrong, checks } = await rig.run('--origin', otherPage, '--json');
    expect(wrong).toEqual(['preflight']);
    expect(checks.at(-1)!.mend).toContain('proxy_set_header Origin');
    expect(checks.at(-1)!.mend).not.toContain('ORIGINS=');
  });

  it('strips Partitioned, which pages of other sites need, finds it for those', async () => {
    rig.faults = changesCookies('; Partitioned', '');
    expect((await rig.run('--origin', otherPage, '--json')).wrong).toEqual(['cookie']);
    expect((await rig.run('--origin', samePage, '--json')).wrong).toEqual([]);
  });
});
