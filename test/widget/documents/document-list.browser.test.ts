import { expect } from '@open-wc/testing';
import { monthIds } from '../../../widget/documents/suggest-category.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { fail, heldDocument, ok } from '../../support/fake-funding-api.ts';
import { createLocatedPhoto } from '../../support/files/browser-photos.ts';
import {
  createFile,
  forever,
  mountAt,
  mountDocuments,
  type Mounted,
  setTouch,
} from '../../support/mount-widget.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('choosing a document', () => {
  it('ignores a file that is chosen twice', async () => {
    const mounted = await mountDocuments();
    mounted.api.handleUpload = forever;
    const file = createFile('a.pdf', 'application/pdf');
    await mounted.chooseFiles([file]);
    expect(mounted.announcement).to.equal('a.pdf: added');
    await mounted.chooseFiles([file]);
    expect(mounted.root.querySelectorAll('[part~=file]')).to.have.lengthOf(1);
    expect(mounted.find('[part~=drop-zone]').textContent).to.include('a.pdf: already in your list');
    expect(mounted.announcement).to.match(/a\.pdf: already in your list$/);
  });

  /** Drops one file beside the drop zone, and pastes another one. */
  async function dropAndPaste(mounted: Mounted): Promise<readonly Event[]> {
    const toTransfer = (name: string) => {
      const transfer = new DataTransfer();
      transfer.items.add(createFile(name, 'application/pdf'));
      return transfer;
    };
    const init = { bubbles: true, cancelable: true };
    // Beside the drop zone, a browser would open the file in place of the page.
    const drop = new DragEvent('drop', { dataTransfer: toTransfer('dropped.pdf'), ...init });
    const paste = new Event('paste', init);
    Object.defineProperty(paste, 'clipboardData', { value: toTransfer('pasted.pdf') });
    for (const event of [drop, paste]) mounted.find('.checklist').dispatchEvent(event);
    await mounted.element.updateComplete;
    return [drop, paste];
  }

  it('works by dropping or pasting', async () => {
    const mounted = await mountDocuments();
    const events = await dropAndPaste(mounted);
    expect(mounted.text).to.match(/dropped\.pdf[^]*pasted\.pdf/);
    expect(events.map(({ defaultPrevented }) => defaultPrevented)).to.deep.equal([true, true]);
  });

  it('ignores files after the session has ended', async () => {
    const mounted = await mountDocuments({ handleUpload: async () => fail('session-missing') });
    await mounted.choosePdfs('DL front.pdf');
    await waitUntil(() => !mounted.root.querySelector('#document-files'));
    const [drop] = await dropAndPaste(mounted);
    expect(mounted.text).to.not.match(/dropped|pasted/);
    expect(drop?.defaultPrevented).to.equal(true);
  });

  it('shows a thumbnail of a photo', async () => {
    const documents = { ...createConfiguration().documents, maxBytes: 1_000_000 };
    const configuration = ok(createConfiguration({ documents }));
    const mounted = await mountDocuments({ configuration });
    const bytes = new Uint8Array(await createLocatedPhoto(80, 40));
    const photo = new File([bytes], 'license.jpg', { type: 'image/jpeg' });
    await mounted.chooseFiles([photo]);
    await waitUntil(() => mounted.root.querySelector('[part~=file] canvas'));
    await mounted.waitForText('1 of 1 sent to the lender');
    const sent = mounted.api.uploads[0]?.file;
    const picture = await createImageBitmap(sent as File);
    expect(sent?.name).to.equal('license.jpg');
    expect(picture).to.include({ width: 40, height: 80 });
    expect(mounted.find('[part~=file] canvas').getAttribute('aria-hidden')).to.equal('true');
  });
});

describe('the buttons that choose files', () => {
  it('accept the types of the configuration, plus HEIC for conversion', async () => {
    const mounted = await mountDocuments();
    expect(mounted.root.querySelectorAll('input[type="file"]')).to.have.lengthOf(1);
    const input = mounted.find('input[type="file"]');
    expect(input).to.include({
      accept: '.pdf,application/pdf,.jpg,image/jpeg,.jpeg,.png,image/png,.heic,.heif,.hif',
      multiple: true,
    });
    expect(input.hasAttribute('capture')).to.equal(false);
  });

  it('include the camera on touch devices', async () => {
    setTouch(true);
    try {
      const mounted = await mountDocuments();
      const camera = mounted.find('#document-photo');
      expect(camera.getAttribute('capture')).to.equal('environment');
      expect(camera.getAttribute('accept')).to.equal('image/*');
      expect(mounted.text).to.include('Take a photo');
      expect(mounted.find('#document-files').hasAttribute('capture')).to.equal(false);
    } finally {
      setTouch(false);
    }
  });
});

