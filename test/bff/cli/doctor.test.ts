// `doctor`: says nothing of a BFF that is well, and of each thing that a proxy or a configuration breaks, what to change.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createDoctorRig,
  otherPage,
  publicUrl,
  samePage,
  type DoctorRig,
} from './doctor/doctor-rig.ts';
import { letsSessionsBegin, refusesBodies } from './doctor/proxy-faults.ts';

let rig: DoctorRig;

beforeEach(async () => {
  rig = await createDoctorRig();
});

afterEach(() => rig.close());

describe('doctor', () => {
  it('finds nothing wrong with a BFF behind a proxy that changes nothing, for pages of all kinds', async () => {
    const { code, checks, wrong } = await rig.run('--json');
    expect({ code, wrong }).toEqual({ code: 0, wrong: [] });
    expect(checks.filter(({ result }) => result === 'hint')).toEqual([]);
    const names = (origin?: string) =>
      checks.filter((check) => check.origin === origin).map(({ check }) => check);
    const session = [
      'listing',
      'preflight',
      'answers',
      'cookie',
      'session',
      'gate',
      'end',
      'handle',
    ];
    expect(names()).toEqual([
      'address',
      'certificate',
      'readiness',
      'clock',
      'script',
      'integrity',
      'version',
      'proxies',
    ]);
    expect(names(samePage)).toEqual([...session, 'head', 'body', 'refusals']);
    expect(names(otherPage)).toEqual(session);
    expect(rig.secrets.length).toBeGreaterThanOrEqual(4);
  });

  it("finds nothing wrong with the BFF's own pages, which send no preflight, and no Origin with a GET", async () => {
    const named: unknown[] = [];
    rig.faults = {
      changeAnswer: (_answer, { method, url, headers }) =>
        void named.push(method === 'GET' && url === '/v1/configuration' && headers.origin),
    };
    const { code, checks } = await rig.run('--origin', publicUrl, '--json');
    expect(code).toBe(0);
    expect(checks.map(({ check }) => check)).not.toContain('preflight');
    expect(named).toContain(undefined);
    expect(named).not.toContain(publicUrl);
  });

  it('runs from anywhere with PUBLIC_URL alone, and leaves out what it cannot know', async () => {
    for (const name of Object.keys(rig.variables)) delete rig.variables[name];
    rig.variables.PUBLIC_URL = publicUrl;
    const { code, checks } = await rig.run(`--origin=${otherPage}`, '--json');
    expect(code).toBe(0);
    const names = checks.map(({ check }) => check);
    expect(names).toContain('cookie');
    expect(names).not.toContain('listing');
    expect(names).not.toContain('proxies');
  });

  it('prints one line a check, and below what is wrong the line to change', async () => {
    rig.faults = refusesBodies(200_000);
    const { code, out } = await rig.run('--origin', samePage);
    expect(code).toBe(1);
    expect(out).toContain(`ok     address        ${publicUrl} leads to a BFF.\n`);
    expect(out).toContain(`As a page of ${samePage}\n`);
    expect(out).toContain(
      'wrong  body           A document of 262144 bytes does not get through (413 text/html).\n' +
        '                      > Let bodies of 262144 bytes through, and slowly. nginx: client_max_body_size 1m;',
    );
    expect(out).toMatch(/\n\n1 thing is wrong\.\n$/);
  });

  it.each([
    [['--origin', 'https://www.partner.example/funding'], '--origin is no origin.'],
    [['--origin', 'www.partner.example'], '--origin is no origin.'],
    [['--origin'], '--origin needs a value.'],
    [['--origin', '--page'], '--origin needs a value.'],
    [['--page', 'ftp://www.partner.example'], '--page is no address of a page.'],
    [['--page', `${otherPage}/x`, '--origin', samePage], '--origin is not the origin of --page'],
    [['now'], 'These are too many arguments: it takes 0.'],
  ])('refuses %j', async (argv, sentence) => {
    const { code, out, err } = await rig.run(...argv);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(sentence);
  });

  it('names what is wrong with its environment', async () => {
    delete rig.variables.FUNDING_ENVIRONMENT;
    rig.variables.PUBLIC_URL = 'http://apply.partner.example';
    const { code, err } = await rig.run();
    expect(code).toBe(1);
    expect(err).toContain('PUBLIC_URL is not https.');
  });
});

