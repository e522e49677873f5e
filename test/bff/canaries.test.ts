// Searches the store's bytes, the log, problems, metrics, and command output for personal data of an applicant.

import { afterEach, describe, expect, it } from 'vitest';
import { apiHeaders, apiPaths } from '../../shared/api/paths.ts';
import { runCommand } from '../../bff/cli/run-command.ts';
import { openStore } from '../../bff/store/open-store.ts';
import { type Answer, type Browser, secondKey } from '../support/applicant.ts';
import { contactRequest } from '../support/applications.ts';
import { startBff, type TestBff } from '../support/bff.ts';
import {
  canaries,
  canaryAddress,
  canaryApplication,
  canaryDocuments,
  canaryReport,
  canarySettings,
  canaryUserAgent,
  createCanarySearch,
  isImpersonal,
} from '../support/canaries.ts';
import { createManualTime, until } from '../support/manual-time.ts';
import { type Engine, engines, type StoreOnDisk } from '../support/store-bytes.ts';

const search = createCanarySearch(canaries);
const unreachable = { kind: 'not-sent', failure: 'ECONNREFUSED' } as const;
const resultTimeoutMs = 8_000;

let bff: TestBff;

afterEach(() => bff.close());

describe.each(engines.filter(({ isHere }) => isHere))('personal data on $name', (engine) => {
  let disk: StoreOnDisk;

  it('is readable nowhere, before or after its erasure', async () => {
    disk = await start(engine);
    const browser = bff.openBrowser();
    const delivered = await submitAll(browser);
    const reference = createCanarySearch([{ name: 'reference', value: delivered }]);
    expect(reference.find(...(await disk.read()))).toEqual(['reference, raw']);
    expect(await findInPlaces(delivered)).toEqual([]);

    await bff.delivery.runDue();
    expectAllArrived();
    const secrets = createCanarySearch([
      { name: 'tracking address', value: (await readStatus(browser)).trackingUrl },
      { name: 'cookie', value: [...browser.cookies.values()].join() },
    ]);
    expect(secrets.find(...(await disk.read()), ...bff.logLines)).toEqual([]);
    expect(await findInPlaces(delivered)).toEqual([]);

    const undelivered = await submitDuringOutage();
    expect(await findInPlaces(undelivered)).toEqual([]);
    for (const reference of [delivered, undelivered]) {
      expect(search.find(await operate(bff, 'erase', reference, '--yes'))).toEqual([]);
      expect(await findInPlaces(reference)).toEqual([]);
    }
  });

  it('leaves no encrypted bytes after its erasure', async () => {
    disk = await start(engine);
    const browser = bff.openBrowser();
    const reference = await submitAll(browser);
    const content = await listEncryptedContent(reference);
    expect(await countOnDisk(content)).toBe(content.length);

    await bff.delivery.runDue();
    await bff.store.scrub();
    expect(await countOnDisk(content)).toBe(0);
    const rest = await listEncryptedRest(reference);
    expect(await countOnDisk(rest)).toBe(rest.length);

    await bff.store.erase(reference);
    await bff.store.scrub();
    expect(await countOnDisk(rest)).toBe(0);
  });

  /** Searches the store, the log, the metrics, and command output. Returns names and encodings. */
  async function findInPlaces(reference: string): Promise<readonly string[]> {
    const metrics = await (await bff.app.request('/metrics')).text();
    expect(metrics).toContain('state="');
    const output = [
      await operate(bff, 'status', '--json'),
      await operate(bff, 'show', reference),
      await operate(bff, 'show', reference, '--json'),
      await operate(bff, 'retry', reference),
      await operate(bff, 'resolve', reference, '006000000000000AAA'),
      await operate(bff, 'erase', reference),
    ];
    return search.find(...(await disk.read()), ...bff.logLines, metrics, ...output);
  }

  /** Searches for the first bytes only, because the database can split a row into pages. */
  async function countOnDisk(encrypted: readonly Uint8Array[]): Promise<number> {
    const parts = encrypted.map((bytes, index) => ({
      name: String(index),
      value: Buffer.from(bytes.subarray(0, 24)).toString('latin1'),
    }));
    const kept = await disk.readKept();
    return parts.filter(({ value }) => kept.some((file) => file.includes(value, 0, 'latin1')))
      .length;
  }
});

