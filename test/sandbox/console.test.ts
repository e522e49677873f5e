import { HtmlValidate } from 'html-validate';
import { describe, expect, it } from 'vitest';
import { variableNames } from '../../sandbox/environment.ts';
import { createTextPdf } from '../support/files/pdf.ts';
import { createStandardReport } from '../support/standard-report.ts';
import { createSandboxClient, report, toFile, type SandboxClient } from './sandbox-client.ts';

const maxPageBytes = 200_000;

async function submitForm(
  client: SandboxClient,
  path: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
) {
  return client.app.request(`/_sandbox${path}`, {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin', ...headers },
    body: new URLSearchParams(fields),
  });
}

/** Paths of all pages for one application. */
function listPages(applicationId: string): readonly string[] {
  const application = `/applications/${applicationId}`;
  return ['/', application, '/timeline/2', '/controls', '/reference'];
}

/** The words of HTML, with one space between them. */
function toText(html: string): string {
  const text = html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** A sandbox with one of everything. */
async function createBusySandbox(company = 'Harbor Bakery') {
  const client = await createSandboxClient();
  const fields = { Company: company, Ssn: '219099999', TaxId: '123456789', BirthDay: '1985-04-27' };
  const id = await client.submitApplication(fields);
  await client.getOffers(id);
  await client.upload({ leadId: id, file: toFile() });
  await client.submitReport({ applicationId: id, assetReportJson: report });
  await client.createLead({ Company: company, Ssn: '219099999' });
  await client.postControl('/faults', { operation: 'any', kind: 'empty', times: 'always' });
  await client.postControl(`/leads/${id}/outcome`, { outcome: 'many-offers' });
  return { client, id };
}

async function uploadBytes(client: SandboxClient, content: Uint8Array, ext = 'pdf') {
  const leadId = await client.submitApplication();
  const file = toFile({ ext, file: Buffer.from(content).toString('base64') });
  const { DocumentId } = (await client.upload({ leadId, file })).body;
  return client.app.request(`/_sandbox/documents/${DocumentId}/preview`);
}

describe('the console', () => {
  it('escapes the records that it shows', async () => {
    const { client, id } = await createBusySandbox('<script>alert("x")</script> & Co');
    await client.upload({ leadId: id, file: toFile({ name: '<b>statement' }) });
    for (const path of listPages(id)) {
      const { status, text } = await client.getControl(path);
      expect([path, status]).toEqual([path, 200]);
      expect(text).not.toMatch(/<script>|<b>|onclick=|style=/);
    }
    const { text } = await client.getControl('/');
    expect(text).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; Co');
    expect(text).toContain('First Demo Bank');
  });

  it('consists of valid HTML', async () => {
    const validator = new HtmlValidate({
      extends: ['html-validate:recommended', 'html-validate:prettier'],
      rules: { 'doctype-style': 'off', 'long-title': 'off', 'no-trailing-whitespace': 'off' },
    });
    const { client, id } = await createBusySandbox('<i>"Bakery"');
    await client.postControl('/faults', { operation: 'token', kind: 'garbage' });
    for (const path of [...listPages(id), '/?operation=token', `/applications/${id}?reveal=Ssn`]) {
      const { results } = await validator.validateString((await client.getControl(path)).text);
      const found = results.flatMap(({ messages }) => messages.map((one) => [path, one.message]));
      expect(found).toEqual([]);
    }
  });

  it('allows only its own script, styles, and previews', async () => {
    const { headers } = await (await createSandboxClient()).getControl('/');
    const policy = headers.get('Content-Security-Policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/unsafe|data:|\*/);
  });

  it('responds with 304 until something changes', async () => {
    const client = await createSandboxClient();
    const first = await client.getControl('/');
    const ask = async () =>
      client.app.request('/_sandbox/', {
        headers: { 'If-None-Match': first.headers.get('ETag') ?? '' },
      });
    expect((await ask()).status).toBe(304);
    await client.submitApplication();
    expect((await ask()).status).toBe(200);
  });

  it('explains how to send the first application', async () => {
    const { text } = await (await createSandboxClient()).getControl('/');
    expect(text).toContain('No application yet');
    const busy = await (await createBusySandbox()).client.getControl('/');
    expect(busy.text).not.toContain('No application yet');
  });

  it('shows a page for what does not exist', async () => {
    const client = await createSandboxClient();
    for (const path of ['/applications/x', '/timeline/99', '/timeline/x']) {
      expect((await client.getControl(path)).status).toBe(404);
    }
  });

  it('has each setting in its reference, with its values and its default', async () => {
    const { text } = await (await createSandboxClient()).getControl('/reference');
    const [, section = ''] = /<section id="settings">([\s\S]*?)<\/section>/.exec(text) ?? [];
    const rows = section.split('<dt>').slice(1).map(toText);
    expect(rows.map((row) => row.split(' ')[0])).toEqual(variableNames);
    expect(rows).toEqual(
      expect.arrayContaining([
        'SANDBOX_PORT The port of the sandbox. 0 selects any free port, which the sandbox prints. a whole number from 0 to 65535 · by default 8082',
        // Without the code marks and links of Markdown.
        'SANDBOX_FAILURE_STATUS The HTTP status of failures. With body, failures have the status 200, and only the body says that the call failed; with http, they have the status in the table of errors. body or http · by default body',
        'SANDBOX_AGGREGATOR_NAME The name of the bank data aggregator, in the path of Submit Asset Report and in one document category. a name · by default Aggregator',
      ]),
    );
    expect(rows.join('')).not.toMatch(/[`[\]]/);
  });

  it('redirects other entry paths to the console', async () => {
    const { app } = await createSandboxClient();
    for (const path of ['/', '/_sandbox']) {
      expect((await app.request(path)).headers.get('Location')).toBe('/_sandbox/');
    }
  });

  it('serves its files with their media types', async () => {
    const { app } = await createSandboxClient();
    for (const [file, type] of [
      ['console.css', 'text/css'],
      ['console.js', 'text/javascript'],
      ['chevron.svg', 'image/svg+xml'],
    ] as const) {
      const response = await app.request(`/_sandbox/${file}`);
      expect(response.headers.get('Content-Type')).toContain(type);
    }
  });
});

describe('the forms of the console', () => {
  it('name what a reset deletes', async () => {
    const { client } = await createBusySandbox();
    const text = toText((await client.getControl('/controls')).text);
    expect(text).toContain('This deletes 1 application, 1 document');
  });

  it('lead back to where they are, with a message', async () => {
    const client = await createSandboxClient();
    const id = await client.submitApplication();
    const returnTo = `/_sandbox/applications/${id}`;
    const response = await submitForm(client, `/leads/${id}/outcome`, {
      outcome: 'one-offer',
      returnTo,
    });
    const location = response.headers.get('Location') ?? '';
    expect([response.status, location]).toEqual([303, `${returnTo}?done=3`]);
    const page = await (await client.app.request(location)).text();
    expect(page).toContain(
      'The outcome of Harbor Bakery is now “One offer”. The form shows one offer, without a comparison.',
    );
  });

  it.each(['//elsewhere.example/', 'https://elsewhere.example', '/apply/x', '/_sandbox/../x y'])(
    'never lead to %s',
    async (returnTo) => {
      const response = await submitForm(await createSandboxClient(), '/reset', { returnTo });
      expect(response.headers.get('Location')).toMatch(/^\/_sandbox\/\?done=\d+$/);
    },
  );

  it('answer their script with a sentence', async () => {
    const client = await createSandboxClient();
    const json = { Accept: 'application/json' };
    const fields = { amount: '2', unit: '3600000' };
    const moved = await submitForm(client, '/clock', fields, json);
    expect(await moved.json()).toEqual({
      now: '2026-03-02T11:00:00.000Z',
      message: 'The clock moved forward by 2 hours. It shows 2026-03-02 11:00:00 UTC.',
    });
    const back = await submitForm(client, '/clock', { isReset: 'true' }, json);
    expect((await back.json()).now).toBe('2026-03-02T09:00:00.000Z');
    const invalid = await submitForm(client, '/clock', { amount: 'x', unit: '60000' }, json);
    expect(invalid.status).toBe(400);
    expect((await invalid.json()).problems).not.toEqual([]);
  });

  it('add faults with the fields of their kind', async () => {
    const client = await createSandboxClient();
    const all = {
      operation: 'any',
      row: 'upload-file/lead-not-found',
      status: '500',
      delayMs: '10000',
      retryAfterSeconds: '5',
    };
    await submitForm(client, '/faults', { ...all, kind: 'delay', times: '2' });
    await submitForm(client, '/faults', { ...all, kind: 'row', times: 'always' });
    await submitForm(client, '/faults', { ...all, kind: 'status' });
    expect((await client.getControl('/faults')).body.faults).toEqual([
      { operation: 'any', kind: 'delay', times: 2, delayMs: 10_000 },
      {
        operation: 'upload-file',
        kind: 'row',
        times: 'always',
        row: 'upload-file/lead-not-found',
        subject: 'sandbox',
      },
      { operation: 'any', kind: 'status', times: 1, status: 500, isProcessed: false },
    ]);
  });

  it('remove a fault, unless a call has used it', async () => {
    const client = await createSandboxClient();
    await client.postControl('/faults', { operation: 'any', kind: 'empty' });
    await client.postControl('/faults', { operation: 'any', kind: 'garbage' });
    const remove = { index: 0, kind: 'empty' };
    expect((await client.postControl('/faults/remove', remove)).body.faults).toHaveLength(1);
    expect((await client.postControl('/faults/remove', remove)).status).toBe(409);
    expect((await client.getControl('/faults')).body.faults).toHaveLength(1);
  });

  it('send custom offers', async () => {
    const client = await createSandboxClient();
    const id = await client.submitApplication();
    const offers = { count: '2', amounts: '$25,000 40000', delaySeconds: '30' };
    await submitForm(client, `/leads/${id}/offers`, offers);
    const read = async () =>
      (await client.getOffers(id)).body.PreApproval_Data.PreApproval_Offers.map(
        (offer: { readonly Loan_Amount: number }) => offer.Loan_Amount,
      );
    expect(await read()).toEqual([]);
    await client.postControl('/clock', { advanceMs: 30_000 });
    expect(await read()).toEqual([25_000, 40_000]);
  });

  it.each([
    ['/leads/ID/offers', { count: 0 }, 'count: '],
    ['/leads/ID/offers', { count: 1, amounts: [0] }, 'amounts.0: '],
    ['/leads/ID/outcome', { outcome: 'custom-offers' }, 'outcome: Send custom offers'],
    ['/clock', { advanceMs: 9e15 }, 'advanceMs: '],
  ])('refuse %s with %j', async (path, body, problem) => {
    const client = await createSandboxClient();
    const id = await client.submitApplication();
    const reply = await client.postControl(path.replace('ID', id), body);
    expect(reply.status).toBe(400);
    expect(reply.body.problems[0]).toContain(problem);
  });

  it('show errors on a page', async () => {
    const client = await createSandboxClient();
    const response = await submitForm(client, '/clock', { advanceMs: '<i>' });
    const page = await response.text();
    expect(response.status).toBe(400);
    expect(page).toContain('advanceMs: ');
    expect(page).not.toContain('<i>');
  });

  it('limit the size of the page for an invalid form', async () => {
    const client = await createSandboxClient();
    const response = await submitForm(client, '/clock', { ['x'.repeat(300_000)]: '1' });
    expect(response.status).toBe(400);
    expect((await response.text()).length).toBeLessThan(maxPageBytes);
  });
});

describe('the timeline', () => {
  it('lists calls and changes from newest to oldest', async () => {
    const { client } = await createBusySandbox();
    const { text } = await client.getControl('/');
    expect(listKeys(text)).toEqual([
      'change-8',
      'change-7',
      'call-6',
      'call-5',
      'call-4',
      'call-3',
      'call-2',
      'call-1',
    ]);
    expect(text).toContain('Missing required field: ID');
    expect(text).toContain('qualified, no offers yet');
  });

  it('joins equal calls in a row', async () => {
    const client = await createSandboxClient();
    const id = await client.submitApplication();
    for (let count = 0; count < 5; count += 1) await client.getOffers(id);
    const { text } = await client.getControl('/');
    expect(listKeys(text)).toEqual(['call-3', 'call-2', 'call-1']);
    expect(text).toContain('5 times');
  });

  it('filters by application, operation, or failure', async () => {
    const { client, id } = await createBusySandbox();
    await client.postControl('/faults/clear');
    await client.submitApplication();
    const read = async (query: string) => listKeys((await client.getControl(`/?${query}`)).text);
    expect(await read(`application=${id}`)).toEqual([
      'change-8',
      'call-5',
      'call-4',
      'call-3',
      'call-2',
    ]);
    expect(await read('operation=upload-file')).toEqual(['call-4']);
    expect(await read('failures=1')).toEqual(['call-6']);
    expect((await client.getControl('/?operation=contact-user')).text).toContain('No call matches');
  });

  it('continues on older pages', async () => {
    const client = await createSandboxClient();
    for (let count = 0; count < 70; count += 1) await client.submitApplication();
    const seen: string[] = [];
    for (let path: string | undefined = '/'; path !== undefined;) {
      const { text } = await client.getControl(path);
      seen.push(...listKeys(text));
      path = /href="\/_sandbox(\/\?before=\d+)">Older/.exec(text)?.[1];
    }
    expect(seen).toEqual(Array.from({ length: 71 }, (_none, index) => `call-${71 - index}`));
  });

  it.each(['0', '-1', '1.5', 'x', '99999999999999999999'])(
    'shows the first page for “before=%s”',
    async (before) => {
      const client = await createSandboxClient();
      const { status, text } = await client.getControl(`/?before=${before}`);
      expect([status, listKeys(text)]).toEqual([200, ['call-1']]);
    },
  );

  it('shows a call without secrets', async () => {
    const { client } = await createBusySandbox();
    await client.postControl('/faults/clear');
    const issued = (await client.requestToken()).body;
    for (const path of ['/timeline/1', '/timeline/7', '/']) {
      const { text } = await client.getControl(path);
      expect(text).not.toContain(issued.access_token);
      expect(text).not.toContain(issued.signature);
      expect(text).not.toMatch(/00D\w{12}!/);
    }
    const failed = (await client.getControl('/timeline/6')).text;
    expect(failed).toContain('•••••9999');
    expect(failed).not.toContain('219099999');
  });
});

describe('the page of an application', () => {
  it('masks personal data until it is asked for', async () => {
    const { client, id } = await createBusySandbox();
    const { text } = await client.getControl(`/applications/${id}`);
    for (const secret of ['219099999', '123456789', '1985-04-27']) {
      expect(text).not.toContain(secret);
    }
    const revealed = (await client.getControl(`/applications/${id}?reveal=Ssn`)).text;
    expect(revealed).toContain('219099999');
    expect(revealed).not.toContain('123456789');
  });

  it('shows the offers that the form gets now', async () => {
    const { client, id } = await createBusySandbox();
    const { text } = await client.getControl(`/applications/${id}`);
    expect(text).toContain('Qualified</strong> with 8 offers.');
    expect(text).toContain('<strong>Offers</strong> requested: qualified, no offers yet');
  });

  it('shows all fields, also those that were not sent', async () => {
    const { client, id } = await createBusySandbox();
    const { text } = await client.getControl(`/applications/${id}`);
    expect(text).toContain('All 37 fields, 23 of them sent');
    expect(text.match(/not sent/g)).toHaveLength(14);
  });

  it('shows the first missing fields of an incomplete report', async () => {
    const client = await createSandboxClient();
    const applicationId = await client.submitApplication();
    await client.submitReport({ applicationId, assetReportJson: createIncompleteReport(1, 40) });
    const { text } = await client.getControl(`/applications/${applicationId}`);
    expect(text).toContain('/report/items/0/accounts/0/transactions/0/name');
    expect(text).toContain('and 37 more');
  });
});

describe('the preview of a file', () => {
  it.each([
    ['a PDF', createTextPdf('A statement'), 'application/pdf'],
    ['a PNG', Buffer.from('89504e470d0a1a0a00', 'hex'), 'image/png'],
    ['a JPEG', Buffer.from('ffd8ffe000', 'hex'), 'image/jpeg'],
    ['HTML', Buffer.from('<html><script>alert(1)</script>'), 'text/plain; charset=utf-8'],
    ['SVG', Buffer.from('<svg onload="alert(1)"/>'), 'text/plain; charset=utf-8'],
  ])('of %s is isolated', async (_name, content, type) => {
    const response = await uploadBytes(await createSandboxClient(), content, 'html');
    expect(response.headers.get('Content-Type')).toBe(type);
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(response.headers.get('Content-Security-Policy')).toBe(
      "default-src 'none'; frame-ancestors 'self'; sandbox",
    );
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array(content));
  });

  it('does not exist for other bytes', async () => {
    const client = await createSandboxClient();
    expect((await uploadBytes(client, Uint8Array.of(0x50, 0x4b, 3, 4, 0))).status).toBe(404);
    expect((await client.getControl('/documents/x/preview')).status).toBe(404);
  });

  it('cuts a long text', async () => {
    const response = await uploadBytes(await createSandboxClient(), Buffer.alloc(100_000, 'a'));
    expect((await response.arrayBuffer()).byteLength).toBe(64_000);
  });
});

describe('the size of the console', () => {
  it('stays small with hostile records', async () => {
    const client = await createSandboxClient();
    const quotes = '"'.repeat(3_000);
    const headers = { 'User-Agent': quotes, Accept: quotes, PartnerName: quotes };
    let applicationId = '';
    for (let count = 0; count < 40; count += 1) {
      applicationId = await client.submitApplication({
        Company: quotes,
        LoanReason: 'é'.repeat(1_500),
        [quotes]: 1,
      });
      await client.getOffers(applicationId, headers);
      await client.upload({ leadId: applicationId, file: toFile({ name: quotes, ext: quotes }) });
      const large = count < 3 ? createIncompleteReport(5, 2_000) : { ...report, note: quotes };
      await client.submitReport({ applicationId, assetReportJson: large });
      const fault = { kind: 'row', operation: 'token', row: 'token/user-invalid', subject: quotes };
      await client.postControl('/faults', fault);
    }
    const [first] = client.context.state.leads.keys();
    for (const path of [...listPages(applicationId), `/applications/${first}`, '/?before=90']) {
      const { text } = await client.getControl(path);
      expect([path, Buffer.byteLength(text) < maxPageBytes]).toEqual([path, true]);
    }
  });

  it('stays small with 300 documents in 5,000 calls', async () => {
    const client = await createSandboxClient();
    const id = await client.submitApplication();
    for (let count = 0; count < 300; count += 1) {
      await client.upload({ leadId: id, file: toFile({ name: `file-${count}` }) });
    }
    for (let count = 0; count < 4_700; count += 1) await client.contactUser(id);
    expect(client.context.state.calls).toHaveLength(5_000);
    for (const path of ['/', `/applications/${id}`, '/?failures=1']) {
      const { text } = await client.getControl(path);
      expect([path, Buffer.byteLength(text) < maxPageBytes]).toEqual([path, true]);
    }
    const documents = (await client.getControl(`/applications/${id}?documents=15`)).text;
    expect(documents).toContain('Page 15 of 15');
    expect(documents).toContain('<strong>file-0.pdf</strong>');
  });
});

/** A report whose transactions have neither a name nor a description. */
function createIncompleteReport(accounts: number, transactions: number): object {
  const standard = createStandardReport({ accounts, transactions });
  return JSON.parse(JSON.stringify(standard).replaceAll('"original_description"', '"memo"'));
}

function listKeys(page: string): readonly string[] {
  return Array.from(page.matchAll(/data-key="([^"]+)"/g), ([, key]) => key ?? '');
}
