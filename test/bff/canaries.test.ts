// Nothing an applicant gives is found where it must not be: in the store's bytes, the log, problems, metrics, an operator's output.

import { afterEach, describe, expect, it } from 'vitest';
import { openStore } from '../../bff/store/open-store.ts';
import { apiHeaders, apiPaths } from '../../shared/api/paths.ts';
import {
  canaries,
  canaryAddress,
  canaryApplication,
  canaryDocuments,
  canaryReport,
  canarySettings,
  canaryUserAgent,
  isImpersonal,
} from '../support/canary-applicant.ts';
import { createCanarySearch } from '../support/canary-search.ts';
import { engines, type Engine, type StoreOnDisk } from '../support/store-bytes.ts';
import { createRig, secondKey, type Answer, type Browser, type Rig } from './bff-rig.ts';
import { createManualTime, until } from './manual-time.ts';
import { operate } from './operate.ts';

const search = createCanarySearch(canaries);
const unreachable = { kind: 'not-sent', failure: 'ECONNREFUSED' } as const;
const wish = JSON.stringify({ consent: { id: 'contact', version: 'placeholder-1' } });
const resultTimeoutMs = 8_000;
/** All of a server's files are read, several times. */
const timeout = { timeout: 60_000 };

let rig: Rig;

afterEach(() => rig.close());

describe.each(engines.filter(({ isHere }) => isHere))(
  'on $name, what is given',
  timeout,
  (engine) => {
    let disk: StoreOnDisk;

    it('can be read nowhere, delivered or not, before and after it is erased', async () => {
      disk = await start(engine);
      const browser = rig.openBrowser();
      const delivered = await giveAll(browser);
      const reference = createCanarySearch([{ name: 'reference', value: delivered }]);
      expect(reference.find(...(await disk.read()))).toEqual(['reference, raw']);
      expect(await findInPlaces(delivered)).toEqual([]);

      await rig.delivery.runDue();
      expectAllArrived();
      const secrets = createCanarySearch([
        { name: 'tracking address', value: (await standing(browser)).trackingUrl },
        { name: 'cookie', value: [...browser.cookies.values()].join() },
      ]);
      expect(secrets.find(...(await disk.read()), ...rig.logLines)).toEqual([]);
      expect(await findInPlaces(delivered)).toEqual([]);

      const undelivered = await giveWhileAway();
      expect(await findInPlaces(undelivered)).toEqual([]);
      for (const reference of [delivered, undelivered]) {
        expect(search.find(await operate(rig, 'erase', reference, '--yes'))).toEqual([]);
        expect(await findInPlaces(reference)).toEqual([]);
      }
    });

    it('leaves no sealed byte behind: content once it is accepted, the rest once it is erased', async () => {
      disk = await start(engine);
      const browser = rig.openBrowser();
      const reference = await giveAll(browser);
      const content = await listEncryptedContent(reference);
      expect(await countOnDisk(content)).toBe(content.length);

      await rig.delivery.runDue();
      await rig.store.scrub();
      expect(await countOnDisk(content)).toBe(0);
      const rest = await listEncryptedRest(reference);
      expect(await countOnDisk(rest)).toBe(rest.length);

      await rig.store.erase(reference);
      await rig.store.scrub();
      expect(await countOnDisk(rest)).toBe(0);
    });

    /** In the store, the log, the metrics, and what an operator sees; by name and form. */
    async function findInPlaces(reference: string): Promise<readonly string[]> {
      const metrics = await (await rig.app.request('/metrics')).text();
      expect(metrics).toContain('state="');
      const output = [
        await operate(rig, 'status', '--json'),
        await operate(rig, 'show', reference),
        await operate(rig, 'show', reference, '--json'),
        await operate(rig, 'retry', reference),
        await operate(rig, 'resolve', reference, '006000000000000AAA'),
        await operate(rig, 'erase', reference),
      ];
      return search.find(...(await disk.read()), ...rig.logLines, metrics, ...output);
    }

    /** Whole rows may be cut into pages, so parts of each are looked for. */
    async function countOnDisk(encrypted: readonly Uint8Array[]): Promise<number> {
      const parts = encrypted.map((bytes, index) => ({
        name: String(index),
        value: Buffer.from(bytes.subarray(0, 24)).toString('latin1'),
      }));
      const kept = await disk.readKept();
      return parts.filter(({ value }) => kept.some((file) => file.includes(value, 0, 'latin1')))
        .length;
    }
  },
);

