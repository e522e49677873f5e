import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { decodeStrictBase64 } from '../../sandbox/upload-file.ts';
import { createSandboxClient, toFile } from './sandbox-client.ts';

/** Copied from the spec, "Allowed document categories". The aggregator is named Moneta. */
const categories =
  "Bank Statements - Jan; Bank Statements - Feb; Bank Statements - Mar; Bank Statements - Apr; Bank Statements - May; Bank Statements - Jun; Bank Statements - Jul; Bank Statements - Aug; Bank Statements - Sept; Bank Statements - Oct; Bank Statements - Nov; Bank Statements - Dec; Signed Application; Driver's License; Voided Check; Proof of Citizenship; Bank Statements; Month to Date Bank Statement(s); Business Tax Return; Tax Return Extenstion; Year to Date Profit & Loss and Balance Sheet; Cuurent Aging AR and AP Report; WIP Report; Proof of Ownership; Operating Agreement; Purchase Agreement; EIN Letter; Utility Bill; Proof of Good Standing with the SOS; Tax Lien Payment Plan; Documentation on UCC Filing(s); Zero Balance letter; Payoff Letter; Merchant Interview; Signed Contracts; Bank Verification -Moneta; Funding Call; Other; PSF; Bank Letter".split(
    '; ',
  );

describe('Upload File', () => {
  it('returns all four response fields for a stored document', async () => {
    const client = await createSandboxClient();
    const leadId = await client.submitApplication();

    const { status, body } = await client.upload({ leadId, file: toFile() });

    expect(status).toBe(200);
    expect(body).toEqual({
      IsSuccessful: true,
      ResponseMessage: 'File uploaded successfully.',
      DocumentId: expect.stringMatching(/^069[A-Za-z0-9]{15}$/),
      ReferenceID: leadId,
    });
    const [document] = (await client.getControl('/documents')).body.documents;
    expect(document).toMatchObject({
      documentId: body.DocumentId,
      applicationId: leadId,
      name: 'statement',
      ext: 'pdf',
      category: 'Other',
      bytes: 5,
      sha256: createHash('sha256').update('Hello').digest('hex'),
    });
    expect(document).not.toHaveProperty('content');
  });

  it('accepts all 40 categories, including the aggregator’s name', async () => {
    const client = await createSandboxClient({ aggregatorName: 'Moneta' });
    const leadId = await client.submitApplication();
    expect(categories).toHaveLength(40);
    for (const category of categories) {
      const { body } = await client.upload({ leadId, file: toFile({ category }) });
      expect([category, body.IsSuccessful]).toEqual([category, true]);
    }
  });

  it.each(['other', 'Tax Return Extension', 'Bank Verification -Moneta', ' Other'])(
    'rejects the category “%s”',
    async (category) => {
      const client = await createSandboxClient();
      const leadId = await client.submitApplication();
      const { body } = await client.upload({ leadId, file: toFile({ category }) });
      expect(body.ResponseMessage).toBe('Error: Category is not allowed');
    },
  );

  it.each([
    ['file', { leadId: 'x', file: null }],
    ['name', { leadId: 'x', file: toFile({ name: '' }) }],
    ['ext', { leadId: 'x', file: toFile({ ext: null }) }],
    ['file', { leadId: 'x', file: toFile({ file: '' }) }],
  ])('names %s if it is null or empty', async (name, body) => {
    const reply = await (await createSandboxClient()).upload(body);
    expect(reply.body.ResponseMessage).toBe(`Error: Missing required field: ${name}`);
  });

  it('does not store a rejected file', async () => {
    const client = await createSandboxClient();
    const leadId = await client.submitApplication();
    await client.upload({ leadId, file: toFile({ file: '!' }) });
    expect((await client.getControl('/documents')).body.documents).toEqual([]);
  });

  it('stores a file of 30 MB unchanged', async () => {
    const client = await createSandboxClient();
    const leadId = await client.submitApplication();
    const content = randomBytes(30_000_001);

    const { body } = await client.upload({
      leadId,
      file: toFile({ file: content.toString('base64') }),
    });

    const response = await client.app.request(`/_sandbox/documents/${body.DocumentId}/content`);
    expect(response.headers.get('Content-Disposition')).toBe('attachment');
    expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true);
  });
});

describe('decodeStrictBase64', () => {
  it.each([
    ['', ''],
    ['f', 'Zg=='],
    ['fo', 'Zm8='],
    ['foo', 'Zm9v'],
    ['foobar', 'Zm9vYmFy'],
  ])('decodes the RFC 4648 test vector of “%s”', (plain, text) => {
    expect(Buffer.from(decodeStrictBase64(text)!).toString()).toBe(plain);
  });

  it('decodes every byte value', () => {
    const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    expect(decodeStrictBase64(all.toString('base64'))).toEqual(all);
  });

  it.each([
    ['no padding', 'Zg'],
    ['too little padding', 'Zg='],
    ['too much padding', 'Zm8=='],
    ['padding only', '===='],
    ['padding of three', 'Z==='],
    ['padding in the middle', 'Zg==Zg=='],
    ['one extra character', 'Zm9vY'],
    ['a line break', 'Zm9v\nYmFy'],
    ['a line break that fills a quantum', 'Zm9v\r\n\r\n'],
    ['a space', 'Zm9v YmF'],
    ['the URL alphabet', 'Zm-_'],
    ['a letter of another alphabet', 'Zm9é'],
    ['spare bits before ==', 'Zh=='],
    ['spare bits before =', 'Zm9='],
    ['a data URL', 'data:text/plain;base64,Zm9v'],
  ])('rejects %s', (_, text) => {
    expect(decodeStrictBase64(text)).toBeUndefined();
  });
});
