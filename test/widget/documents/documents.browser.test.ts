import { expect } from '@open-wc/testing';
import { createConfiguration } from '../../support/configuration.ts';
import { fail, FakeFundingApi, heldDocument, ok } from '../../support/fake-funding-api.ts';
import {
  announcementOf,
  chooseCategory,
  chooseFiles,
  choosePdfs,
  createFile,
  mountDocuments,
  press,
  sendPdf,
  textOf,
  waitForHeading,
  waitForText,
} from '../../support/mount-widget.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** The `ftyp` box of a photo of an iPhone, which has no picture behind it. */
const heicBeginning = new Uint8Array([
  0,
  0,
  0,
  24,
  ...new TextEncoder().encode('ftypheic\0\0\0\0mif1heic'),
]);

/** Holds each document for changes. */
function createHoldingApi({ needsCategory = false } = {}): FakeFundingApi {
  const api = new FakeFundingApi();
  api.handleUpload = async ({ file: { name, size: bytes }, category }, number) => {
    const changeable = { needsCategory, heldSeconds: 600 };
    return ok({ ...heldDocument, number, name, bytes, category: category || 'other', changeable });
  };
  return api;
}

describe('the documents step', () => {
  it('shows the status of documents that another page sent', async () => {
    const sent = {
      category: 'drivers-license',
      bytes: 9,
      delayed: false,
    } as const;
    const mounted = await mountDocuments(new FakeFundingApi(), [
      { ...sent, number: 1, status: 'delivered' },
      { ...sent, number: 2, name: 'b.pdf', status: 'received' },
      { ...sent, number: 3, name: 'c.pdf', status: 'received', delayed: true },
    ]);
    const rows = [...mounted.root.querySelectorAll('.file')].map((row) => row.textContent ?? '');
    expect(rows[0]).to.match(/File 1\s[^]*Sent/);
    expect(rows[1]).to.match(/b\.pdf[^]*Received, sending to the lender/);
    expect(rows[2]).to.match(/c\.pdf[^]*Received, but not sent to the lender yet/);
  });

  it('shows documents that the virus scan blocked', async () => {
    const sent = { category: 'drivers-license', bytes: 9, delayed: false } as const;
    const mounted = await mountDocuments(new FakeFundingApi(), [
      { ...sent, number: 1, name: 'a.pdf', status: 'delivered' },
      {
        ...sent,
        number: 2,
        name: 'b.pdf',
        status: 'rejected',
        problem: 'document-infected',
      },
    ]);
    const rows = [...mounted.root.querySelectorAll('.file')].map((row) => row.textContent ?? '');
    expect(rows[0]).to.match(/a\.pdf[^]*Sent/);
    expect(rows[1]).to.match(/b\.pdf[^]*Blocked by our virus scan/);
  });

  it('gives the reason for unusable files', async () => {
    const mounted = await mountDocuments();
    await chooseFiles(mounted, [
      new File([heicBeginning], 'photo.heic', { type: 'image/heic' }),
      createFile('moving.gif', 'image/gif'),
      createFile('empty.pdf', 'application/pdf', 0),
      createFile('large.pdf', 'application/pdf', 2000),
    ]);
    await waitForText(mounted, 'HEIC');
    const text = textOf(mounted);
    expect(text).to.include('This browser can’t open iPhone photos (HEIC).');
    expect(text).to.include('We can’t accept this type of file. Use PDF, JPG, or PNG.');
    expect(text).to.include('This file is empty. Choose another one.');
    expect(text).to.include('Choose a file of up to 1 KB');
    expect(mounted.api.uploads.length).to.equal(0);
  });

  it('uploads a file at once, and sends its category when it is chosen', async () => {
    const mounted = await mountDocuments(createHoldingApi({ needsCategory: true }));
    await choosePdfs(mounted, 'march.pdf');
    await waitForText(mounted, 'Uploaded, not sent yet');
    expect(mounted.api.uploads[0]?.category).to.equal('');
    expect(textOf(mounted)).to.include('the lender gets it as “other” after 10 minutes');
    await chooseCategory(mounted, 'march.pdf', 'bank-statements-jan');
    await waitUntil(() => !textOf(mounted).includes('after 10 minutes'));
    expect(mounted.api.changes).to.deep.equal([[1, 'bank-statements-jan']]);
    expect(mounted.root.querySelector('select')?.value).to.equal('bank-statements-jan');
  });

  it('says that a document is sent to the lender only when it is', async () => {
    const mounted = await mountDocuments(createHoldingApi());
    await choosePdfs(mounted, 'DL front.pdf');
    await waitForText(mounted, 'Uploaded, not sent yet');
    expect(textOf(mounted)).to.include('0 of 1 sent to the lender');
    expect(announcementOf(mounted)).to.include('not sent to the lender yet');
  });

  it('removes a document by Undo', async () => {
    const mounted = await mountDocuments(createHoldingApi());
    await choosePdfs(mounted, 'DL front.pdf', 'DL back.pdf');
    await waitUntil(() => mounted.root.querySelectorAll('[aria-label^="Undo"]').length === 2);
    await press(mounted, 'Undo: remove DL front.pdf');
    await waitUntil(() => mounted.root.activeElement?.textContent === 'DL back.pdf');
    expect(mounted.api.removals).to.deep.equal([1]);
    expect(textOf(mounted)).to.not.include('DL front.pdf');
    expect(announcementOf(mounted)).to.include('DL front.pdf: removed');
  });

  it('says that Undo came too late', async () => {
    const mounted = await mountDocuments(createHoldingApi());
    mounted.api.handleRemoval = async () => fail('document-sent');
    await choosePdfs(mounted, 'DL front.pdf');
    await waitUntil(() => mounted.root.querySelector('[aria-label^="Undo"]'));
    await press(mounted, 'Undo: remove DL front.pdf');
    await waitForText(mounted, 'This file is on its way to the lender');
    expect(textOf(mounted)).to.not.include('Undo');
  });

  it('lets the applicant cancel an upload', async () => {
    const mounted = await mountDocuments();
    mounted.api.holdUploadsUntilAborted(0.4);
    await choosePdfs(mounted, 'march.pdf');
    await waitForText(mounted, 'Uploading, 40%');
    await press(mounted, 'Cancel the upload of march.pdf');
    await waitUntil(() => !textOf(mounted).includes('march.pdf'));
    expect(mounted.api.uploads[0]?.signal.aborted).to.equal(true);
  });

  it('does not remove a file by the second click of a double-click', async () => {
    const mounted = await mountDocuments(createHoldingApi());
    await choosePdfs(mounted, 'a.pdf');
    await waitUntil(() => mounted.root.querySelector('[aria-label="Undo: remove a.pdf"]'));
    const undo = mounted.root.querySelector('[aria-label="Undo: remove a.pdf"]');
    undo?.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 }));
    await mounted.element.updateComplete;
    expect(textOf(mounted)).to.include('a.pdf');
  });

  it('offers Undo after the BFF has the whole file', async () => {
    const mounted = await mountDocuments();
    mounted.api.handleUpload = ({ onProgress }) => {
      onProgress(1);
      return new Promise(() => undefined);
    };
    await choosePdfs(mounted, 'a.pdf');
    await waitForText(mounted, 'Finishing…');
    expect(textOf(mounted)).to.include('Undo').and.not.include('Cancel the');
  });

  it('warns of unsent files before it is left', async () => {
    const mounted = await mountDocuments();
    mounted.api.handleUpload = () => new Promise(() => undefined);
    await choosePdfs(mounted, 'a.pdf');
    await press(mounted, /^\s*Continue/);
    expect(textOf(mounted)).to.include('Some files haven’t been uploaded');
    await press(mounted, /^\s*Continue/);
    await waitForHeading(mounted, 'Connect your bank account');
  });

  it('announces why a file was not sent', async () => {
    const mounted = await mountDocuments();
    mounted.api.handleUpload = async () => fail('network');
    await sendPdf(mounted, 'a.pdf', 'drivers-license');
    await waitUntil(() =>
      announcementOf(mounted).includes('a.pdf: not sent. We couldn’t reach our server'),
    );
  });

  it('allows another file after one is removed', async () => {
    const mounted = await mountDocuments(createHoldingApi());
    const names = ['a.pdf', 'b.pdf', 'c.pdf', 'd.pdf', 'e.pdf'];
    await choosePdfs(mounted, ...names);
    expect(textOf(mounted)).to.include('You can send up to 4 files.');
    await waitUntil(() => mounted.api.uploads.length === 4);
    await press(mounted, 'Undo: remove a.pdf');
    await waitUntil(() => mounted.api.uploads.length === 5);
    expect(textOf(mounted)).to.not.include('You can send up to 4 files.');
  });

  it('shows the limit of the total size', async () => {
    const api = new FakeFundingApi();
    const configuration = createConfiguration();
    const documents = { ...configuration.documents, maxBytes: 204_800, maxTotalBytes: 307_200 };
    api.configuration = ok({ ...configuration, documents });
    const mounted = await mountDocuments(api);
    expect(textOf(mounted)).to.include('Up to 4 files, 0.2 MB each and 0.3 MB in total.');
    await chooseFiles(
      mounted,
      ['a.pdf', 'b.pdf'].map((name) => createFile(name, 'application/pdf', 160_000)),
    );
    expect(textOf(mounted)).to.include('You can send up to 0.3 MB in total');
    expect(mounted.api.uploads).to.have.lengthOf(1);
  });

  it('shows a long rate limit without Retry', async () => {
    const mounted = await mountDocuments();
    mounted.api.handleUpload = async () => ({
      ...fail('too-many-requests'),
      retryAfterMs: 2_370_000,
    });
    await sendPdf(mounted, 'a.pdf', 'drivers-license');
    await waitForText(mounted, 'Try again in about 40 minutes.');
    expect(textOf(mounted)).to.not.include('Retry');
    expect(textOf(mounted)).to.include('Remove');
    expect(announcementOf(mounted)).to.include('40 minutes');
  });

  it('uploads two files at a time', async () => {
    const mounted = await mountDocuments();
    mounted.api.handleUpload = () => new Promise(() => undefined);
    await choosePdfs(mounted, 'a.pdf', 'b.pdf', 'c.pdf');
    await waitUntil(() => mounted.api.uploads.length === 2);
    expect(mounted.api.uploads.length).to.equal(2);
  });

  it('gives the reason for a file that the BFF rejected', async () => {
    const mounted = await mountDocuments();
    mounted.api.handleUpload = async () => fail('document-type-mismatch');
    await sendPdf(mounted, 'march.pdf', 'bank-statements-jan');
    await waitForText(mounted, 'in the format its name says');
    expect(textOf(mounted)).to.not.include('Retry');
  });
});

describe('a document that the funding service rejected', () => {
  it('can be sent with another category', async () => {
    const mounted = await mountDocuments();
    const handleUpload = mounted.api.handleUpload;
    mounted.api.handleUpload = async () => fail('document-rejected');
    await sendPdf(mounted, 'march.pdf', 'bank-statements-jan');
    await waitForText(mounted, 'couldn’t accept this file');
    mounted.api.handleUpload = handleUpload;
    await chooseCategory(mounted, 'march.pdf', 'drivers-license');
    expect(textOf(mounted)).to.not.include('couldn’t accept this file');
    await waitForText(mounted, '1 of 1 sent to the lender');
    expect(mounted.api.uploads.at(-1)?.category).to.equal('drivers-license');
  });
});