describe('personal data', () => {
  it('is in no error response or log line', async () => {
    bff = await startBff({ settings: canarySettings, clientAddress: canaryAddress });
    const browser = bff.openBrowser();
    await browser.send('POST', apiPaths.session);
    const { owner, business } = canaryApplication;
    const refused: Answer[] = [];
    for (const wrong of listWrongApplications()) refused.push(await browser.apply(wrong));
    refused.push(
      await browser.apply({ ...canaryApplication, consents: [] }),
      await browser.apply({ ...canaryApplication, campaignId: owner.ssn }),
      await browser.apply({
        ...canaryApplication,
        business: { ...business, name: `${business.name} [create-lead/invalid-field-value]` },
      }),
      await browser.send('GET', `/v1/${owner.ssn}?q=${owner.email}`),
      await browser.send('POST', apiPaths.contact, JSON.stringify({ consent: owner })),
    );
    await browser.apply({ ...canaryApplication, business: { ...business, name: 'B' } }, secondKey);
    refused.push(
      await browser.apply(canaryApplication, secondKey),
      await browser.apply(canaryApplication),
      await browser.send('POST', apiPaths.assetReport, canaryReport.slice(1)),
      await browser.upload(canaryDocuments[0].content, canaryDocuments[0].name, {
        [apiHeaders.documentCategory]: canaryDocuments[1].name,
      }),
      await browser.upload(new TextEncoder().encode('x'), canaryDocuments[0].name),
    );
    expect(refused.map(({ status }) => status).filter((status) => status < 400)).toEqual([]);
    const answers = refused.map(({ text, headers }) => text + JSON.stringify([...headers]));
    expect(search.find(...answers, ...bff.logLines)).toEqual([]);
  });
});

async function start(engine: Engine): Promise<StoreOnDisk> {
  const time = createManualTime();
  const disk = await engine.create();
  bff = await startBff({
    time,
    store: await openStore(disk.url, { clock: time.clock }),
    settings: canarySettings,
    clientAddress: canaryAddress,
    delivers: false,
  });
  return disk;
}

/** Submits an application with all kinds of attachments before any delivery. Returns the reference. */
async function submitAll(browser: Browser): Promise<string> {
  const pending = browser.apply(canaryApplication);
  await until(() => bff.time.listTimers().includes(resultTimeoutMs));
  bff.time.advance(resultTimeoutMs);
  const { json } = await pending;
  const userAgent = { 'user-agent': canaryUserAgent };
  for (const { name, content } of canaryDocuments) {
    expect((await browser.upload(content, name, userAgent)).status).toBe(202);
  }
  for (const [path, body] of [
    [apiPaths.assetReport, canaryReport],
    [apiPaths.contact, contactRequest],
  ] as const) {
    expect((await browser.send('POST', path, body, userAgent)).status).toBe(202);
  }
  return json.reference;
}

/** As another applicant, while the funding service is unavailable. */
async function submitDuringOutage(): Promise<string> {
  const reference = await submitAll(bff.openBrowser('http://other.localhost:8080'));
  for (let attempt = 0; attempt < 3; attempt += 1) {
    bff.faults.push({ path: '/creditapp', result: unreachable });
    await bff.delivery.runDue();
    bff.time.advance(60_000);
  }
  expect((await bff.store.findApplication(reference))?.state).toBe('waiting');
  return reference;
}

