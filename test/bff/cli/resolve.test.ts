// `resolve`: records an ApplicationID only after the funding service has confirmed it.

import { beforeEach, describe, expect, it } from 'vitest';
import { accepted, createCliRig, first, held, second, waiting, type CliRig } from './cli-rig.ts';

const unconfirmed = { state: 'unconfirmed' } as const;

describe('resolve', () => {
  let rig: CliRig;

  beforeEach(async () => {
    rig = await createCliRig();
    await rig.add();
  });

  const readState = async () => (await rig.store.findApplication(first))?.state;

  it.each([unconfirmed, held, waiting])('records the ApplicationID after %j', async (result) => {
    const applicationId = await rig.fileLead(first);
    await rig.recordResult(result);
    await rig.addAttachment('d1');
    const { code, json } = await rig.run('resolve', first, ` ${applicationId} `, '--json');
    expect(code).toBe(0);
    expect(json).toEqual({ reference: first, applicationId, state: 'accepted' });
    const row = await rig.store.findApplication(first);
    expect(row).toMatchObject({ state: 'accepted', serviceId: applicationId });
    expect(row?.encryptedLead).toBeUndefined();
    expect((await rig.claim('document')).application.serviceId).toBe(applicationId);
  });

  it('prints the result', async () => {
    const applicationId = await rig.fileLead(first);
    await rig.recordResult(unconfirmed);
    const { out } = await rig.run('resolve', first, applicationId);
    expect(out).toContain(`${first} is accepted as ${applicationId}.\n`);
  });

  it.each([
    ['of another application', () => rig.fileLead(second)],
    ['that does not exist', async () => '0060000000000000AA'],
  ])('rejects an ApplicationID %s', async (_name, toId) => {
    await rig.recordResult(unconfirmed);
    const applicationId = await toId();
    const { code, err, json } = await rig.run('resolve', first, applicationId, '--json');
    expect([code, json.error]).toEqual([1, 'refuted']);
    expect(err).toBe(
      `The funding service does not have ${first} under ${applicationId}. Nothing was changed. Check the ApplicationID.\n`,
    );
    expect(await readState()).toBe('unconfirmed');
  });

  it('changes nothing if the funding service does not answer', async () => {
    await rig.recordResult(unconfirmed);
    rig.networkFault = { kind: 'not-sent', failure: 'ECONNREFUSED' };
    const { code, err, json } = await rig.run('resolve', first, '006A', '--json');
    expect([code, json.error]).toEqual([1, 'unanswered']);
    expect(err).toBe(
      'The funding service could not confirm the ApplicationID. Nothing was changed. ' +
        'Check FUNDING_AUTH_URL, FUNDING_BASE_URL, and the network, then run the command again.\n',
    );
    expect(await readState()).toBe('unconfirmed');
  });

  it('names the settings to check if the login fails', async () => {
    await rig.recordResult(unconfirmed);
    rig.variables['FUNDING_CLIENT_SECRET'] = 'wrong';
    const { code, err } = await rig.run('resolve', first, '006A');
    expect(code).toBe(1);
    expect(err).toContain('Check FUNDING_CLIENT_SECRET');
  });

  it.each([
    ['not sent yet', async () => undefined],
    ['being sent', async () => void (await rig.claim())],
    ['accepted as 006A', () => rig.recordResult(accepted)],
    ['rejected', () => rig.recordResult({ state: 'rejected', errors: [] })],
    ['erased', async () => void (await rig.store.erase(first))],
  ])('does not call the funding service if the application is %s', async (words, prepare) => {
    await prepare();
    rig.networkFault = { kind: 'interrupted', failure: 'NOT_EXPECTED' };
    const { code, err, json } = await rig.run('resolve', first, '006A', '--json');
    expect([code, json.error]).toEqual([1, 'wrong-state']);
    expect(err).toContain(`${first} is ${words}. There is nothing to resolve.`);
  });

  it('reports a state that changed meanwhile', async () => {
    const applicationId = await rig.fileLead(first);
    await rig.recordResult(unconfirmed);
    const resolve = async () => {
      await rig.store.erase(first);
      return false;
    };
    const { code, err } = await rig.runOn({ resolve }, 'resolve', first, applicationId);
    expect(code).toBe(1);
    expect(err).toContain(`${first} is erased. There is nothing to resolve.`);
  });

  describe('with an attachment', () => {
    const uncertain = { ...held, reason: 'uncertain' } as const;

    beforeEach(async () => {
      await rig.addAttachment('d1');
      await rig.addAttachment('r1', 'bank-report');
      await rig.recordResult(accepted);
    });

    it('accepts a held document', async () => {
      await rig.recordResult(uncertain, 'document');
      const { out } = await rig.run('resolve', first, '--document', '1', '068A');
      expect(out).toBe(`document 1 of ${first} is accepted as 068A.\n`);
      expect((await rig.run('status', '--json')).json.alarms).toEqual([]);
      const { attachments } = (await rig.run('show', first, '--json')).json;
      expect(attachments[0]).toMatchObject({ state: 'accepted', serviceId: '068A' });
      expect((await rig.run('resolve', first, '--document', '1')).err).toBe(
        `document 1 of ${first} is accepted as 068A. There is nothing to resolve.\n`,
      );
    });

    it('accepts a bank report without its id', async () => {
      await rig.recordResult(uncertain, 'bank-report');
      const { json } = await rig.run('resolve', '--bank-report=1', first, '--json');
      const expected = { reference: first, kind: 'bank-report', number: 1, state: 'accepted' };
      expect(json).toEqual({ ...expected, serviceId: null });
      expect((await rig.run('show', first)).out).not.toContain('assetReportId');
    });

    it('accepts a contact request', async () => {
      const request = { id: 'r2', applicationId: first, createdAt: rig.time.clock() };
      const [consent] = await rig.store.listConsents(first);
      await rig.store.addContactRequest(request, { ...consent!, id: 'c2' });
      await rig.recordResult(uncertain, 'contact');
      const { out } = await rig.run('resolve', first, '--contact', '1');
      expect(out).toBe(`contact request 1 of ${first} is accepted.\n`);
    });

    it.each([
      ['1', 'wrong-state', `document 1 of ${first} is not sent yet. There is nothing to resolve.`],
      ['2', 'not-found', `${first} has no document 2. Run "show ${first}".`],
    ])('refuses document %s as %s', async (number, error, message) => {
      const { code, err, json } = await rig.run('resolve', first, '--document', number, '--json');
      expect([code, json.error]).toEqual([1, error]);
      expect(err).toContain(message);
    });
  });
});
