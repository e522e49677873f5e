import { expect, waitUntil } from '@open-wc/testing';
import { createConfiguration } from '../../support/configuration.ts';
import { fail, FakeFundingApi, ok } from '../../support/fake-funding-api.ts';
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
} from '../../support/mount-widget.ts';

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
      createFile('photo.heic', 'image/heic'),
      createFile('moving.gif', 'image/gif'),
      createFile('empty.pdf', 'application/pdf', 0),
      createFile('large.pdf', 'application/pdf', 2000),
    ]);
    const text = textOf(mounted);
    expect(text).to.include('We can’t accept HEIC photos. Save the photo as a JPG');
    expect(text).to.include('We can’t accept this type of file. Use PDF, JPG, or PNG.');
    expect(text).to.include('This file is empty. Choose another one.');
    expect(text).to.include('Choose a file of up to 1 KB');
    expect(mounted.api.uploads.length).to.equal(0);
  });

  it('focuses the first missing category', async () => {
    const mounted = await mountDocuments();
    await choosePdfs(mounted, 'march.pdf');
    await press(mounted, 'Send 1 file');
    await waitUntil(() => mounted.root.activeElement?.id.startsWith('document-category'));
    expect(textOf(mounted)).to.include('Error: Choose what kind of document march.pdf is');
    expect(mounted.api.uploads.length).to.equal(0);
  });

  it('sends documents with their category', async () => {
    const mounted = await mountDocuments();
    await sendPdf(mounted, 'march.pdf', 'bank-statements-jan');
    await waitUntil(() => textOf(mounted).includes('1 of 1 sent'));
    expect(mounted.api.uploads).to.have.lengthOf(1);
    expect(mounted.api.uploads[0]?.file.name).to.equal('march.pdf');
    expect(mounted.api.uploads[0]?.category).to.equal('bank-statements-jan');
    expect(textOf(mounted)).to.include('Bank statement, January');
    expect(announcementOf(mounted)).to.include('march.pdf: sent');
  });

  it('lets the applicant cancel, retry, or remove an upload', async () => {
    const mounted = await mountDocuments();
    mounted.api.handleUpload = ({ signal, onProgress }) =>
      new Promise((resolve) => {
        onProgress(0.4);
        signal.addEventListener('abort', () => resolve(fail('network')));
      });
    await sendPdf(mounted, 'march.pdf', 'bank-statements-jan');
    await waitUntil(() => textOf(mounted).includes('Uploading, 40%'));
    await press(mounted, 'Cancel sending march.pdf');
    await waitUntil(() => textOf(mounted).includes('Upload canceled. This file wasn’t sent.'));
    await press(mounted, 'Retry sending march.pdf');
    await waitUntil(() => mounted.api.uploads.length === 2);
    await press(mounted, 'Cancel sending march.pdf');
    await waitUntil(() => textOf(mounted).includes('Upload canceled'));
    await press(mounted, 'Remove march.pdf');
    expect(textOf(mounted)).to.not.include('march.pdf');
  });

  it('focuses the next file after one is removed', async () => {
    const mounted = await mountDocuments();
    await choosePdfs(mounted, 'a.pdf', 'b.pdf');
    await chooseCategory(mounted, 'a.pdf', 'drivers-license');
    await chooseCategory(mounted, 'a.pdf', 'bank-statements-jan');
    await chooseCategory(mounted, 'b.pdf', 'drivers-license');
    await press(mounted, 'Remove a.pdf');
    await waitUntil(() => mounted.root.activeElement?.textContent === 'b.pdf');
    expect(mounted.root.querySelector('select')?.value).to.equal('drivers-license');
    await press(mounted, 'Send 1 file');
    await waitUntil(() => mounted.api.uploads.length === 1);
    expect(mounted.api.uploads[0]?.category).to.equal('drivers-license');
  });

  it('does not remove a file by the second click of a double-click', async () => {
    const mounted = await mountDocuments();
    await choosePdfs(mounted, 'a.pdf');
    const remove = mounted.root.querySelector('[aria-label="Remove a.pdf"]');
    remove?.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 }));
    await mounted.element.updateComplete;
    expect(textOf(mounted)).to.include('a.pdf');
  });

  it('offers no Cancel after the BFF has the whole file', async () => {
    const mounted = await mountDocuments();
    mounted.api.handleUpload = ({ onProgress }) => {
      onProgress(1);
      return new Promise(() => undefined);
    };
    await sendPdf(mounted, 'a.pdf', 'drivers-license');
    await waitUntil(() => textOf(mounted).includes('Finishing…'));
    expect(textOf(mounted)).to.not.include('Cancel');
  });

  it('warns of unsent files before it is left', async () => {
    const mounted = await mountDocuments();
    await choosePdfs(mounted, 'a.pdf');
    await press(mounted, /^\s*Continue/);
    expect(textOf(mounted)).to.include('You have files that haven’t been sent');
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
    const mounted = await mountDocuments();
    const names = ['a.pdf', 'b.pdf', 'c.pdf', 'd.pdf', 'e.pdf'];
    await choosePdfs(mounted, ...names);
    expect(textOf(mounted)).to.include('You can send up to 4 files.');
    await press(mounted, 'Remove a.pdf');
    expect(textOf(mounted)).to.not.include('You can send up to 4 files.');
    expect(textOf(mounted)).to.include('Send 4 files');
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
    expect(textOf(mounted)).to.include('Send 1 file');
  });

  it('shows a long rate limit without Retry', async () => {
    const mounted = await mountDocuments();
    mounted.api.handleUpload = async () => ({
      ...fail('too-many-requests'),
      retryAfterMs: 2_370_000,
    });
    await sendPdf(mounted, 'a.pdf', 'drivers-license');
    await waitUntil(() => textOf(mounted).includes('Try again in about 40 minutes.'));
    expect(textOf(mounted)).to.not.include('Retry');
    expect(textOf(mounted)).to.include('Remove');
    expect(announcementOf(mounted)).to.include('40 minutes');
  });

  it('uploads two files at a time', async () => {
    const mounted = await mountDocuments();
    mounted.api.handleUpload = () => new Promise(() => undefined);
    await choosePdfs(mounted, 'a.pdf', 'b.pdf', 'c.pdf');
    for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) {
      await chooseCategory(mounted, name, 'drivers-license');
    }
    await press(mounted, 'Send 3 files');
    await waitUntil(() => mounted.api.uploads.length === 2);
    expect(mounted.api.uploads.length).to.equal(2);
  });

  it('gives the reason for a file that the BFF rejected', async () => {
    const mounted = await mountDocuments();
    mounted.api.handleUpload = async () => fail('document-type-mismatch');
    await sendPdf(mounted, 'march.pdf', 'bank-statements-jan');
    await waitUntil(() => textOf(mounted).includes('in the format its name says'));
    expect(textOf(mounted)).to.not.include('Retry');
  });
});

describe('a document that the funding service rejected', () => {
  it('can be sent with another category', async () => {
    const mounted = await mountDocuments();
    const handleUpload = mounted.api.handleUpload;
    mounted.api.handleUpload = async () => fail('document-rejected');
    await sendPdf(mounted, 'march.pdf', 'bank-statements-jan');
    await waitUntil(() => textOf(mounted).includes('couldn’t accept this file'));
    mounted.api.handleUpload = handleUpload;
    await chooseCategory(mounted, 'march.pdf', 'drivers-license');
    expect(textOf(mounted)).to.not.include('couldn’t accept this file');
    await press(mounted, 'Send 1 file');
    await waitUntil(() => textOf(mounted).includes('1 of 1 sent'));
    expect(mounted.api.uploads.at(-1)?.category).to.equal('drivers-license');
  });
});
