// Services that differ from the sandbox on purpose: the report names exactly the differences, and the settings that follow make the BFF
// understand that service.

import { Hono } from 'hono';
import { afterEach, describe, expect, it } from 'vitest';
import { parseSettings } from '../../bff/config/settings.ts';
import { mergeSettings } from '../../conformance/settings-fragment.ts';
import { createSandbox } from '../../sandbox/app.ts';
import { createApplication } from '../support/applications.ts';
import { startBff, type TestBff } from '../support/bff.ts';
import { createManualTime, until } from '../support/manual-time.ts';
import { createVariant, type Rig, runRig, type Variant, withTexts } from './conformance-rig.ts';

/** Rows of a run whose verdict or treatment is not that of the sandbox. */
function listChanged(rig: Rig): readonly string[] {
  return rig.report.rows
    .filter(
      ({ id, verdict, bff, settings }) =>
        !id.startsWith('general/') &&
        (verdict === 'differs' ||
          bff === 'not-handled' ||
          settings !== undefined ||
          bff === 'handled-with-settings'),
    )
    .map(({ id }) => id);
}

const open: TestBff[] = [];
afterEach(async () => {
  for (const bff of open.splice(0)) await bff.close();
});

/** A BFF whose funding service is the variant, with the settings that follow from the report. */
async function startBffAgainst(
  variant: Variant,
  settings: Readonly<Record<string, unknown>>,
): Promise<TestBff> {
  const time = createManualTime();
  const sandbox = createSandbox({ now: time.clock, offerDelayMs: 0 });
  const serve = createVariant(sandbox, variant);
  const app = new Hono().all('*', async (c) => {
    const url = new URL(c.req.url);
    const path = url.pathname.replace(/^\/rest(?=\/)/, '');
    const headers = Object.fromEntries(c.req.raw.headers);
    return serve({ origin: url.origin, path, headers, body: await c.req.text() });
  });
  const bff = await startBff({ settings, time, sandbox: { ...sandbox, app } });
  open.push(bff);
  return bff;
}

function follow(rig: Rig): Record<string, unknown> {
  const { settings, problems } = rig.report.follows;
  expect(problems).toEqual([]);
  // The test's applications name this campaign.
  const file = mergeSettings('{"lead":{"allowedCampaignIds":["spring-2026"]}}', settings);
  expect(parseSettings(file)).toHaveProperty('settings');
  return JSON.parse(file) as Record<string, unknown>;
}

const otherTexts: Readonly<Record<string, string>> = {
  'Duplicate ID: an application with this ID was submitted earlier':
    'We have this one already. Number 4711 on our side.',
  'Invalid or expired access token': 'Sorry, who are you?',
  'Error: Invalid or expired access token': 'Sorry, who are you (upload)?',
  'Error: No lead was found for leadId': 'Nothing here by that number.',
  'Error: Category is not allowed': 'This kind of paper is unwelcome.',
  'Error: File content is not valid Base64': 'The file is unreadable.',
};

const speaksOtherwise = withTexts((text) => {
  const [, field] = /^Invalid value for field: (\S+)$/.exec(text) ?? [];
  return otherTexts[text] ?? (field && `Please look at ${field} once more, it seems odd.`);
});

describe('a service with other texts', () => {
  it('gets a pattern for each text that is not shown', async () => {
    const rig = await runRig({ variant: speaksOtherwise });
    expect(rig.report.follows.settings).toEqual({
      serviceTexts: {
        duplicate: ['default', String.raw`^We have this one already\. Number \d+ on our side\.`],
        invalidToken: [
          'default',
          String.raw`^Sorry, who are you\?`,
          String.raw`^Sorry, who are you \(upload\)\?`,
        ],
        invalidField: [
          'default',
          String.raw`^Please look at (?<field>[A-Za-z]+(?:\.[A-Za-z]+)?) once more, it seems odd\.`,
        ],
        leadNotFound: ['default', String.raw`^Nothing here by that number\.`],
        categoryNotAllowed: ['default', String.raw`^This kind of paper is unwelcome\.`],
        contentNotBase64: ['default', String.raw`^The file is unreadable\.`],
      },
    });
    expect(rig.report.rows.filter(({ verdict }) => verdict === 'differs')).toEqual([]);
    expect(rig.report.rows.filter(({ bff }) => bff === 'not-handled')).toEqual([]);
    expect(rig.code).toBe(0);
  });

  it('is understood by a BFF with these settings', async () => {
    const settings = follow(await runRig({ variant: speaksOtherwise }));
    const bff = await startBffAgainst(speaksOtherwise, settings);
    const browser = bff.openBrowser();

    // The answer to the first attempt is lost, so the second is a duplicate.
    const lost = { kind: 'interrupted', failure: 'ECONNRESET' } as const;
    bff.faults.push({ path: '/creditapp', result: lost, isProcessed: true });
    const first = await browser.apply();
    expect(first.status).toBe(202);
    const { reference } = first.json;
    await untilAdvanced(
      bff,
      async () => (await bff.store.findApplication(reference))?.state === 'unconfirmed',
    );

    // The service revokes the token between two applications.
    bff.sandbox.context.state.tokens.clear();
    const other = bff.openBrowser();
    const second = await other.apply(
      createApplication({ name: 'Second LLC' }),
      crypto.randomUUID(),
    );
    expect(second).toMatchObject({ status: 201, json: { status: 'accepted' } });
  });
});

