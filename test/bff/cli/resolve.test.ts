// `resolve`: an ApplicationID is recorded only once the service has proved it.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, createCliRig, first, held, second, waiting, type CliRig } from './cli-rig.ts';

describe('resolve', () => {
  let rig: CliRig;

  beforeEach(async () => {
    rig = await createCliRig();
    await rig.add();
  });

  afterEach(() => rig.store.close());

  it.each([
    ['unconfirmed', { state: 'unconfirmed' }],
    ['held', held],
    ['waiting', waiting],
  ] as const)('records what the service confirms of one that is %s', async (_name, result) => {
    const applicationId = await rig.fileLead(first);
    await rig.recordResult(result);
    await rig.addAttachment('d1');
    const { code, out } = await rig.run('resolve', first, ` ${applicationId} `);
    expect(out).toContain(`${first} is accepted as ${applicationId}.\n`);
    expect(code).toBe(0);
    const row = await rig.store.findApplication(first);
    expect(row).toMatchObject({ state: 'accepted', serviceId: applicationId });
    expect(row?.encryptedLead).toBeUndefined();
    expect((await rig.claim('document')).application.serviceId).toBe(applicationId);
  });

  it('answers programs too', async () => {
    const applicationId = await rig.fileLead(first);
    await rig.recordResult({ state: 'unconfirmed' });
    const { json } = await rig.run('resolve', first, applicationId, '--json');
    expect(json).toEqual({ reference: first, applicationId, state: 'accepted' });
  });

  it.each([
    ['of somebody else’s lead', () => rig.fileLead(second)],
    ['that the service does not know', async () => '0060000000000000AA'],
  ])('refuses an ApplicationID %s', async (_name, toId) => {
    await rig.recordResult({ state: 'unconfirmed' });
    const applicationId = await toId();
    const { code, err, json } = await rig.run('resolve', first, applicationId, '--json');
    expect(code).toBe(1);
    expect(json.error).toBe('refuted');
    expect(err).toBe(
      `${applicationId} does not belong to ${first}, says the funding service. Nothing was changed.\n`,
    );
    expect((await rig.store.findApplication(first))?.state).toBe('unconfirmed');
  });

  it('changes nothing while the service does not answer', async () => {
    await rig.recordResult({ state: 'unconfirmed' });
    rig.networkFault = { kind: 'not-sent', failure: 'ECONNREFUSED' };
    const { code, err, json } = await rig.run('resolve', first, '006A', '--json');
    expect(code).toBe(1);
    expect(json.error).toBe('unanswered');
    expect(err).toBe(
      'The funding service could not be asked, so nothing was changed. ' +
        'Look at FUNDING_AUTH_URL and FUNDING_BASE_URL, and whether it can be reached. Try again.\n',
    );
    expect((await rig.store.findApplication(first))?.state).toBe('unconfirmed');
  });

  it('names the settings to look at when the login is refused', async () => {
    await rig.recordResult({ state: 'unconfirmed' });
    rig.variables['FUNDING_CLIENT_SECRET'] = 'wrong';
    const { code, err } = await rig.run('resolve', first, '006A');
    expect(code).toBe(1);
    expect(err).toContain('Look at FUNDING_CLIENT_SECRET');
  });

  it.each([
    ['received and not tried yet', async () => undefined],
    ['being sent just now', async () => void (await rig.claim())],
    ['accepted as 006A', () => rig.recordResult(accepted)],
    ['rejected', () => rig.recordResult({ state: 'rejected', errors: [] })],
    ['erased', async () => void (await rig.store.erase(first))],
  ])('says of one in another state that it is %s, and asks nobody', async (words, prepare) => {
    await prepare();
    rig.networkFault = { kind: 'interrupted', failure: 'NOT_EXPECTED' };
    const { code, err, json } = await rig.run('resolve', first, '006A', '--json');
    expect(code).toBe(1);
    expect(json.error).toBe('wrong-state');
    expect(err).toContain(`${first} is ${words}, so there is nothing to resolve.`);
  });

  it('says so when the state has changed while the service was asked', async () => {
    const applicationId = await rig.fileLead(first);
    await rig.recordResult({ state: 'unconfirmed' });
    const resolve = async () => {
      await rig.store.erase(first);
      return false;
    };
    const openStore = async () => ({ ...rig.store, resolve, close: async () => undefined });
    const { code, err } = await rig.runWith({ openStore }, 'resolve', first, applicationId);
    expect(code).toBe(1);
    expect(err).toContain(`${first} is erased, so there is nothing to resolve.`);
  });
});
