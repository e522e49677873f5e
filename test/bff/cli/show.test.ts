// `show`: one application without personal data.

import { beforeEach, describe, expect, it } from 'vitest';
import { createEncryption } from '../../../bff/store/encryption.ts';
import { strongKey } from '../config/config-source.ts';
import { accepted, createCliRig, first, held, unknown, waiting, type CliRig } from './cli-rig.ts';

describe('show', () => {
  let rig: CliRig;

  beforeEach(async () => {
    rig = await createCliRig();
    await rig.add();
  });

  const read = async (...options: string[]) =>
    (await rig.run('show', first, ...options, '--json')).json;
  const print = async (...options: string[]) => (await rig.run('show', first, ...options)).out;

  it('shows the state of the delivery', async () => {
    await rig.recordResult({ ...waiting, isUncertain: true, outcome: 'unknown' });
    rig.time.advance(3_600_000);
    const out = await print();
    for (const line of [
      'state          waiting',
      'received       2026-11-20T10:00:00Z (1 h 0 min ago)',
      'attempts       1, 1 of them uncertain',
      'last outcome   unknown',
      'data key       1',
      `  terms  2026-11  2026-11-20T10:00:00Z\n    SHA-256 ${'ab'.repeat(32)}`,
      'Contact requests\n  none',
    ]) {
      expect(out).toContain(`${line}\n`);
    }
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(await read()).toMatchObject({
      reference: first,
      shortReference: '000-001',
      state: 'waiting',
      receivedAt: '2026-11-20T10:00:00.000Z',
      attempts: 1,
      uncertainAttempts: 1,
      lastOutcome: 'unknown',
      heldReason: null,
      applicationId: null,
      dataKeyId: '1',
      erasedAt: null,
      consents: [consent],
    });
  });

  const consent = {
    id: 'terms',
    version: '2026-11',
    locale: 'en',
    givenAt: '2026-11-20T10:00:00.000Z',
    textSha256: 'ab'.repeat(32),
  };

  it('shows the exact consent texts with --consents, also of an erased application', async () => {
    await rig.store.erase(first);
    const line = '-'.repeat(80);
    expect(await print('--consents')).toBe(
      `Application ${first} (000-001)

consent   terms
version   2026-11
language  en
given     2026-11-20T10:00:00.000Z
SHA-256   ${'ab'.repeat(32)}
${line}
I agree.
${line}
`,
    );
    expect(await read('--consents')).toEqual({
      reference: first,
      shortReference: '000-001',
      consents: [{ ...consent, text: 'I agree.' }],
    });
    expect((await rig.run('show', unknown, '--consents')).code).toBe(1);
  });

  it('does not show the tracking URL', async () => {
    const { id, key } = (await rig.store.findApplication(first))!;
    const dataKeys = { keys: { 1: strongKey(1) }, currentId: '1' };
    const cipher = createEncryption(dataKeys).unwrapKey(id, key);
    const address = 'https://canary-tracking.example/x';
    const encryptedTrackingUrl = cipher.encrypt('trackingUrl', id, address);
    await rig.recordResult({ ...accepted, encryptedTrackingUrl });
    expect(await print()).toContain('ApplicationID  006A\n');
    expect(JSON.stringify(await read())).not.toContain('racking');
  });

  it('marks a document that may have been delivered twice', async () => {
    await rig.recordResult(accepted);
    await rig.addAttachment('d1');
    await rig.recordResult({ ...waiting, isUncertain: true }, 'document');
    rig.time.advance(60_000);
    await rig.recordResult({ state: 'accepted', serviceId: '069D' }, 'document');
    await rig.addAttachment('d2');
    await rig.recordResult({ ...held, reason: 'uncertain', isUncertain: true }, 'document');
    await rig.addAttachment('r1', 'bank-report');
    const out = await print();
    for (const text of [
      '1  bank-statements-jan  14 bytes  accepted\n     received 2026-11-20T10:00:00Z (1 min ago)\n',
      'DocumentId 069D\n     possible duplicate: an earlier copy may have',
      '2  bank-statements-jan  14 bytes  held: uncertain\n',
      'Bank reports\n  1  14 bytes  received\n',
    ]) {
      expect(out).toContain(text);
    }
    expect(out.match(/possible duplicate/g)).toHaveLength(1);
    expect(out.match(/finished .*/g)).toEqual([
      'finished       2026-11-20T10:00:00Z (1 min ago)',
      'finished 2026-11-20T10:01:00Z (0 s ago)',
    ]);
    const { applicationId, attachments } = await read();
    expect(applicationId).toBe('006A');
    expect(attachments).toMatchObject([
      {
        kind: 'document',
        number: 1,
        category: 'bank-statements-jan',
        bytes: 14,
        state: 'accepted',
        attempts: 2,
        uncertainAttempts: 1,
        serviceId: '069D',
        isPossibleDuplicate: true,
      },
      { number: 2, isPossibleDuplicate: false },
      { kind: 'bank-report', category: null },
    ]);
  });

  it('shows no service id of a contact request', async () => {
    await rig.recordResult(accepted);
    const [given] = await rig.store.listConsents(first);
    const request = { id: 'w1', applicationId: first, createdAt: rig.time.clock() };
    await rig.store.addContactRequest(request, { ...given!, id: 'c2' });
    await rig.recordResult({ state: 'accepted', serviceId: '' }, 'contact');
    const out = await print();
    expect(out.slice(out.indexOf('Contact requests')).trim().split('\n')).toEqual([
      'Contact requests',
      '  1  accepted',
      '     received 2026-11-20T10:00:00Z (0 s ago)',
      '     attempts 1',
      '     last outcome accepted',
      '     finished 2026-11-20T10:00:00Z (0 s ago)',
    ]);
    expect((await read()).attachments[0].serviceId).toBeNull();
  });

  it('shows the rejected fields', async () => {
    const errors = [{ pointer: '/owner/ssn', code: 'rejected' }] as const;
    await rig.recordResult({ state: 'rejected', errors });
    expect(await print()).toContain('rejected field  /owner/ssn (rejected)');
    expect((await read()).rejectedFields).toEqual(errors);
  });

  it('shows an erased application', async () => {
    await rig.recordResult(accepted);
    await rig.addAttachment('d1');
    await rig.recordResult({ ...held, reason: 'uncertain' }, 'document');
    await rig.store.erase(first);
    const out = await print();
    expect(out).toContain('erased         2026-11-20T10:00:00Z (0 s ago)');
    expect(out).toContain('1  bank-statements-jan  14 bytes  erased\n');
  });

  it('reports an unreadable row', async () => {
    const findApplication = () => Promise.reject(new SyntaxError('sandbox-password'));
    const { code, json } = await rig.runOn({ findApplication }, 'show', first, '--json');
    expect([code, json.error]).toEqual([1, 'unreadable']);
  });
});
