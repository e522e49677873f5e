import { describe, expect, it } from 'vitest';
import { openSandbox, report, startedAt, toFile } from './sandbox-client.ts';

describe('the control endpoints', () => {
  it('list calls without secrets', async () => {
    const client = await openSandbox();
    const id = await client.openApplication();
    await client.getOffers(id, { Cookie: 'session=1', 'User-Agent': 'partner/1' });

    const { calls } = (await client.look('/calls')).body;

    expect(calls).toHaveLength(3);
    expect(calls.at(-1)).toMatchObject({
      callId: 3,
      at: new Date(startedAt).toISOString(),
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

  it('tell an expired token from an unknown and an absent one', async () => {
    const client = await openSandbox();
    await client.createLead({}, { Authorization: undefined });
    await client.createLead({}, { Authorization: 'Bearer x' });
    await client.control('/clock', { advanceMs: 7_200_000 });
    await client.createLead({});
    const seen = client.context.state.calls.slice(-3).map((call) => call.headers.authorization);
    expect(seen).toEqual([undefined, '(token unknown)', '(token expired)']);
  });

  it('forget everything but tokens at a reset', async () => {
    const client = await openSandbox();
    const id = await client.openApplication();
    await client.upload({ leadId: id, file: toFile() });
    await client.submitReport({ applicationId: id, assetReportJson: report });
    await client.control('/faults', { operation: 'token', kind: 'empty' });
    await client.control('/clock', { advanceMs: 5 });

    expect((await client.control('/reset')).body).toEqual({ isReset: true });

    expect((await client.look('/leads')).body).toEqual({ leads: [] });
    expect((await client.look('/documents')).body).toEqual({ documents: [] });
    expect((await client.look('/asset-reports')).body).toEqual({ assetReports: [] });
    expect((await client.look('/calls')).body).toEqual({ calls: [] });
    expect((await client.look('/faults')).body).toEqual({ faults: [] });
    expect((await client.look('/clock')).body).toEqual({ now: new Date(startedAt).toISOString() });
    expect((await client.createLead()).body.IsSuccessful).toBe(true);
  });

  it('lets an ID be submitted again after a reset', async () => {
    const client = await openSandbox();
    await client.openApplication({ ID: 'again' });
    await client.control('/reset');
    expect(await client.openApplication({ ID: 'again' })).toMatch(/^00Q/);
  });

  it('revoke tokens', async () => {
    const client = await openSandbox();
    expect((await client.control('/revoke-tokens')).body).toEqual({ revoked: 1 });
    expect((await client.createLead()).body.IsSuccessful).toBe(false);
  });

  it('move the clock on and set it', async () => {
    const client = await openSandbox();
    expect((await client.control('/clock', { advanceMs: 1_000 })).body.now).toBe(
      '2026-03-02T09:00:01.000Z',
    );
    expect((await client.control('/clock', { now: '2027-01-01T00:00:00Z' })).body.now).toBe(
      '2027-01-01T00:00:00.000Z',
    );
  });

  it.each([
    ['/clock', {}, 'Give either advanceMs or now'],
    ['/clock', { advanceMs: 'long' }, 'advanceMs: '],
    ['/clock', { now: 'noon' }, 'now: '],
    ['/clock', { advanceMs: 1, now: '2027-01-01T00:00:00Z' }, 'Give either advanceMs or now'],
    ['/leads/x/outcome', { outcome: 'rich' }, 'outcome: '],
    ['/reset', { all: true }, 'Unrecognized key'],
  ])('answer 400 with the problem to %s %j', async (path, body, problem) => {
    const reply = await (await openSandbox()).control(path, body);
    expect(reply.status).toBe(400);
    expect(reply.body.error).toBe('Invalid control request');
    expect(reply.body.problems[0]).toContain(problem);
  });

  it('answer 400 to a body that is not JSON', async () => {
    const { app } = await openSandbox();
    const response = await app.request('/_sandbox/clock', { method: 'POST', body: '{' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ problems: ['The body is not a JSON object'] });
  });

  it('answer 404 for a record that does not exist', async () => {
    const client = await openSandbox();
    expect((await client.control('/leads/x/do-not-contact')).status).toBe(404);
    expect((await client.control('/leads/x/outcome', { outcome: 'offers' })).status).toBe(404);
    expect((await client.look('/leads/x')).status).toBe(404);
    expect((await client.look('/documents/x/content')).status).toBe(404);
    expect((await client.look('/asset-reports/x/content')).status).toBe(404);
  });

  it.each([
    ['Sec-Fetch-Site', 'cross-site'],
    ['Sec-Fetch-Site', 'same-site'],
    ['Origin', 'https://elsewhere.example'],
    ['Origin', 'null'],
  ])('refuse a request from another origin, told by %s: %s', async (name, value) => {
    const headers = { [name]: value };
    const { app, context } = await openSandbox();
    const response = await app.request('/_sandbox/reset', { method: 'POST', headers });
    expect(response.status).toBe(403);
    expect(context.state.calls).toHaveLength(1);
  });

  it('list the error table', async () => {
    const { errors } = (await (await openSandbox()).look('/errors')).body;
    expect(errors).toContainEqual({
      id: 'upload-file/missing-required-field',
      httpStatus: 400,
      text: 'Error: Missing required field: <field_name>',
      condition: 'Required field missing (leadId, file, or name, ext, file, category inside it)',
      isShown: true,
    });
  });

  it('answer a path or a method it does not know as the platform does', async () => {
    const client = await openSandbox();
    const unknown = await client.post('/nothing', {});
    expect(unknown.status).toBe(404);
    expect(unknown.body[0].errorCode).toBe('NOT_FOUND');
    expect((await client.app.request('/rest/creditapp')).status).toBe(404);
  });
});