async function untilAdvanced(
  bff: TestBff,
  isDone: () => boolean | Promise<boolean>,
): Promise<void> {
  for (let minute = 0; minute < 30 && !(await isDone()); minute += 1) {
    bff.time.advance(60_000);
    await until(() => bff.time.listTimers().length > 0);
  }
  await until(isDone);
}

describe('a service that checks lists of choices', () => {
  const lists: Readonly<Record<string, readonly string[]>> = {
    BusinessType: ['LLC', 'Corporation', 'Sole Owner'],
    CreditScore: ['Excellent', 'Good', 'Fair'],
    LoanReason: ['Equipment', 'Inventory', 'Payroll'],
    FoundedMonth: ['January', 'March'],
    BusinessAge: ['11 years 8 months'],
  };
  const namesLists: Variant = async (request, next) => {
    if (request.path !== '/creditapp') return next();
    const lead = JSON.parse(
      request.body.startsWith('{') && request.body.endsWith('}') ? request.body : '{}',
    );
    const field = Object.keys(lists).find(
      (name) =>
        typeof lead[name] === 'string' && lead[name] !== '' && !lists[name]?.includes(lead[name]),
    );
    const hasAll = Object.keys(lists).every((name) => lead[name]);
    if (field === undefined || !hasAll) return next();
    const isListed = field !== 'FoundedMonth' && field !== 'BusinessAge';
    return Response.json({
      IsSuccessful: false,
      ResponseText: `Invalid value for field: ${field}${isListed ? `. Allowed values: ${lists[field]?.join(', ')}.` : ''}`,
    });
  };

  it('gets the accepted values, with those that only its text names', async () => {
    const rig = await runRig({ variant: namesLists });
    const settings = follow(rig);
    const values = (name: string) =>
      (settings[name] as readonly { readonly value: string }[]).map(({ value }) => value);
    expect(values('businessTypes')).toEqual(['LLC', 'Corporation', 'Sole Owner']);
    expect(values('creditScores')).toEqual(['Excellent', 'Good', 'Fair']);
    expect(values('fundingReasons')).toEqual(
      ['Equipment', 'Inventory', 'Payroll'].toSorted(byDefaults),
    );
    expect(settings['lead']).toMatchObject({
      foundedMonthFormat: 'name',
      businessAgeFormat: 'years-and-months',
    });
    expect(rig.row('create-lead/accepted').verdict).toBe('as-specified');
  });
});

/** The order of the default settings. */
function byDefaults(first: string, second: string): number {
  const order = ['Equipment', 'Inventory', 'Payroll'];
  return order.indexOf(first) - order.indexOf(second);
}

describe('a service with a limit of size', () => {
  const maxBytes = 2_500_000;
  const refusesLarge: Variant = async ({ body, path }, next) =>
    path === '/UploadFileApiV1' && body.length > (maxBytes * 4) / 3 + 300
      ? new Response('<html><title>413</title>Request Entity Too Large</html>', {
          status: 413,
          headers: { 'Content-Type': 'text/html' },
        })
      : next();

  it('gets the largest accepted size, in seven calls', async () => {
    const rig = await runRig({ variant: refusesLarge, settings: {} });
    const { documents } = follow(rig) as { documents: { maxBytes: number } };
    expect(documents.maxBytes).toBeLessThanOrEqual(maxBytes);
    expect(documents.maxBytes).toBeGreaterThan(maxBytes * 0.9);
    expect(listChanged(rig)).toEqual(['upload-file/size-limit']);
    expect(rig.requests.filter(({ body }) => body.length > 500_000).length).toBeLessThanOrEqual(7);
  });
});