/** Expects that the search covers every field that the sandbox received. */
function expectAllArrived(): void {
  const { leads, documents, assetReports } = bff.sandbox.context.state;
  const values = new Set(canaries.map(({ value }) => value));
  const [lead] = leads.values();
  const others = listLeaves(lead?.lead).filter(
    ([, value]) => !values.has(String(value)) && !isImpersonal(value),
  );
  expect(others.map(([path]) => path)).toEqual([
    '/ID',
    '/SignatureTimestamp',
    '/TimeInBusinessMonths',
    '/CreatedAt',
    '/LeadSource',
    '/BusinessAge',
  ]);
  expect([leads.size, documents.size, assetReports.size]).toEqual([1, 2, 1]);
  // Received, and contact re-enabled.
  expect(lead?.history).toHaveLength(2);
}

async function readStatus(browser: Browser) {
  return (await browser.send('GET', apiPaths.application)).json;
}

async function listEncryptedContent(reference: string): Promise<readonly Uint8Array[]> {
  const application = await bff.store.findApplication(reference);
  const encrypted = application?.encryptedLead ? [application.encryptedLead] : [];
  for (const kind of ['document', 'bank-report'] as const) {
    for (const { id } of await bff.store.listAttachments(reference, kind)) {
      for (let number = 0; ; number += 1) {
        const chunk = await bff.store.readChunk(id, number);
        if (!chunk) break;
        encrypted.push(chunk);
      }
      const file = await bff.store.contentFiles?.open(id);
      if (file) encrypted.push(await file.readFile());
      await file?.close();
    }
  }
  // The lead; a file of two chunks, a file of one, and the report. On SQLite, three keys and three files instead.
  expect(encrypted).toHaveLength(bff.store.contentFiles ? 7 : 5);
  return encrypted;
}

/** The key itself, file names, the tracking address, the addresses of consents. */
async function listEncryptedRest(reference: string): Promise<readonly Uint8Array[]> {
  const application = await bff.store.findApplication(reference);
  const documents = await bff.store.listAttachments(reference, 'document');
  const consents = await bff.store.listConsents(reference);
  const encrypted = [
    application?.key.bytes,
    application?.encryptedTrackingUrl,
    ...documents.map(({ encryptedName }) => encryptedName),
    ...consents.map(({ encryptedAddress }) => encryptedAddress),
  ].filter((bytes) => bytes !== undefined);
  expect(encrypted).toHaveLength(9);
  return encrypted;
}

/** The application with each of its values in turn in a place where it does not belong. */
function listWrongApplications(): object[] {
  return listLeaves({ ...canaryApplication, consents: [] }).map(([path, value]) =>
    replaceLeaf(canaryApplication, path.slice(1).split('/'), { [String(value)]: value }),
  );
}

function replaceLeaf(value: object, [key = '', ...path]: readonly string[], leaf: object): object {
  const member: unknown = Reflect.get(value, key);
  const isInner = path.length > 0 && typeof member === 'object' && member !== null;
  return { ...value, [key]: isInner ? replaceLeaf(member, path, leaf) : leaf };
}

/** Path and value of everything that holds nothing else. */
function listLeaves(value: unknown, path = ''): (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([key, member]) => listLeaves(member, `${path}/${key}`));
}

/** Runs a command while the funding service is unreachable. Returns everything that it prints. */
async function operate({ store, time }: TestBff, ...argv: string[]): Promise<string> {
  let output = '';
  const print = (text: string) => {
    output += text;
  };
  await runCommand(argv, {
    variables: { FUNDING_ENVIRONMENT: 'sandbox' },
    readFile: () => '{}',
    print,
    printError: print,
    clock: time.clock,
    // The BFF still uses the store after the command has closed it.
    openStore: async () => ({ ...store, close: async () => undefined }),
    createTransport: () =>
      Object.assign(async () => ({ kind: 'not-sent', failure: 'ECONNREFUSED' }) as const, {
        close: async () => undefined,
        abort: () => undefined,
      }),
    fetch,
  });
  if (output === '') throw new Error(`The command ${argv.join(' ')} printed nothing`);
  return output;
}
