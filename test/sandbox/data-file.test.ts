import { copyFileSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { createSandbox } from '../../sandbox/app.ts';
import { openDataFile } from '../../sandbox/data-file.ts';
import type { SandboxContext } from '../../sandbox/state.ts';
import { createSandboxClient, report, startTimeMs, toFile, toLead } from './sandbox-client.ts';

function createPath(): string {
  return join(mkdtempSync(join(tmpdir(), 'sandbox-data-')), 'sandbox.db');
}

/** Another process that opens the file: a sandbox with the same clock and without the state of the first. */
function reopen(path: string) {
  const sandbox = createSandbox({ now: () => startTimeMs });
  return { ...sandbox, file: openDataFile(path, sandbox.context) };
}

async function createSavedClient() {
  const path = createPath();
  const client = await createSandboxClient();
  // The call for the token came before the file.
  client.context.state.calls.length = 0;
  const file = openDataFile(path, client.context);
  return { path, client, file };
}

describe('a data file', () => {
  it('keeps everything over a restart', async () => {
    const { path, client, file } = await createSavedClient();
    await client.createLead(toLead({ Company: 'Harbor Bakery [outage]' }));
    const applicationId = await client.submitApplication();
    await client.upload({ leadId: applicationId, file: toFile() });
    await client.submitReport({ applicationId, assetReportJson: report });
    await client.postControl(`/leads/${applicationId}/offers`, { count: 2 });
    await client.postControl('/faults', { operation: 'any', kind: 'empty', times: 'always' });
    await client.postControl('/clock', { advanceMs: 60_000 });
    await client.requestToken();
    file.close();

    const later = reopen(path);

    // As JSON, because the file has no undefined fields.
    const toText = ({ state }: SandboxContext) => {
      const { leads, assetReports, calls, actions, faults, tokens, sequence, callCount } = state;
      const lists = [leads, assetReports, calls, actions, faults, tokens].map((all) => [...all]);
      return JSON.stringify([...lists, sequence, callCount], sortKeys, 1);
    };
    expect(toText(later.context)).toBe(toText(client.context));
    expect(later.context.state.outageRejections.size).toBe(1);
    expect(later.context.clock.offsetMs()).toBe(60_000);
    const [document] = later.context.state.documents.values();
    expect(Buffer.from(document?.content ?? []).toString()).toBe('Hello');
    later.file.close();
  });

  it('has a change before its answer is sent', async () => {
    const { path, client, file } = await createSavedClient();
    await client.submitApplication({ ID: 'again' });
    // A process that is killed leaves the file and its log as they are now.
    const left = createPath();
    for (const part of ['', '-wal']) copyFileSync(path + part, left + part);
    const { context, file: opened } = reopen(left);
    expect(context.state.applicationIdsByReference.has('again')).toBe(true);
    opened.close();
    file.close();
  });

  it('is empty after a reset', async () => {
    const { path, client, file } = await createSavedClient();
    const leadId = await client.submitApplication();
    await client.upload({ leadId, file: toFile() });
    await client.postControl('/reset');
    file.close();
    const { context, file: opened } = reopen(path);
    expect(context.state.leads.size + context.state.documents.size).toBe(0);
    expect(context.state.calls).toEqual([]);
    expect(context.state.actions).toHaveLength(1);
    opened.close();
  });

  it('keeps the latest calls with the latest answers', async () => {
    const { path, client, file } = await createSavedClient();
    const id = await client.submitApplication();
    for (let count = 0; count < 510; count += 1) await client.contactUser(id);
    file.close();
    const { context, file: opened } = reopen(path);
    for (const { calls } of [client.context.state, context.state]) {
      expect(calls).toHaveLength(511);
      expect(calls.filter(({ answer }) => answer !== undefined)).toHaveLength(500);
    }
    opened.close();
  });

  it('can be read only by its owner', async () => {
    const { path, file } = await createSavedClient();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    file.close();
  });

  it('is used by one process at a time', async () => {
    const { path, file } = await createSavedClient();
    expect(() => reopen(path)).toThrow('SANDBOX_DATA is used by another process. Stop');
    file.close();
  });

  it('names the fix for another version', async () => {
    const { path, file } = await createSavedClient();
    file.close();
    const db = new DatabaseSync(path);
    db.exec('pragma user_version = 99');
    db.close();
    expect(() => reopen(path)).toThrow(
      'SANDBOX_DATA was written by another version of the sandbox (data version 99; this one reads 1). Name another file, or delete this one to start empty.',
    );
  });

  it('names the fix for a damaged file', async () => {
    const path = createPath();
    writeFileSync(path, 'not a database, but longer than the header of one. '.repeat(40));
    expect(() => reopen(path)).toThrow('SANDBOX_DATA is damaged');
    const { path: other, client, file } = await createSavedClient();
    for (let count = 0; count < 40; count += 1) await client.submitApplication();
    file.close();
    const bytes = readFileSync(other);
    bytes.fill(0xff, 8_192, bytes.length - 4_096);
    writeFileSync(other, bytes);
    expect(() => reopen(other)).toThrow('SANDBOX_DATA is damaged');
  });

  it('is refused if it belongs to another program', () => {
    const path = createPath();
    const db = new DatabaseSync(path);
    db.exec('create table anything (id integer)');
    db.close();
    expect(() => reopen(path)).toThrow('SANDBOX_DATA names a database of another program.');
  });

  it('must be in a folder that exists', () => {
    expect(() => reopen(join(createPath(), 'missing', 'sandbox.db'))).toThrow(
      'SANDBOX_DATA cannot be opened (ENOENT). Name a file in a folder that exists',
    );
  });
});

function sortKeys(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
