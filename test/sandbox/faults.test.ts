import { describe, expect, it } from 'vitest';
import { faultKinds, faultSchema } from '../../sandbox/faults.ts';
import { openSandbox, report, toLead } from './sandbox-client.ts';

async function openWithFault(fault: Readonly<Record<string, unknown>>) {
  const client = await openSandbox();
  const ordered = await client.control('/faults', { operation: 'create-lead', ...fault });
  expect(ordered.status).toBe(200);
  return client;
}

async function countLeads(client: Awaited<ReturnType<typeof openSandbox>>): Promise<number> {
  return (await client.look('/leads')).body.leads.length;
}

describe('faults', () => {
  it('answers an error row instead of processing', async () => {
    const client = await openWithFault({
      kind: 'row',
      row: 'create-lead/missing-required-field',
      subject: 'Zip',
    });
    expect((await client.createLead()).body.ResponseText).toBe('Missing required field: Zip');
    expect(await countLeads(client)).toBe(0);
  });

  it('answers a status with HTML', async () => {
    const client = await openWithFault({ kind: 'status', status: 502 });
    const { status, headers, text } = await client.createLead();
    expect(status).toBe(502);
    expect(headers.get('Content-Type')).toContain('text/html');
    expect(text).toContain('502');
    expect(await countLeads(client)).toBe(0);
  });

  it('answers a status after processing when asked to', async () => {
    const client = await openWithFault({ kind: 'status', status: 500, isProcessed: true });
    expect((await client.createLead()).status).toBe(500);
    expect(await countLeads(client)).toBe(1);
  });

  it('answers 401 with the platform’s list', async () => {
    const client = await openWithFault({ kind: 'invalid-session' });
    const { status, body } = await client.createLead();
    expect(status).toBe(401);
    expect(body).toEqual([
      { errorCode: 'INVALID_SESSION_ID', message: 'Session expired or invalid' },
    ]);
    expect(await countLeads(client)).toBe(0);
  });

  it('waits and then answers as usual', async () => {
    const client = await openWithFault({ kind: 'delay', delayMs: 3_000 });
    expect((await client.createLead()).body.IsSuccessful).toBe(true);
    expect(client.waits).toEqual([3_000]);
  });

  it('loses the answer after the work is done', async () => {
    const client = await openWithFault({ kind: 'drop-after-commit' });
    const lead = toLead();
    const { status, body } = await client.createLead(lead);
    expect([status, body]).toEqual([504, undefined]);
    expect(await countLeads(client)).toBe(1);
    expect((await client.createLead(lead)).body.ResponseText).toContain('Duplicate ID');
  });

  it('cuts the answer’s JSON in half', async () => {
    const client = await openWithFault({ kind: 'garbage' });
    const { status, body, text } = await client.createLead();
    expect(status).toBe(200);
    expect(body).toBeUndefined();
    expect(text).toMatch(/^\{"IsSuccessful":true/);
    expect(await countLeads(client)).toBe(1);
  });

  it('answers nothing at all', async () => {
    const client = await openWithFault({ kind: 'empty', isProcessed: false });
    const { status, text } = await client.createLead();
    expect([status, text]).toEqual([200, '']);
    expect(await countLeads(client)).toBe(0);
  });

  it('answers success without what proves it', async () => {
    const client = await openWithFault({ kind: 'without-proof' });
    const { body } = await client.createLead();
    expect(body).toMatchObject({ IsSuccessful: true, ApplicationID: null });
    expect(await countLeads(client)).toBe(1);
  });

  it.each([429, 503])('asks to wait with %i and Retry-After', async (status) => {
    const client = await openWithFault({ kind: 'throttle', status, retryAfterSeconds: 7 });
    const reply = await client.createLead();
    expect(reply.status).toBe(status);
    expect(reply.headers.get('Retry-After')).toBe('7');
  });

  it('fails the processing of a report', async () => {
    const client = await openSandbox();
    await client.control('/faults', { kind: 'processing-failed' });
    const body = { applicationId: await client.openApplication(), assetReportJson: report };
    expect((await client.submitReport(body)).body.message).toBe('Asset report submission failed');
    expect((await client.submitReport(body)).body.success).toBe(true);
  });

  it('plays a fault as many times as ordered, then no more', async () => {
    const client = await openWithFault({ kind: 'status', times: 2 });
    const statuses = [1, 2, 3].map(async () => (await client.createLead()).status);
    expect(await Promise.all(statuses)).toEqual([503, 503, 200]);
  });

  it('plays a fault always until faults are cleared', async () => {
    const client = await openWithFault({ kind: 'status', times: 'always' });
    await client.createLead();
    expect((await client.createLead()).status).toBe(503);
    await client.control('/faults/clear');
    expect((await client.createLead()).status).toBe(200);
  });

  it('meets its own operation only, unless it is for any', async () => {
    const client = await openWithFault({ kind: 'status' });
    expect((await client.requestToken()).status).toBe(200);
    await client.control('/faults', { operation: 'any', kind: 'status', status: 500 });
    expect((await client.requestToken()).status).toBe(500);
  });

  it('plays faults in the order they came', async () => {
    const client = await openWithFault({ kind: 'status', status: 500 });
    await client.control('/faults', { operation: 'create-lead', kind: 'status', status: 502 });
    expect((await client.createLead()).status).toBe(500);
    expect((await client.createLead()).status).toBe(502);
  });

  it('writes down which fault was played', async () => {
    const client = await openWithFault({ kind: 'garbage' });
    await client.createLead();
    expect((await client.look('/calls')).body.calls.at(-1)).toMatchObject({
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
  ])('refuses the order %j', async (order, problem) => {
    const { status, body } = await (await openSandbox()).control('/faults', order);
    expect(status).toBe(400);
    expect(body.problems[0]).toContain(problem);
  });

  it('lists every kind for the console', () => {
    const kinds = faultSchema._zod.def.options.map((option) => option._zod.def.shape.kind._zod.def);
    expect(kinds.map((kind) => kind.values[0])).toEqual(faultKinds);
  });
});