describe('buttons of the steps after the submission', () => {
  it('have the part of their style', async () => {
    const mounted = await mountDocuments();
    const listParts = ({ root } = mounted) =>
      [...root.querySelectorAll('.button')].map((button) => {
        expect(button.classList.contains('secondary')).to.equal(button.part.contains('secondary'));
        return button.part.value;
      });
    expect(listParts()).to.deep.equal(['button', 'button secondary']);
    await mounted.choosePdfs('DL front.pdf');
    await mounted.waitForText('1 of 1 sent to the lender');
    expect(listParts()).to.deep.equal(['button secondary', 'button']);
    const bank = await mountAt('bank');
    expect(listParts(bank)).to.deep.equal(['button', 'button secondary']);
  });
});

describe('texts of the configuration in another language', () => {
  it('have a lang attribute', async () => {
    const bff = { configuration: ok(createConfiguration({ locale: 'es' })) };
    const mounted = await mountDocuments(bff);
    await mounted.choosePdfs('DL front.pdf');
    const langOf = (selector: string, where = mounted) => where.find(selector).getAttribute('lang');
    expect(langOf('.frame')).to.equal('en');
    expect(langOf('.checklist li span[lang]')).to.equal('es');
    expect(langOf('optgroup option')).to.equal('es');
    const offers = await mountAt('offers', bff);
    await waitUntil(() => offers.root.querySelector('.contact'));
    expect(langOf('.contact .choice span', offers)).to.equal('es');
    expect(langOf('.contact .fine-print', offers)).to.equal('es');
  });
});

describe('the checklist', () => {
  it('follows the chosen files', async () => {
    const mounted = await mountDocuments();
    mounted.api.handleUpload = forever;
    const readLines = () =>
      mounted
        .findAll('.checklist li')
        .map((line) => line.textContent?.replaceAll(/\s+/g, ' ').trim());
    expect(readLines()).to.deep.equal(['Not yet: Two bank statements 0 of 2', 'Not yet: Photo ID']);
    await mounted.choosePdfs('DL front.pdf');
    expect(readLines()[1]).to.equal('Done: Photo ID');
    await mounted.press('Cancel the upload of DL front.pdf');
    expect(readLines()[1]).to.equal('Not yet: Photo ID');
  });

  it('names the last complete months', async () => {
    const categories = monthIds.map((month) => `bank-statements-${month}`);
    const checklist = [{ id: 'statements', label: 'Statements', categories, count: 2 }];
    const documents = { ...createConfiguration().documents, checklist };
    const configuration = ok(createConfiguration({ documents }));
    const mounted = await mountDocuments({ configuration });
    const now = new Date();
    const toName = (before: number) =>
      new Intl.DateTimeFormat('en-US', { month: 'long' }).format(
        new Date(now.getFullYear(), now.getMonth() - before, 1),
      );
    expect(mounted.find('.checklist li').textContent).to.include(`${toName(2)} and ${toName(1)}`);
  });
});

describe('the layout', () => {
  for (const width of ['320px', '640px']) {
    it(`is stable during an upload at ${width}`, async () => {
      const mounted = await mountDocuments();
      mounted.element.style.inlineSize = width;
      const finish = mounted.api.holdUploads(ok(heldDocument), 0.4);
      await mounted.choosePdfs('a.pdf');
      await mounted.waitForText('Uploading, 40%');
      const before = measure(mounted);
      await mounted.chooseCategory('a.pdf', 'drivers-license');
      finish();
      await mounted.waitForText('Uploaded, not sent yet');
      const withoutHint = measure(mounted);
      expect([withoutHint.rowTop, withoutHint.rowHeight], 'held').to.deep.equal([
        before.rowTop,
        before.rowHeight,
      ]);
      mounted.api.handleChange = async () =>
        ok({ ...heldDocument, status: 'delivered', changeable: undefined });
      await mounted.chooseCategory('a.pdf', 'bank-statements-jan');
      await mounted.waitForText('1 of 1 sent to the lender');
      expect(measure(mounted), 'sent').to.deep.equal(withoutHint);
    });
  }

  it('grows by one row for each file', async () => {
    const mounted = await mountDocuments();
    await mounted.choosePdfs('a.pdf');
    const before = measure(mounted);
    await mounted.choosePdfs('b.pdf');
    const after = measure(mounted);
    expect(after.rowTop).to.equal(before.rowTop);
    expect(after.buttonTop - before.buttonTop).to.be.closeTo(after.rowHeight, 1);
  });
});

/** Positions of the first row and of the Continue button, and the height of the row. */
function measure(mounted: Mounted) {
  const row = mounted.find('[part~=file]').getBoundingClientRect();
  const top = mounted.find('.frame').getBoundingClientRect().top;
  const buttons = mounted.findAll('.body .button');
  const next = buttons.find((button) => button.textContent?.includes('Continue'));
  const place = next?.getBoundingClientRect();
  return {
    rowTop: Math.round(row.top - top),
    rowHeight: Math.round(row.height),
    buttonTop: Math.round((place?.top ?? 0) - top),
    buttonLeft: Math.round(place?.left ?? 0),
  };
}
