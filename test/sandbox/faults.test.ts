import { describe, expect, it } from 'vitest';
import { faultKinds, faultSchema } from '../../sandbox/faults.ts';
import { createSandboxClient, report, toLead } from './sandbox-client.ts';

async function createClientWithFault(fault: Readonly<Record<string, unknown>>) {
  const client = await createSandboxClient();
  const added = await client.postControl('/faults', { operation: 'create-lead', ...fault });
  expect(added.status).toBe(200);
  return client;
}

async function countLeads(
  client: Awaited<ReturnType<typeof createSandboxClient>>,
): Promise<number> {
  return (await client.getControl('/leads')).body.leads.length;
}

describe('faults', () => {
  /** The fault, the response, and how many leads exist after it. */
  it.each<[object, number, string, RegExp, number]>([
    [
      { kind: 'row', row: 'create-lead/missing-required-field', subject: 'Zip' },
      200,
      'application/json',
      /"Missing required field: Zip"/,
      0,
    ],
    [{ kind: 'status', status: 502 }, 502, 'text/html', /502/, 0],
    [{ kind: 'status', status: 500, isProcessed: true }, 500, 'text/html', /500/, 1],
    [{ kind: 'invalid-session' }, 401, 'application/json', /^\[\{.*"INVALID_SESSION_ID".*\}\]$/, 0],
    [{ kind: 'garbage' }, 200, 'application/json', /^\{"IsSuccessful":true[^}]*$/, 1],
    [{ kind: 'empty', isProcessed: false }, 200, 'text/plain', /^$/, 0],
    [
      { kind: 'without-proof' },
      200,
      'application/json',
      /"IsSuccessful":true.*"ApplicationID":null/,
      1,
    ],
  ])('%j returns %i as %s', async (fault, status, type, text, leads) => {
    const client = await createClientWithFault(fault as Readonly<Record<string, unknown>>);
    const reply = await client.createLead();
    expect([reply.status, reply.headers.get('Content-Type')]).toEqual([
      status,
      expect.stringContaining(type),
    ]);
    expect(reply.text).toMatch(text);
    expect(await countLeads(client)).toBe(leads);
  });

  it('delays the response', async () => {
    const client = await createClientWithFault({ kind: 'delay', delayMs: 3_000 });
    expect((await client.createLead()).body.IsSuccessful).toBe(true);
    expect(client.delays).toEqual([3_000]);
  });

  it('drops the response after processing', async () => {
    const client = await createClientWithFault({ kind: 'drop-after-commit' });
    const lead = toLead();
    const { status, body } = await client.createLead(lead);
    expect([status, body]).toEqual([504, undefined]);
    expect(await countLeads(client)).toBe(1);
    expect((await client.createLead(lead)).body.ResponseText).toContain('Duplicate ID');
  });

  it.each([429, 503])('throttles with %i plus Retry-After', async (status) => {
    const client = await createClientWithFault({ kind: 'throttle', status, retryAfterSeconds: 7 });
    const reply = await client.createLead();
    expect(reply.status).toBe(status);
    expect(reply.headers.get('Retry-After')).toBe('7');
  });

  it('fails to process a report', async () => {
    const client = await createSandboxClient();
    await client.postControl('/faults', { kind: 'processing-failed' });
    const body = { applicationId: await client.submitApplication(), assetReportJson: report };
    expect((await client.submitReport(body)).body.message).toBe('Asset report submission failed');
    expect((await client.submitReport(body)).body.success).toBe(true);
  });

  it('applies a fault as many times as planned', async () => {
    const client = await createClientWithFault({ kind: 'status', times: 2 });
    const statuses = [1, 2, 3].map(async () => (await client.createLead()).status);
    expect(await Promise.all(statuses)).toEqual([503, 503, 200]);
  });

  it('applies a permanent fault until faults are cleared', async () => {
    const client = await createClientWithFault({ kind: 'status', times: 'always' });
    await client.createLead();
    expect((await client.createLead()).status).toBe(503);
    await client.postControl('/faults/clear');
    expect((await client.createLead()).status).toBe(200);
  });

  it('applies only to its own operation, unless planned for any', async () => {
    const client = await createClientWithFault({ kind: 'status' });
    expect((await client.requestToken()).status).toBe(200);
    await client.postControl('/faults', { operation: 'any', kind: 'status', status: 500 });
    expect((await client.requestToken()).status).toBe(500);
  });

  it('applies faults in the order they were added', async () => {
    const client = await createClientWithFault({ kind: 'status', status: 500 });
    await client.postControl('/faults', { operation: 'create-lead', kind: 'status', status: 502 });
    expect((await client.createLead()).status).toBe(500);
    expect((await client.createLead()).status).toBe(502);
  });

  it('records the fault of a call', async () => {
    const client = await createClientWithFault({ kind: 'garbage' });
    await client.createLead();
    expect((await client.getControl('/calls')).body.calls.at(-1)).toMatchObject({
      operation: 'create-lead',
      outcome: 'broken',
      fault: 'garbage',
    });
  });

  it.each([
    [{ operation: 'create-lead', kind: 'storm' }, 'kind: '],
    [{ operation: 'lead', kind: 'empty' }, 'operation: '],
    [{ operation: 'create-lead', kind: 'empty', times: 0 }, 'times: '],
    [{ operation: 'create-lead', kind: 'delay' }, 'delayMs: '],
    [{ operation: 'create-lead', kind: 'row', row: 'nothing' }, 'row: is not the id'],
    [
      { operation: 'upload-file', kind: 'row', row: 'create-lead/duplicate-id' },
      'row: belongs to another operation',
    ],
    [{ operation: 'create-lead', kind: 'empty', status: 500 }, 'Unrecognized key'],
  ])('rejects the fault %j', async (fault, problem) => {
    const { status, body } = await (await createSandboxClient()).postControl('/faults', fault);
    expect(status).toBe(400);
    expect(body.problems[0]).toContain(problem);
  });

  it('lists every kind for the console', () => {
    const kinds = faultSchema._zod.def.options.map((option) => option._zod.def.shape.kind._zod.def);
    expect(kinds.map((kind) => kind.values[0])).toEqual(faultKinds);
  });
});
