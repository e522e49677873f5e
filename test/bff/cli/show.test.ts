// `show`: one application without personal data.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEncryption } from '../../../bff/store/encryption.ts';
import { strongKey } from '../config/config-source.ts';
import { accepted, createCliRig, first, held, unknown, waiting, type CliRig } from './cli-rig.ts';

describe('show', () => {
  let rig: CliRig;

  beforeEach(async () => {
    rig = await createCliRig();
    await rig.add();
  });

  afterEach(() => rig.store.close());

  it('shows the state of the delivery', async () => {
    await rig.recordResult({ ...waiting, isUncertain: true, outcome: 'unknown' });
    rig.time.advance(3_600_000);
    const { code, out } = await rig.run('show', first);
    expect(code).toBe(0);
    expect(out).toContain('state          waiting\n');
    expect(out).toContain('received       2026-11-20T10:00:00Z (1 h 0 min ago)\n');
    expect(out).toContain('attempts       1, 1 of them uncertain\n');
    expect(out).toContain('last outcome   unknown\n');
    expect(out).toContain('data key       1\n');
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect((await rig.run('show', first, '--json')).json).toMatchObject({
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
    });
  });

  it('shows the consents with the hashes of their texts', async () => {
    const hash = 'ab'.repeat(32);
    const { json } = await rig.run('show', first, '--json');
    expect(json.consents).toEqual([
      {
        id: 'terms',
        version: '2026-11',
        locale: 'en',
        givenAt: '2026-11-20T10:00:00.000Z',
        textSha256: hash,
      },
    ]);
    expect((await rig.run('show', first)).out).toContain(
      `terms  2026-11  2026-11-20T10:00:00Z\n    SHA-256 ${hash}`,
    );
  });

  it('shows the exact consent texts with --consents', async () => {
    const { code, out } = await rig.run('show', first, '--consents');
    expect(code).toBe(0);
    const line = '-'.repeat(80);
    expect(out).toBe(
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
    expect((await rig.run('show', first, '--consents', '--json')).json).toEqual({
      reference: first,
      shortReference: '000-001',
      consents: [
        {
          id: 'terms',
          version: '2026-11',
          locale: 'en',
          givenAt: '2026-11-20T10:00:00.000Z',
          textSha256: 'ab'.repeat(32),
          text: 'I agree.',
        },
      ],
    });
    expect((await rig.run('show', unknown, '--consents')).code).toBe(1);
  });

  it('shows consent texts after the application is erased', async () => {
    await rig.store.erase(first);
    expect((await rig.run('show', first, '--consents')).out).toContain('\nI agree.\n');
  });

  it('does not show the tracking URL', async () => {
    const { id, key } = (await rig.store.findApplication(first))!;
    const dataKeys = { keys: { 1: strongKey(1) }, currentId: '1' };
    const cipher = createEncryption(dataKeys).unwrapKey(id, key);
    const address = 'https://canary-tracking.example/x';
    await rig.recordResult({
      ...accepted,
      encryptedTrackingUrl: cipher.encrypt('trackingUrl', id, address),
    });
    expect((await rig.run('show', first)).out).toContain('ApplicationID  006A\n');
    expect(JSON.stringify((await rig.run('show', first, '--json')).json)).not.toContain('racking');
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
    const { out } = await rig.run('show', first);
    expect(out).toContain(
      '1  bank-statements-jan  14 bytes  accepted\n     received 2026-11-20T10:00:00Z (1 min ago)\n',
    );
    expect(out.match(/finished .*/g)).toEqual([
      'finished       2026-11-20T10:00:00Z (1 min ago)',
      'finished 2026-11-20T10:01:00Z (0 s ago)',
    ]);
    expect(out).toContain('DocumentId 069D\n     possible duplicate: an earlier copy may have');
    expect(out).toContain('2  bank-statements-jan  14 bytes  held: uncertain\n');
    expect(out).toContain('Bank reports\n  1  14 bytes  received\n');
    expect(out).toContain('Contact requests\n  none');
    expect(out.match(/possible duplicate/g)).toHaveLength(1);
    const { json } = await rig.run('show', first, '--json');
    expect(json.applicationId).toBe('006A');
    expect(json.attachments).toHaveLength(3);
    expect(json.attachments[0]).toMatchObject({
      kind: 'document',
      number: 1,
      category: 'bank-statements-jan',
      bytes: 14,
      state: 'accepted',
      attempts: 2,
      uncertainAttempts: 1,
      serviceId: '069D',
      isPossibleDuplicate: true,
    });
    expect(json.attachments[1].isPossibleDuplicate).toBe(false);
    expect(json.attachments[2].category).toBeNull();
  });

  it('shows no service id of a contact request', async () => {
    await rig.recordResult(accepted);
    const consent = {
      id: 'c2',
      applicationId: first,
      consentId: 'contact',
      version: '2026-11',
      text: 'Call me.',
      textHash: 'cd'.repeat(32),
      locale: 'en',
      givenAt: rig.time.clock(),
      encryptedAddress: undefined,
    };
    const request = { id: 'w1', applicationId: first, createdAt: rig.time.clock() };
    await rig.store.addContactRequest(request, consent);
    await rig.recordResult({ state: 'accepted', serviceId: '' }, 'contact');
    const { out } = await rig.run('show', first);
    const lines = out.slice(out.indexOf('Contact requests')).trim().split('\n');
    expect(lines).toEqual([
      'Contact requests',
      '  1  accepted',
      '     received 2026-11-20T10:00:00Z (0 s ago)',
      '     attempts 1',
      '     last outcome accepted',
      '     finished 2026-11-20T10:00:00Z (0 s ago)',
    ]);
    expect((await rig.run('show', first, '--json')).json.attachments[0].serviceId).toBeNull();
  });

  it('shows the rejected fields', async () => {
    const errors = [{ pointer: '/owner/ssn', code: 'rejected' }] as const;
    await rig.recordResult({ state: 'rejected', errors });
    expect((await rig.run('show', first)).out).toContain('rejected field  /owner/ssn (rejected)');
    expect((await rig.run('show', first, '--json')).json.rejectedFields).toEqual(errors);
  });

  it('shows an erased application', async () => {
    await rig.recordResult(accepted);
    await rig.addAttachment('d1');
    await rig.recordResult({ ...held, reason: 'uncertain' }, 'document');
    await rig.store.erase(first);
    const { out, code } = await rig.run('show', first);
    expect(code).toBe(0);
    expect(out).toContain('erased         2026-11-20T10:00:00Z (0 s ago)');
    expect(out).toContain('1  bank-statements-jan  14 bytes  erased\n');
  });

  it('reports an unreadable row', async () => {
    const findApplication = () => Promise.reject(new SyntaxError('sandbox-password'));
    const openStore = async () => ({ ...rig.store, findApplication, close: async () => {} });
    const { code, json } = await rig.runWith({ openStore }, 'show', first, '--json');
    expect(code).toBe(1);
    expect(json.error).toBe('unreadable');
  });
});