describe('doctor names the line to change when', () => {
  it.each([
    ['ENOTFOUND', 'Add a DNS record'],
    ['ECONNREFUSED', 'Check that the proxy runs'],
    ['CERT_HAS_EXPIRED', 'Renew the certificate'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ssl_certificate …/fullchain.pem;'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'get one for this name'],
    ['EPROTO', 'listen 443 ssl;'],
  ])('the address cannot be reached: %s', async (lost, mend) => {
    rig.lost = lost;
    const { code, checks } = await rig.run('--json');
    expect(code).toBe(1);
    expect(checks).toHaveLength(1);
    expect(checks[0]).toMatchObject({ check: 'address', result: 'wrong' });
    expect(checks[0]!.message).toContain(lost);
    expect(checks[0]!.mend).toContain(mend);
  });

  it('the certificate ends within two weeks', async () => {
    rig.certificateEndsAt = rig.now + 13 * 24 * 60 * 60_000;
    expect((await rig.run('--json')).wrong).toEqual(['certificate']);
  });

  it('the clocks are more than a minute apart', async () => {
    rig.now -= 90_000;
    expect((await rig.run('--json')).wrong).toEqual(['clock']);
  });

  it.each<readonly [string, Record<string, string>, string, string]>([
    [
      'no list has the page',
      { ALLOWED_ORIGINS: 'https://a.partner.example' },
      'listing',
      `ALLOWED_ORIGINS=https://a.partner.example,${samePage}`,
    ],
    [
      'nobody has said what stands before the BFF',
      { FUNDING_ENVIRONMENT: '', TRUSTED_PROXIES: '' },
      'proxies',
      'TRUSTED_PROXIES=<its address',
    ],
    [
      'every address counts as a proxy',
      { TRUSTED_PROXIES: '10.0.0.0/8 0.0.0.0/0' },
      'proxies',
      'of your proxies only',
    ],
  ])('%s', async (_what, variables, check, mend) => {
    Object.assign(rig.variables, variables);
    const { wrong, checks } = await rig.run('--origin', samePage, '--json');
    expect(wrong).toEqual([check]);
    expect(checks.find(({ result }) => result === 'wrong')!.mend).toContain(mend);
  });

  it('a page of another site is listed as one of the same', async () => {
    rig.variables.ALLOWED_ORIGINS = `${samePage} ${otherPage}`;
    rig.variables.CROSS_SITE_ORIGINS = 'https://other.example';
    const { wrong, checks } = await rig.run('--origin', otherPage, '--json');
    expect(wrong).toEqual(['listing']);
    expect(checks.at(-1)!.mend).toBe(
      `CROSS_SITE_ORIGINS=https://other.example,${otherPage}\nALLOWED_ORIGINS=${samePage}`,
    );
  });

  it('several pages are listed wrongly: the lines of each mend all of them', async () => {
    const likely = 'https://shop.partner.example';
    rig.variables.ALLOWED_ORIGINS = `https://one.example,${samePage},https://two.example`;
    rig.variables.CROSS_SITE_ORIGINS = `${otherPage},${likely}`;
    const { checks } = await rig.run('--json');
    const found = checks.filter(({ check, result }) => check === 'listing' && result !== 'ok');
    const listed = 'https://one.example,https://two.example';
    const certain = `CROSS_SITE_ORIGINS=${otherPage},${likely},${listed}\nALLOWED_ORIGINS=${samePage}`;
    expect(found).toMatchObject([
      { origin: 'https://one.example', result: 'wrong', mend: certain },
      { origin: 'https://two.example', result: 'wrong', mend: certain },
      {
        origin: likely,
        result: 'hint',
        mend: expect.stringMatching(
          `:\nCROSS_SITE_ORIGINS=${otherPage},${listed}\nALLOWED_ORIGINS=${samePage},${likely}$`,
        ),
      },
    ]);
  });

  it('the running BFF does not know the page that the environment lists', async () => {
    rig.variables.ALLOWED_ORIGINS = 'https://new.partner.example';
    const { wrong, checks } = await rig.run('--origin', 'https://new.partner.example', '--json');
    expect(wrong).toEqual(['preflight']);
    expect(checks.at(-1)!.message).toBe('The running BFF does not let the origin in.');
    expect(checks.at(-1)!.mend).toContain('and restart the BFF');
  });
});

describe('doctor, before a BFF with settings of its own,', () => {
  it('says that the BFF runs with another PUBLIC_URL', async () => {
    await rig.close();
    rig = await createDoctorRig({ variables: { PUBLIC_URL: 'http://apply.partner.example' } });
    const { wrong, checks } = await rig.run('--origin', samePage, '--json');
    expect(wrong).toEqual(['cookie']);
    expect(checks.find(({ check }) => check === 'cookie')!.mend).toContain('another PUBLIC_URL');
  });

  it('only hints at limits that leave no more sessions, after it has waited', async () => {
    await rig.close();
    rig = await createDoctorRig({ settings: { limits: { sessionsPerMinutePerAddress: 1 } } });
    const { code, err, checks } = await rig.run('--origin', samePage, '--json');
    expect(code).toBe(0);
    const { check, message, mend } = checks.find(({ result }) => result === 'hint')!;
    expect(check).toBe('handle');
    expect(message).toContain('too-many-requests');
    expect(mend).toContain('Run it again in a few minutes');
    expect(rig.waits).toHaveLength(2);
    expect(err).toMatch(/^(The limits of the BFF are reached: waiting \d+ (s|min)\.\n){2}$/);
  });

  it('waits for the limits, and finds nothing wrong with twelve pages that are listed rightly', async () => {
    const pages = Array.from({ length: 12 }, (_none, index) => `https://p${index}.example`);
    const variables = { ALLOWED_ORIGINS: '', CROSS_SITE_ORIGINS: pages.join() };
    await rig.close();
    rig = await createDoctorRig({ variables });
    Object.assign(rig.variables, variables);
    rig.faults = letsSessionsBegin(20);
    const { code, checks } = await rig.run('--json');
    expect(code).toBe(0);
    expect(checks.filter(({ result }) => result !== 'ok')).toEqual([]);
    expect(checks.filter(({ check }) => check === 'handle')).toHaveLength(12);
    expect(rig.waits).toEqual([43_000]);
  });

  it('only hints at no proxy at all, since what ends TLS may keep the addresses', async () => {
    rig.variables.TRUSTED_PROXIES = 'none';
    const { code, checks } = await rig.run('--origin', samePage, '--json');
    expect(code).toBe(0);
    expect(checks.find(({ check }) => check === 'proxies')).toMatchObject({
      result: 'hint',
      mend: 'TRUSTED_PROXIES=<its address or range, as the BFF sees it>',
    });
  });

  it('only hints at a page of the same site that is listed as another', async () => {
    const page = 'https://cross.partner.example';
    await rig.close();
    rig = await createDoctorRig({ variables: { CROSS_SITE_ORIGINS: page } });
    rig.variables.CROSS_SITE_ORIGINS = page;
    const { code, checks } = await rig.run('--origin', page, '--json');
    expect(code).toBe(0);
    expect(checks.find(({ check }) => check === 'listing')!.result).toBe('hint');
  });
});