describe('what is given', () => {
  it('is in no answer and no line of the log, whatever is refused', async () => {
    rig = await createRig({ settings: canarySettings, clientAddress: canaryAddress });
    const browser = rig.openBrowser();
    await browser.send('POST', apiPaths.session);
    const { owner, business } = canaryApplication;
    const told: Answer[] = [];
    for (const wrong of listWrongApplications()) told.push(await browser.apply(wrong));
    told.push(
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
    told.push(
      await browser.apply(canaryApplication, secondKey),
      await browser.apply(canaryApplication),
      await browser.send('POST', apiPaths.assetReport, canaryReport.slice(1)),
      await browser.upload(canaryDocuments[0].content, canaryDocuments[0].name, {
        [apiHeaders.documentCategory]: canaryDocuments[1].name,
      }),
      await browser.upload(new TextEncoder().encode('x'), canaryDocuments[0].name),
    );
    expect(told.map(({ status }) => status).filter((status) => status < 400)).toEqual([]);
    const answers = told.map(({ text, headers }) => text + JSON.stringify([...headers]));
    expect(search.find(...answers, ...rig.logLines)).toEqual([]);
  });
});

async function start(engine: Engine): Promise<StoreOnDisk> {
  const time = createManualTime();
  const disk = await engine.create();
  rig = await createRig({
    time,
    store: await openStore(disk.url, { clock: time.clock }),
    settings: canarySettings,
    clientAddress: canaryAddress,
    delivers: false,
  });
  return disk;
}

/** Everything that can be given, before anything of it is delivered; answers the reference. */
async function giveAll(browser: Browser): Promise<string> {
  const pending = browser.apply(canaryApplication);
  await until(() => rig.time.listTimers().includes(resultTimeoutMs));
  rig.time.advance(resultTimeoutMs);
  const { json } = await pending;
  const userAgent = { 'user-agent': canaryUserAgent };
  for (const { name, content } of canaryDocuments) {
    expect((await browser.upload(content, name, userAgent)).status).toBe(202);
  }
  for (const [path, body] of [
    [apiPaths.assetReport, canaryReport],
    [apiPaths.contact, wish],
  ] as const) {
    expect((await browser.send('POST', path, body, userAgent)).status).toBe(202);
  }
  return json.reference;
}

/** By somebody else, to a service that stays away. */
async function giveWhileAway(): Promise<string> {
  const reference = await giveAll(rig.openBrowser('http://other.localhost:8080'));
  for (let attempt = 0; attempt < 3; attempt += 1) {
    rig.faults.push({ path: '/creditapp', result: unreachable });
    await rig.delivery.runDue();
    rig.time.advance(60_000);
  }
  expect((await rig.store.findApplication(reference))?.state).toBe('waiting');
  return reference;
}

/** So that no field is forgotten: whatever of it arrives is looked for, or is too short to be. */
function expectAllArrived(): void {
  const { leads, documents, assetReports } = rig.sandbox.context.state;
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

async function standing(browser: Browser) {
  return (await browser.send('GET', apiPaths.application)).json;
}

async function listEncryptedContent(reference: string): Promise<readonly Uint8Array[]> {
  const application = await rig.store.findApplication(reference);
  const encrypted = application?.encryptedLead ? [application.encryptedLead] : [];
  for (const kind of ['document', 'bank-report'] as const) {
    for (const { id } of await rig.store.listAttachments(reference, kind)) {
      for (let number = 0; ; number += 1) {
        const chunk = await rig.store.readChunk(id, number);
        if (!chunk) break;
        encrypted.push(chunk);
      }
    }
  }
  // The lead, a file of two pieces, a file of one, and the report.
  expect(encrypted).toHaveLength(5);
  return encrypted;
}

/** The key itself, file names, the tracking address, the addresses of consents. */
async function listEncryptedRest(reference: string): Promise<readonly Uint8Array[]> {
  const application = await rig.store.findApplication(reference);
  const documents = await rig.store.listAttachments(reference, 'document');
  const consents = await rig.store.listConsents(reference);
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