describe('a service that answers with lists', () => {
  it('is reported with its form, and the BFF understands its tokens', async () => {
    const rig = await runRig({
      variant: async (_request, next) => {
        const response = await next();
        const body = await response.json();
        const text = body.ResponseText ?? body.ResponseMessage ?? body.message;
        if (body.IsSuccessful !== false && body.success !== false) return Response.json(body);
        const isToken = /username and password|access token/.test(text);
        return Response.json(
          [{ errorCode: isToken ? 'INVALID_SESSION_ID' : 'APEX_ERROR', message: text }],
          { status: isToken ? 401 : 400 },
        );
      },
    });
    expect(rig.row('general/failure-form')).toMatchObject({ verdict: 'differs' });
    expect(rig.row('create-lead/missing-Company')).toMatchObject({
      verdict: 'differs',
      did: expect.stringContaining(
        'HTTP 400, a list, errorCode APEX_ERROR, “Missing required field: Company”',
      ),
      bff: 'not-handled',
      advice: expect.stringContaining('sends it again until an operator looks at it'),
    });
    expect(rig.row('upload-file/authentication-invalid')).toMatchObject({ bff: 'handled' });
    expect(rig.row('create-lead/duplicate-id')).toMatchObject({ bff: 'handled' });
    expect(rig.code).toBe(3);
  });
});

describe('a service that answers with pages', () => {
  it('is reported with the text of the page', async () => {
    const rig = await runRig({
      variant: async (_request, next) => {
        const response = await next();
        const body = await response.json();
        if (body.IsSuccessful !== false && body.success !== false) return Response.json(body);
        return new Response('<html><style>p{}</style><h1>Bad Request</h1><p>Try later</p></html>', {
          status: 400,
          headers: { 'Content-Type': 'text/html' },
        });
      },
    });
    expect(rig.row('create-lead/duplicate-id')).toMatchObject({
      verdict: 'differs',
      did: 'HTTP 400, an HTML page, “Bad Request Try later” (not the documented form of a failure)',
      bff: 'not-handled',
    });
  });
});

describe('a service that checks nothing', () => {
  it('creates no more leads than the limit', async () => {
    let id = 0;
    const rig = await runRig({
      args: ['--environment', 'sandbox', '--delay-ms', '0', '--max-leads', '8'],
      variant: async ({ path, body }, next) => {
        if (path !== '/creditapp') return next();
        id += 1;
        const [, reference = ''] = /"ID":"([^"]*)"/.exec(body) ?? [];
        return Response.json({
          IsSuccessful: true,
          ResponseText: 'Thanks',
          ApplicationID: `lead-${id}`,
          ReferenceID: reference,
          pURL: 'http://localhost:8082/apply/1',
        });
      },
    });
    expect(id).toBe(8);
    expect(rig.row('create-lead/missing-AnnualRevenue')).toMatchObject({
      verdict: 'differs',
      did: expect.stringMatching(/^Accepted: /),
    });
    expect(rig.row('create-lead/authentication-invalid')).toMatchObject({
      verdict: 'not-testable',
      did: expect.stringContaining('--max-leads'),
    });
    expect(rig.report.facts.leads).toHaveLength(8);
  });
});

describe('a service with tracking pages on another host', () => {
  it('gets the host in trackingHosts, so that the BFF shows the link', async () => {
    const movesTracking: Variant = async (_request, next) => {
      const response = await next();
      const text = await response.text();
      return new Response(
        text.replace(/"pURL":"http:\/\/[^/]+/, '"pURL":"http://track.funding.example'),
        response,
      );
    };
    const rig = await runRig({ variant: movesTracking });
    const settings = follow(rig);
    expect(rig.report.follows.settings).toEqual({
      trackingHosts: ['localhost:8082', 'track.funding.example'],
    });
    const bff = await startBffAgainst(movesTracking, settings);
    const answer = await bff.openBrowser().apply();
    expect(answer.json.trackingUrl).toMatch(/^http:\/\/track\.funding\.example\//);
  });
});

describe('a service with a shorter token', () => {
  it('differs in expires_in, with advice', async () => {
    const rig = await runRig({
      variant: async ({ path }, next) => {
        const response = await next();
        if (!path.endsWith('/token') || !response.ok) return response;
        return Response.json({ ...(await response.json()), expires_in: 900 });
      },
    });
    expect(listChanged(rig)).toEqual(['token/expires-in']);
    expect(rig.row('token/expires-in')).toMatchObject({
      verdict: 'differs',
      did: 'expires_in 900',
    });
    expect(rig.row('token/issued').did).toContain('and expires_in');
  });
});
