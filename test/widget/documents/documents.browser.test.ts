// The documents step: the rows of files, their sentences and buttons, the focus, and the limits.

import { expect } from '@open-wc/testing';
import type { DocumentStatus } from '../../../shared/api/attachments.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { fail, type FakeFundingApi, heldDocument, ok } from '../../support/fake-funding-api.ts';
import {
  createFile,
  forever,
  mountDocuments,
  type Mounted,
  setOnline,
} from '../../support/mount-widget.ts';
import { waitUntil } from '../../support/wait-until.ts';

const sent = { category: 'drivers-license', bytes: 9, delayed: false } as const;

/** The `ftyp` box of a photo of an iPhone, which has no picture behind it. */
const heicBeginning = new TextEncoder().encode('\0\0\0\u0018ftypheic\0\0\0\0mif1heic');

/** Holds each document for changes. */
const holdDocuments =
  ({ needsCategory = false } = {}): FakeFundingApi['handleUpload'] =>
  async ({ file: { name, size: bytes }, category }, number) => {
    const changeable = { needsCategory, heldSeconds: 600 };
    return ok({ ...heldDocument, number, name, bytes, category: category || 'other', changeable });
  };

/** The documents step after the applicant has chosen `DL front.pdf`, whose category is suggested. */
async function choose(handleUpload?: FakeFundingApi['handleUpload']): Promise<Mounted> {
  const mounted = await mountDocuments(handleUpload && { handleUpload });
  await mounted.choosePdfs('DL front.pdf');
  return mounted;
}

const choosePdfWith = (code: Parameters<typeof fail>[0], retryAfterMs?: number) =>
  choose(async () => ({ ...fail(code), ...(retryAfterMs && { retryAfterMs }) }));

const listButtons = (mounted: Mounted) => mounted.textsOf('[part~=file] button');

describe('the row of a document', () => {
  it('shows the status of documents that another page sent', async () => {
    const documents: readonly DocumentStatus[] = [
      { ...sent, number: 1, status: 'delivered' },
      { ...sent, number: 2, name: 'b.pdf', status: 'received' },
      { ...sent, number: 3, name: 'c.pdf', status: 'received', delayed: true },
      { ...sent, number: 4, name: 'd.pdf', status: 'rejected', problem: 'document-infected' },
    ];
    const rows = (await mountDocuments({}, documents)).textsOf('[part~=file]');
    expect(rows[0]).to.match(/File 1\s[^]*Sent/);
    expect(rows[1]).to.match(/b\.pdf[^]*Received, sending to the lender/);
    expect(rows[2]).to.match(/c\.pdf[^]*Received, but not sent to the lender yet/);
    expect(rows[3]).to.match(/d\.pdf[^]*Blocked by our virus scan/);
  });

  it('is as high as its text', async () => {
    const mounted = await mountDocuments({}, [{ ...sent, number: 1, status: 'delivered' }]);
    const place = mounted.find('[part~=file] .wide').getBoundingClientRect();
    const stateText = mounted.find('[part~=file] .state').getBoundingClientRect();
    expect(place.bottom - stateText.bottom).to.be.below(8);
  });

  it('gives the reason for an unusable file, and is as high as it', async () => {
    const mounted = await mountDocuments();
    await mounted.chooseFiles([
      new File([heicBeginning], 'photo.heic', { type: 'image/heic' }),
      createFile('moving.gif', 'image/gif'),
      createFile('empty.pdf', 'application/pdf', 0),
      createFile('large.pdf', 'application/pdf', 2000),
    ]);
    await mounted.waitForText('This browser can’t open iPhone photos (HEIC).');
    const text = mounted.text;
    expect(text).to.include('We can’t accept this type of file. Use PDF, JPG, or PNG.');
    expect(text).to.include('This file is empty. Choose another one.');
    expect(text).to.include('Choose a file of up to 1 KB');
    expect(mounted.api.uploads.length).to.equal(0);
    const areas = mounted.findAll('[part~=file] .wide');
    const toSpareHeight = ({ lastElementChild, offsetHeight }: HTMLElement) =>
      offsetHeight - (lastElementChild?.getBoundingClientRect().height ?? 0);
    expect(areas.slice(1).filter((area) => toSpareHeight(area) > 1)).to.deep.equal([]);
  });

  for (const [code, sentence, buttons, retryAfterMs] of [
    ['network', 'We couldn’t reach our server', ['Retry']],
    ['document-rejected', 'couldn’t accept this file', ['Remove']],
    ['document-type-mismatch', 'in the format its name says', ['Remove']],
    ['document-not-checked', 'Print it to a new PDF', ['Remove']],
    ['inspection-unavailable', 'We’ll try again soon.', ['Cancel'], 10_000],
    ['too-many-requests', 'Try again in about 40 minutes.', ['Remove'], 2_370_000],
  ] as const) {
    it(`says after ${code}: ${sentence} (${buttons.join(', ')})`, async () => {
      const mounted = await choosePdfWith(code, retryAfterMs);
      await mounted.waitForText(sentence);
      expect(listButtons(mounted)).to.deep.equal(buttons);
    });
  }

  it('has Remove after Retry failed', async () => {
    const mounted = await choosePdfWith('network');
    await mounted.waitForText('Retry');
    await mounted.press('Retry the upload of DL front.pdf');
    await waitUntil(() => listButtons(mounted).join() === 'Retry,Remove');
    await mounted.press('Remove DL front.pdf');
    expect(mounted.text).to.not.include('DL front.pdf');
  });

  it('accepts another category after the funding service rejected the document', async () => {
    const mounted = await choosePdfWith('document-rejected');
    await mounted.waitForText('couldn’t accept this file');
    mounted.api.handleUpload = holdDocuments();
    await mounted.chooseCategory('DL front.pdf', 'bank-statements-jan');
    expect(mounted.text).to.not.include('couldn’t accept this file');
    await mounted.waitForText('not sent yet');
    expect(mounted.api.uploads.at(-1)?.category).to.equal('bank-statements-jan');
  });
});

