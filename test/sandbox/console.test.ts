import { describe, expect, it } from 'vitest';
import { createStandardReport } from '../support/standard-report.ts';
import { createSandboxClient, report, toFile, type SandboxClient } from './sandbox-client.ts';

const maxPageBytes = 200_000;

async function submitForm(
  client: SandboxClient,
  path: string,
  fields: Record<string, string> = {},
) {
  return client.app.request(`/_sandbox${path}`, {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams(fields),
  });
}

describe('the console', () => {
  it('escapes the records that it shows', async () => {
    const client = await createSandboxClient();
    const Company = '<script>alert("x")</script> & Co';
    const id = await client.submitApplication({ Company, LeadSource: '</pre><img src=x>' });
    await client.upload({ leadId: id, file: toFile({ name: '<b>statement' }) });
    await client.submitReport({ applicationId: id, assetReportJson: report });

    const { status, text } = await client.getControl('/');

    expect(status).toBe(200);
    expect(text).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; Co');
    expect(text).toContain('&lt;b&gt;statement');
    expect(text).toContain('First Demo Bank');
    expect(text).not.toMatch(/<script|<b>|<img|onclick=|style=/);
  });

  it('has a Content-Security-Policy without scripts', async () => {
    const { headers } = await (await createSandboxClient()).getControl('/');
    expect(headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    expect(headers.get('Content-Security-Policy')).not.toContain('unsafe-inline');
  });

  it('redirects its control forms back to the console', async () => {
    const client = await createSandboxClient();
    const id = await client.submitApplication();

    const marked = await submitForm(client, `/leads/${id}/do-not-contact`);
    const set = await submitForm(client, `/leads/${id}/outcome`, { outcome: 'one-offer' });
    const moved = await submitForm(client, '/clock', { advanceMs: '60000' });
    const fault = { operation: 'any', kind: 'delay', times: '2', delayMs: '10', row: '' };
    const ordered = await submitForm(client, '/faults', fault);

    for (const response of [marked, set, moved, ordered]) {
      expect(response.status).toBe(303);
      expect(response.headers.get('Location')).toBe('/_sandbox/');
    }
    expect((await client.getControl(`/leads/${id}`)).body).toMatchObject({
      contactPreference: 'do-not-contact',
      outcome: 'one-offer',
    });
    expect((await client.getControl('/clock')).body.now).toBe('2026-03-02T09:01:00.000Z');
    expect((await client.getControl('/faults')).body.faults).toEqual([
      { operation: 'any', kind: 'delay', times: 2, delayMs: 10 },
    ]);
    expect((await client.getControl('/')).text).toContain('Do not contact');
  });

  it('shows the errors of a form on a page', async () => {
    const client = await createSandboxClient();
    const response = await submitForm(client, '/clock', { advanceMs: '<i>' });
    const page = await response.text();
    expect(response.status).toBe(400);
    expect(page).toContain('advanceMs: ');
    expect(page).not.toContain('<i>');
  });

  it('redirects other entry paths to the console', async () => {
    const { app } = await createSandboxClient();
    for (const path of ['/', '/_sandbox']) {
      expect((await app.request(path)).headers.get('Location')).toBe('/_sandbox/');
    }
  });

  it('serves its style sheet', async () => {
    const { app } = await createSandboxClient();
    const styles = await app.request('/_sandbox/console.css');
    expect(styles.headers.get('Content-Type')).toContain('text/css');
  });

  it('shows records of normal size completely', async () => {
    const client = await createSandboxClient();
    const id = await client.submitApplication({
      Company: 'Harbor Bakery',
      SignatureName: 'Ana B.',
    });
    await client.submitReport({ applicationId: id, assetReportJson: report });
    const { text } = await client.getControl('/');
    expect(text).toContain('&quot;SignatureName&quot;: &quot;Ana B.&quot;');
    expect(text).toContain('&quot;asset_report_id&quot;: &quot;ar-1&quot;');
    expect(text).not.toContain('Page 1 of');
  });

  it('lists applications from newest to oldest', async () => {
    const client = await createSandboxClient();
    for (let number = 1; number <= 25; number += 1) {
      await client.submitApplication({ Company: `Bakery ${number}` });
    }
    const shown: (readonly number[])[] = [];
    for (let path: string | undefined = '/'; path; path = findOlder(path, 'applications')) {
      shown.push(listBakeries((await client.getControl(path)).text));
    }
    const numbers = Array.from({ length: 25 }, (_none, index) => 25 - index);
    expect(shown).toEqual([numbers.slice(0, 10), numbers.slice(10, 20), numbers.slice(20)]);

    function findOlder(path: string, section: string): string | undefined {
      const page = Number(new URLSearchParams(path.slice(1)).get(section) ?? 1);
      return page < 3 ? `/?${section}=${page + 1}` : undefined;
    }
  });

  it.each(['0', '-1', '1.5', 'x', '99999999999999999999', '4'])(
    'shows an existing page for the page number %s',
    async (number) => {
      const client = await createSandboxClient();
      await client.submitApplication({ Company: 'Bakery 1' });
      const { status, text } = await client.getControl(`/?applications=${number}`);
      expect([status, listBakeries(text)]).toEqual([200, [1]]);
    },
  );

  it('links to adjacent pages, plus the JSON of all records', async () => {
    const client = await createSandboxClient();
    for (let count = 0; count < 21; count += 1) await client.submitApplication();
    const { text } = await client.getControl('/?applications=2&calls=2');
    expect(text).toContain('href="/_sandbox/?calls=2#applications"');
    expect(text).toContain('href="/_sandbox/?calls=2&amp;applications=3#applications"');
    expect(text).toContain('<a href="/_sandbox/leads">All 21 as JSON</a>');
  });

  it('shows the first missing fields of an incomplete report', async () => {
    const client = await createSandboxClient();
    const applicationId = await client.submitApplication();
    const assetReportJson = createIncompleteReport(1, 40);
    await client.submitReport({ applicationId, assetReportJson });
    const { text } = await client.getControl('/');
    expect(text).toContain('/report/items/0/accounts/0/transactions/0/name');
    expect(text).toContain('and 37 more');
  });

  it('limits the size of every page', { timeout: 30_000 }, async () => {
    const client = await createSandboxClient();
    const quotes = '"'.repeat(3_000);
    const headers = { 'User-Agent': quotes, Accept: quotes, PartnerName: quotes };
    for (let count = 0; count < 25; count += 1) {
      const applicationId = await client.submitApplication({
        Company: quotes,
        LoanReason: 'é'.repeat(1_500),
        [quotes]: 1,
      });
      await client.getOffers(applicationId, headers);
      await client.upload({ leadId: applicationId, file: toFile({ name: quotes, ext: quotes }) });
      for (let call = 0; call < 20; call += 1) await client.contactUser(applicationId);
      const large = count < 3 ? createIncompleteReport(5, 2_000) : { ...report, note: quotes };
      await client.submitReport({ applicationId, assetReportJson: large });
      const fault = { kind: 'row', operation: 'token', row: 'token/user-invalid', subject: quotes };
      await client.postControl('/faults', fault);
    }
    for (let page = 1; page <= 25; page += 1) {
      const query = ['calls', 'applications', 'documents', 'asset-reports'].map(
        (section) => `${section}=${page}`,
      );
      const { text } = await client.getControl(`/?${query.join('&')}`);
      expect([page, Buffer.byteLength(text) < maxPageBytes]).toEqual([page, true]);
    }
  });

  it('limits the size of the page for an invalid form', async () => {
    const client = await createSandboxClient();
    const response = await submitForm(client, '/clock', { ['x'.repeat(300_000)]: '1' });
    expect(response.status).toBe(400);
    expect((await response.text()).length).toBeLessThan(maxPageBytes);
  });
});

/** A report whose transactions have neither a name nor a description. */
function createIncompleteReport(accounts: number, transactions: number): object {
  const standard = createStandardReport({ accounts, transactions });
  return JSON.parse(JSON.stringify(standard).replaceAll('"original_description"', '"memo"'));
}

function listBakeries(page: string): readonly number[] {
  return Array.from(page.matchAll(/<strong>Bakery (\d+)<\/strong>/g), ([, number]) =>
    Number(number),
  );
}
