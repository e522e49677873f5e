import { describe, expect, it } from 'vitest';
import { openSandbox, report, toFile, type Client } from './sandbox-client.ts';

async function submitForm(client: Client, path: string, fields: Record<string, string> = {}) {
  return client.app.request(`/_sandbox${path}`, {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams(fields),
  });
}

describe('the console', () => {
  it('shows what arrived, and escapes it', async () => {
    const client = await openSandbox();
    const Company = '<script>alert("x")</script> & Co';
    const id = await client.openApplication({ Company, LeadSource: '</pre><img src=x>' });
    await client.upload({ leadId: id, file: toFile({ name: '<b>statement' }) });
    await client.submitReport({ applicationId: id, assetReportJson: report });

    const { status, text } = await client.look('/');

    expect(status).toBe(200);
    expect(text).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; Co');
    expect(text).toContain('&lt;b&gt;statement');
    expect(text).toContain('First Demo Bank');
    expect(text).not.toMatch(/<script|<b>|<img|onclick=|style=/);
  });

  it('carries a policy that allows no script', async () => {
    const { headers } = await (await openSandbox()).look('/');
    expect(headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    expect(headers.get('Content-Security-Policy')).not.toContain('unsafe-inline');
  });

  it('works its levers by plain forms and comes back', async () => {
    const client = await openSandbox();
    const id = await client.openApplication();

    const marked = await submitForm(client, `/leads/${id}/do-not-contact`);
    const set = await submitForm(client, `/leads/${id}/outcome`, { outcome: 'one-offer' });
    const moved = await submitForm(client, '/clock', { advanceMs: '60000' });
    const fault = { operation: 'any', kind: 'delay', times: '2', delayMs: '10', row: '' };
    const ordered = await submitForm(client, '/faults', fault);

    for (const response of [marked, set, moved, ordered]) {
      expect(response.status).toBe(303);
      expect(response.headers.get('Location')).toBe('/_sandbox/');
    }
    expect((await client.look(`/leads/${id}`)).body).toMatchObject({
      contactPreference: 'do-not-contact',
      outcome: 'one-offer',
    });
    expect((await client.look('/clock')).body.now).toBe('2026-03-02T09:01:00.000Z');
    expect((await client.look('/faults')).body.faults).toEqual([
      { operation: 'any', kind: 'delay', times: 2, delayMs: 10 },
    ]);
    expect((await client.look('/')).text).toContain('Do not contact');
  });

  it('says on a page what was wrong with a form', async () => {
    const client = await openSandbox();
    const response = await submitForm(client, '/clock', { advanceMs: '<i>' });
    const page = await response.text();
    expect(response.status).toBe(400);
    expect(page).toContain('advanceMs: ');
    expect(page).not.toContain('<i>');
  });

  it('is found from the root and without its last slash', async () => {
    const { app } = await openSandbox();
    for (const path of ['/', '/_sandbox']) {
      expect((await app.request(path)).headers.get('Location')).toBe('/_sandbox/');
    }
    const styles = await app.request('/_sandbox/console.css');
    expect(styles.headers.get('Content-Type')).toContain('text/css');
  });
});