describe('an uploaded document', () => {
  it('gets its category when it is chosen', async () => {
    const mounted = await mountDocuments({ handleUpload: holdDocuments({ needsCategory: true }) });
    await mounted.choosePdfs('march.pdf');
    await mounted.waitForText('Uploaded, not sent yet');
    expect(mounted.api.uploads[0]?.category).to.equal('');
    expect(mounted.text).to.include('the lender gets it as “other” after 10 minutes');
    await mounted.chooseCategory('march.pdf', 'bank-statements-jan');
    await waitUntil(() => !mounted.text.includes('after 10 minutes'));
    expect(mounted.api.changes).to.deep.equal([[1, 'bank-statements-jan']]);
    expect(mounted.find('select')).to.have.property('value', 'bank-statements-jan');
  });

  it('is sent to the lender only when the BFF says so', async () => {
    const mounted = await choose(holdDocuments());
    await mounted.waitForText('Uploaded, not sent yet');
    expect(mounted.text).to.include('0 of 1 sent to the lender');
    expect(mounted.announcement).to.include('not sent to the lender yet');
  });

  it('is not removed by the second click of a double-click', async () => {
    const mounted = await choose(holdDocuments());
    await mounted.waitForText('Undo');
    const undo = mounted.find('[aria-label="Undo: remove DL front.pdf"]');
    undo.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 }));
    await mounted.element.updateComplete;
    expect(mounted.text).to.include('DL front.pdf');
  });

  it('stays if Undo comes too late', async () => {
    const mounted = await choose(holdDocuments());
    mounted.api.handleRemoval = async () => fail('document-sent');
    await mounted.waitForText('Undo');
    await mounted.press('Undo: remove DL front.pdf');
    await mounted.waitForText('This file is on its way to the lender');
    expect(mounted.text).to.not.include('Undo');
  });
});

describe('an upload', () => {
  it('offers Cancel, then Undo when the BFF has the whole file', async () => {
    let report: (progress: number) => void = () => undefined;
    const mounted = await choose(({ onProgress }) => {
      report = onProgress;
      return forever();
    });
    report(0.4);
    await mounted.waitForText('Uploading, 40%');
    expect(listButtons(mounted)).to.deep.equal(['Cancel']);
    report(1);
    await mounted.waitForText('Finishing…');
    expect(listButtons(mounted)).to.deep.equal(['Undo']);
  });

  it('waits while the browser is offline', async () => {
    const mounted = await choose(forever);
    try {
      setOnline(false);
      await mounted.waitForText('Waiting for a connection');
      expect(mounted.find('[part~=file]').textContent).to.not.include('Sending');
    } finally {
      setOnline(true);
    }
  });
});

describe('the limits', () => {
  it('are named where a file exceeds them', async () => {
    const mounted = await mountDocuments({ handleUpload: holdDocuments() });
    await mounted.choosePdfs('a.pdf', 'b.pdf', 'c.pdf', 'd.pdf', 'e.pdf');
    expect(mounted.text).to.include('You can send up to 4 files.');
    await waitUntil(() => mounted.api.uploads.length === 4);
    await mounted.press('Undo: remove a.pdf');
    await waitUntil(() => mounted.api.uploads.length === 5);
    expect(mounted.text).to.not.include('You can send up to 4 files.');
  });

  it('include the total size', async () => {
    const { documents } = createConfiguration();
    const limits = { ...documents, maxBytes: 204_800, maxTotalBytes: 307_200 };
    const configuration = ok(createConfiguration({ documents: limits }));
    const mounted = await mountDocuments({ configuration });
    expect(mounted.text).to.include('Up to 4 files, 0.2 MB each and 0.3 MB in total.');
    const large = ['a.pdf', 'b.pdf'].map((name) => createFile(name, 'application/pdf', 160_000));
    await mounted.chooseFiles(large);
    expect(mounted.text).to.include('You can send up to 0.3 MB in total');
    expect(mounted.api.uploads).to.have.lengthOf(1);
  });
});

