// Nothing an applicant types is found where it must not be: in problems, in the log, in the journal's file.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteJournal } from '../../bff/journal/sqlite.ts';
import { apiHeaders, apiPaths } from '../../shared/api/paths.ts';
import { createApplication, createRig, secondKey, type Rig } from './bff-rig.ts';

const application = createApplication();
const typed = [
  application.business.name,
  application.business.taxId,
  application.owner.ssn,
  application.owner.birthDate,
  application.owner.email,
  application.owner.phone,
  application.owner.lastName,
  application.owner.homeAddress.street,
].map(String);

describe('what an applicant types', () => {
  let folder: string;
  let rig: Rig;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'canaries-'));
    rig = await createRig({ journal: openSqliteJournal(`file:${join(folder, 'journal.db')}`) });
  });

  afterEach(async () => {
    await rig.close();
    rmSync(folder, { recursive: true });
  });

  it('is in no problem and no line of the log, whatever is refused', async () => {
    const browser = rig.openBrowser();
    const owner = { ...application.owner, [application.owner.ssn ?? '']: application.owner.ssn };
    const refusals = [
      await browser.apply({ ...application, owner }),
      await browser.apply({ ...application, owner: { ...owner, ssn: `${owner.ssn}0` } }),
      await browser.apply({ ...application, consents: [] }),
      await browser.apply({ ...application, campaignId: application.owner.ssn }),
      await browser.apply({
        ...application,
        business: {
          ...application.business,
          name: `${typed[0]} [create-lead/invalid-field-value]`,
        },
      }),
      await browser.send('GET', `/v1/${application.owner.ssn}?q=${application.owner.ssn}`),
      await browser.send('POST', apiPaths.assetReport, `{"report":"${application.owner.ssn}"}`),
      await browser.upload(new TextEncoder().encode('x'), `${application.owner.ssn}.pdf`),
    ];
    expect(refusals.every(({ status }) => status >= 400)).toBe(true);
    const told = refusals.map(({ text, headers }) => text + JSON.stringify([...headers]));
    expectNone(told.join(''));
    expectNone(rig.logLines.join(''));
  });

  it('is in no line of the log when all goes well', async () => {
    const browser = rig.openBrowser();
    await browser.apply();
    await browser.upload(new TextEncoder().encode('%PDF-1.7'), `${typed[6]}.pdf`);
    await browser.send('GET', apiPaths.offers);
    expect(rig.logLines.length).toBeGreaterThan(6);
    expectNone(rig.logLines.join(''));
    const [cookie = ''] = browser.cookies.values();
    expect(cookie).not.toBe('');
    expect(rig.logLines.join('')).not.toContain(cookie);
  });

  it('is nowhere in the journal’s files, before and after it is delivered', async () => {
    const [lost, service] = [{ kind: 'interrupted', failure: 'X' } as const, '/creditapp'];
    rig.faults.push({ path: service, result: lost });
    const browser = rig.openBrowser();
    await browser.apply();
    await browser.upload(new TextEncoder().encode(`%PDF-1.7 ${typed[2]}`), `${typed[6]}.pdf`);
    expectNone(readJournal());
    expect(readJournal()).toContain('received');
    expect(readJournal()).not.toContain(`${typed[6]}.pdf`);
  });

  it('is not told by an answer that repeats a key with another body', async () => {
    const browser = rig.openBrowser();
    await browser.apply();
    const other = createApplication({ annualRevenue: 5 });
    const answers = [await browser.apply(other), await browser.apply(other, secondKey)];
    expect(answers.map(({ status }) => status)).toEqual([422, 409]);
    expectNone(answers.map(({ text }) => text).join(''));
    expect(apiHeaders.idempotencyKey).toBe('idempotency-key');
  });

  function readJournal(): string {
    return readdirSync(folder)
      .map((name) => readFileSync(join(folder, name)).toString('latin1'))
      .join('');
  }
});

function expectNone(text: string): void {
  for (const value of typed) expect(text.includes(value)).toBe(false);
}
