import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openSandbox, toFile } from './sandbox-client.ts';

/** Copied from the spec, "Allowed document categories", with the name of the aggregator in its place. */
const categories =
  "Bank Statements - Jan; Bank Statements - Feb; Bank Statements - Mar; Bank Statements - Apr; Bank Statements - May; Bank Statements - Jun; Bank Statements - Jul; Bank Statements - Aug; Bank Statements - Sept; Bank Statements - Oct; Bank Statements - Nov; Bank Statements - Dec; Signed Application; Driver's License; Voided Check; Proof of Citizenship; Bank Statements; Month to Date Bank Statement(s); Business Tax Return; Tax Return Extenstion; Year to Date Profit & Loss and Balance Sheet; Cuurent Aging AR and AP Report; WIP Report; Proof of Ownership; Operating Agreement; Purchase Agreement; EIN Letter; Utility Bill; Proof of Good Standing with the SOS; Tax Lien Payment Plan; Documentation on UCC Filing(s); Zero Balance letter; Payoff Letter; Merchant Interview; Signed Contracts; Bank Verification -Moneta; Funding Call; Other; PSF; Bank Letter".split(
    '; ',
  );

describe('upload file', () => {
  it('answers all four fields and keeps the bytes', async () => {
    const client = await openSandbox();
    const leadId = await client.openApplication();

    const { status, body } = await client.upload({ leadId, file: toFile() });

    expect(status).toBe(200);
    expect(body).toEqual({
      IsSuccessful: true,
      ResponseMessage: 'File uploaded successfully.',
      DocumentId: expect.stringMatching(/^069[A-Za-z0-9]{15}$/),
      ReferenceID: leadId,
    });
    const [document] = (await client.look('/documents')).body.documents;
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

  it('takes each of the 40 categories, the aggregator’s name in its slot', async () => {
    const client = await openSandbox({ aggregatorName: 'Moneta' });
    const leadId = await client.openApplication();
    expect(categories).toHaveLength(40);
    for (const category of categories) {
      const { body } = await client.upload({ leadId, file: toFile({ category }) });
      expect([category, body.IsSuccessful]).toEqual([category, true]);
    }
  });

  it.each(['other', 'Tax Return Extension', 'Bank Verification -Moneta', ' Other'])(
    'refuses the category “%s”',
    async (category) => {
      const client = await openSandbox();
      const leadId = await client.openApplication();
      const { body } = await client.upload({ leadId, file: toFile({ category }) });
      expect(body.ResponseMessage).toBe('Error: Category is not allowed');
    },
  );

  it.each([
    ['leadId', { file: toFile() }],
    ['file', { leadId: 'x' }],
    ['file', { leadId: 'x', file: null }],
    ['name', { leadId: 'x', file: {} }],
    ['name', { leadId: 'x', file: toFile({ name: '' }) }],
    ['ext', { leadId: 'x', file: toFile({ ext: null }) }],
    ['file', { leadId: 'x', file: toFile({ file: '' }) }],
    ['category', { leadId: 'x', file: toFile({ category: undefined }) }],
  ])('names %s when it is missing', async (name, body) => {
    const reply = await (await openSandbox()).upload(body);
    expect(reply.body.ResponseMessage).toBe(`Error: Missing required field: ${name}`);
  });

  it('keeps nothing of a refused file', async () => {
    const client = await openSandbox();
    const leadId = await client.openApplication();
    await client.upload({ leadId, file: toFile({ file: '!' }) });
    expect((await client.look('/documents')).body.documents).toEqual([]);
  });

  it('takes 30 MB and gives the same bytes back', { timeout: 30_000 }, async () => {
    const client = await openSandbox();
    const leadId = await client.openApplication();
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
