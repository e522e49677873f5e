import { describe, expect, it } from 'vitest';
import { createSandboxClient, report, startTimeMs, toFile } from './sandbox-client.ts';

describe('the control API', () => {
  it('lists calls without secrets', async () => {
    const client = await createSandboxClient();
    const id = await client.submitApplication();
    await client.getOffers(id, { Cookie: 'session=1', 'User-Agent': 'partner/1' });

    const { calls } = (await client.getControl('/calls')).body;

    expect(calls).toHaveLength(3);
    expect(calls.at(-1)).toMatchObject({
      callId: 3,
      at: new Date(startTimeMs).toISOString(),
      operation: 'pre-approval-offer',
      status: 200,
      outcome: 'ok',
      fault: null,
      applicationId: id,
      durationMs: expect.any(Number),
      headers: {
        applicationid: id,
        authorization: '(token valid)',
        'content-type': 'application/json',
        partnerid: 'P-1001',
        partnername: 'Sandbox Partner',
        'user-agent': 'partner/1',
      },
    });
    const text = JSON.stringify(calls);
    for (const secret of ['sandbox-secret', 'sandbox-password', '!', 'session=1']) {
      expect(text).not.toContain(secret);
    }
  });

  it('records the state of the token of each call', async () => {
    const client = await createSandboxClient();
    await client.createLead({}, { Authorization: undefined });
    await client.createLead({}, { Authorization: 'Bearer x' });
    await client.postControl('/clock', { advanceMs: 7_200_000 });
    await client.createLead({});
    const seen = client.context.state.calls.slice(-3).map((call) => call.headers.authorization);
    expect(seen).toEqual([undefined, '(token unknown)', '(token expired)']);
  });

  it('deletes everything except tokens on reset', async () => {
    const client = await createSandboxClient();
    const id = await client.submitApplication();
    await client.upload({ leadId: id, file: toFile() });
    await client.submitReport({ applicationId: id, assetReportJson: report });
    await client.postControl('/faults', { operation: 'token', kind: 'empty' });
    await client.postControl('/clock', { advanceMs: 5 });

    expect((await client.postControl('/reset')).body).toEqual({ isReset: true });

    expect((await client.getControl('/leads')).body).toEqual({ leads: [] });
    expect((await client.getControl('/documents')).body).toEqual({ documents: [] });
    expect((await client.getControl('/asset-reports')).body).toEqual({ assetReports: [] });
    expect((await client.getControl('/calls')).body).toEqual({ calls: [] });
    expect((await client.getControl('/faults')).body).toEqual({ faults: [] });
    expect((await client.getControl('/clock')).body).toEqual({
      now: new Date(startTimeMs).toISOString(),
    });
    expect((await client.createLead()).body.IsSuccessful).toBe(true);
  });

  it('accepts an earlier ID again after a reset', async () => {
    const client = await createSandboxClient();
    await client.submitApplication({ ID: 'again' });
    await client.postControl('/reset');
    expect(await client.submitApplication({ ID: 'again' })).toMatch(/^00Q/);
  });

  it('revokes tokens', async () => {
    const client = await createSandboxClient();
    expect((await client.postControl('/revoke-tokens')).body).toEqual({ revoked: 1 });
    expect((await client.createLead()).body.IsSuccessful).toBe(false);
  });

  it('changes the clock', async () => {
    const client = await createSandboxClient();
    expect((await client.postControl('/clock', { advanceMs: 1_000 })).body.now).toBe(
      '2026-03-02T09:00:01.000Z',
    );
    expect((await client.postControl('/clock', { now: '2027-01-01T00:00:00Z' })).body.now).toBe(
      '2027-01-01T00:00:00.000Z',
    );
  });

  it.each([
    ['/clock', {}, 'Send either advanceMs or now'],
    ['/clock', { advanceMs: 'long' }, 'advanceMs: '],
    ['/clock', { now: 'noon' }, 'now: '],
    ['/clock', { advanceMs: 1, now: '2027-01-01T00:00:00Z' }, 'Send either advanceMs or now'],
    ['/leads/x/outcome', { outcome: 'rich' }, 'outcome: '],
    ['/reset', { all: true }, 'Unrecognized key'],
  ])('responds to %s %j with 400', async (path, body, problem) => {
    const reply = await (await createSandboxClient()).postControl(path, body);
    expect(reply.status).toBe(400);
    expect(reply.body.error).toBe('Invalid control request');
    expect(reply.body.problems[0]).toContain(problem);
  });

  it('responds to a body that is not JSON with 400', async () => {
    const { app } = await createSandboxClient();
    const response = await app.request('/_sandbox/clock', { method: 'POST', body: '{' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ problems: ['The body is not a JSON object'] });
  });

  it('responds with 404 if the record does not exist', async () => {
    const client = await createSandboxClient();
    expect((await client.postControl('/leads/x/do-not-contact')).status).toBe(404);
    expect((await client.postControl('/leads/x/outcome', { outcome: 'offers' })).status).toBe(404);
    expect((await client.getControl('/leads/x')).status).toBe(404);
    expect((await client.getControl('/documents/x/content')).status).toBe(404);
    expect((await client.getControl('/asset-reports/x/content')).status).toBe(404);
  });

  it.each([
    ['Sec-Fetch-Site', 'cross-site'],
    ['Sec-Fetch-Site', 'same-site'],
    ['Origin', 'https://elsewhere.example'],
    ['Origin', 'null'],
  ])('rejects a cross-origin request with %s: %s', async (name, value) => {
    const headers = { [name]: value };
    const { app, context } = await createSandboxClient();
    const response = await app.request('/_sandbox/reset', { method: 'POST', headers });
    expect(response.status).toBe(403);
    expect(context.state.calls).toHaveLength(1);
  });

  it('lists the error table', async () => {
    const { errors } = (await (await createSandboxClient()).getControl('/errors')).body;
    expect(errors).toContainEqual({
      id: 'upload-file/missing-required-field',
      httpStatus: 400,
      text: 'Error: Missing required field: <field_name>',
      condition: 'Required field missing (leadId, file, or name, ext, file, category inside it)',
      isShown: true,
    });
  });

  it('responds to an unknown route with a platform error', async () => {
    const client = await createSandboxClient();
    const unknown = await client.post('/nothing', {});
    expect(unknown.status).toBe(404);
    expect(unknown.body[0].errorCode).toBe('NOT_FOUND');
    expect((await client.app.request('/rest/creditapp')).status).toBe(404);
  });
});