describe('the Continue button', () => {
  it('is primary after all files are sent', async () => {
    const mounted = await mountDocuments();
    const isMain = () => !mounted.find('.group:last-child .button').part.contains('secondary');
    expect(isMain()).to.equal(false);
    await mounted.chooseFiles([
      createFile('DL front.pdf', 'application/pdf'),
      createFile('moving.gif', 'image/gif'),
    ]);
    expect(isMain()).to.equal(false);
    await mounted.waitForText('1 of 1 sent to the lender');
    expect(isMain()).to.equal(true);
  });

  it('warns of unsent files once', async () => {
    const mounted = await choose(forever);
    await mounted.press(/^\s*Continue/);
    expect(mounted.text).to.include('Some files haven’t been uploaded');
    await mounted.press(/^\s*Continue/);
    await mounted.waitForHeading('Connect your bank account');
  });
});

describe('the focus', () => {
  it('moves to the file name when an upload is retried', async () => {
    const mounted = await choosePdfWith('network');
    await mounted.waitForText('Retry');
    mounted.api.handleUpload = forever;
    await expectFocus(mounted, 'Retry the upload of DL front.pdf', ['Retry', 'DL front.pdf']);
  });

  it('moves to the file name when Undo disappears', async () => {
    const mounted = await choose(holdDocuments());
    mounted.api.handleRemoval = forever;
    await mounted.waitForText('Undo');
    await expectFocus(mounted, 'Undo: remove DL front.pdf', ['Undo', 'DL front.pdf']);
  });

  it('moves to the next file name when a file is removed', async () => {
    const mounted = await mountDocuments({ handleUpload: holdDocuments() });
    await mounted.choosePdfs('DL front.pdf', 'DL back.pdf');
    await waitUntil(() => listButtons(mounted).join() === 'Undo,Undo');
    await mounted.press('Undo: remove DL front.pdf');
    await waitUntil(() => mounted.root.activeElement?.textContent === 'DL back.pdf');
    expect(mounted.api.removals).to.deep.equal([1]);
    expect(mounted.text).to.not.include('DL front.pdf');
    expect(mounted.announcement).to.include('DL front.pdf: removed');
  });

  it('stays on the button while Cancel becomes Undo', async () => {
    const mounted = await mountDocuments();
    const finish = mounted.api.holdUploads();
    await mounted.choosePdfs('a.pdf');
    mounted.find('[aria-label="Cancel the upload of a.pdf"]').focus();
    finish();
    await mounted.waitForText('not sent yet');
    expect(mounted.root.activeElement?.getAttribute('aria-label')).to.equal('Undo: remove a.pdf');
  });

  /** Focuses the button before the click, as the keyboard does. Safari does not focus a clicked button. */
  async function expectFocus(mounted: Mounted, name: string, texts: string[]): Promise<void> {
    const focused: string[] = [];
    mounted.root.addEventListener('focusin', ({ target }) => {
      if (target instanceof Element) focused.push(target.textContent?.trim() ?? '');
    });
    mounted.find(`[aria-label="${name}"]`).focus();
    await mounted.press(name);
    await waitUntil(() => focused.length > 1);
    expect(focused).to.deep.equal(texts);
  }
});

describe('the browser', () => {
  /** Returns true if the browser would ask before it leaves the page. */
  const asks = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));

  it('asks before an upload is interrupted', async () => {
    const mounted = await mountDocuments();
    expect(asks()).to.equal(false);
    const finish = mounted.api.holdUploads();
    await mounted.choosePdfs('a.pdf');
    expect(asks()).to.equal(true);
    finish();
    await mounted.waitForText('not sent yet');
    expect(asks()).to.equal(false);
  });

  it('does not ask about files that wait for a connection', async () => {
    const mounted = await mountDocuments();
    try {
      setOnline(false);
      await mounted.choosePdfs('a.pdf');
      expect(asks()).to.equal(false);
    } finally {
      setOnline(true);
    }
  });

  it('does not ask after the element is removed', async () => {
    const mounted = await choose(forever);
    expect(asks()).to.equal(true);
    mounted.element.remove();
    expect(asks()).to.equal(false);
  });
});
