// The list of documents and its checklist: what they say by themselves, and that nothing in them jumps.

import { expect, waitUntil } from '@open-wc/testing';
import { monthIds } from '../../widget/documents/suggest-category.ts';
import { createConfiguration } from '../support/configuration.ts';
import { fail, FakeFundingApi, ok } from '../support/fake-funding-api.ts';
import { createLocatedPhoto } from '../support/files/browser-photos.ts';
import {
  chooseCategory,
  chooseFiles,
  createFile,
  goTo,
  mountAfter,
  press,
  textOf,
  type Mounted,
} from '../support/mount-widget.ts';

describe('a document whose name says what it is', () => {
  it('is sorted by it, says so, and can be sorted otherwise', async () => {
    const mounted = await mountDocuments();
    await chooseFiles(mounted, [createFile('DL front.pdf', 'application/pdf')]);
    expect(find(mounted, 'select')).to.have.property('value', 'drivers-license');
    expect(textOf(mounted)).to.include('Suggested from the file name');
    chooseCategory(mounted, 'DL front.pdf', 'bank-statements-jan');
    await mounted.element.updateComplete;
    expect(textOf(mounted)).to.not.include('Suggested');
    await press(mounted, 'Send 1 file');
    await waitUntil(() => textOf(mounted).includes('1 of 1 sent'));
    expect(mounted.api.uploads[0]?.category).to.equal('bank-statements-jan');
  });

  it('needs no more than the press on Send', async () => {
    const mounted = await mountDocuments();
    await chooseFiles(mounted, [createFile('DL front.pdf', 'application/pdf')]);
    await press(mounted, 'Send 1 file');
    await waitUntil(() => textOf(mounted).includes('1 of 1 sent'));
    expect(mounted.api.uploads[0]?.category).to.equal('drivers-license');
  });
});

describe('a document that is chosen', () => {
  it('once more is not added again, which is said and announced', async () => {
    const mounted = await mountDocuments();
    const file = createFile('a.pdf', 'application/pdf');
    await chooseFiles(mounted, [file]);
    expect(announcementOf(mounted)).to.equal('a.pdf: added, not sent yet');
    await chooseFiles(mounted, [file]);
    expect(mounted.root.querySelectorAll('.file')).to.have.lengthOf(1);
    expect(find(mounted, '.drop').textContent).to.include('a.pdf: already in your list');
    expect(announcementOf(mounted)).to.match(/a\.pdf: already in your list$/);
  });

  it('can be dropped or pasted', async () => {
    const mounted = await mountDocuments();
    const transfer = new DataTransfer();
    transfer.items.add(createFile('a.pdf', 'application/pdf'));
    const drop = new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true });
    // Beside the zone, where a browser would open the file instead of the page.
    find(mounted, '.checklist').dispatchEvent(drop);
    const paste = new Event('paste', { bubbles: true, cancelable: true });
    const pasted = new DataTransfer();
    pasted.items.add(createFile('b.pdf', 'application/pdf'));
    Object.defineProperty(paste, 'clipboardData', { value: pasted });
    find(mounted, '#document-files').dispatchEvent(paste);
    await mounted.element.updateComplete;
    expect(textOf(mounted)).to.match(/a\.pdf[^]*b\.pdf/);
    expect([drop.defaultPrevented, paste.defaultPrevented]).to.deep.equal([true, true]);
  });

  it('is not taken any more once the session has ended, and the page stays', async () => {
    const mounted = await mountDocuments();
    mounted.api.handleUpload = async () => fail('session-missing');
    await chooseFiles(mounted, [createFile('DL front.pdf', 'application/pdf')]);
    await press(mounted, 'Send 1 file');
    await waitUntil(() => !mounted.root.querySelector('.drop'));
    const transfer = new DataTransfer();
    transfer.items.add(createFile('late.pdf', 'application/pdf'));
    const drop = new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true });
    find(mounted, '.checklist').dispatchEvent(drop);
    const paste = new Event('paste', { bubbles: true, cancelable: true });
    Object.defineProperty(paste, 'clipboardData', { value: transfer });
    find(mounted, '.checklist').dispatchEvent(paste);
    await mounted.element.updateComplete;
    expect(mounted.root.querySelectorAll('.file')).to.have.lengthOf(1);
    expect(textOf(mounted)).to.not.include('late.pdf');
    expect(drop.defaultPrevented).to.equal(true);
  });

  it('as a photo shows itself, and what is sent of it', async () => {
    const api = new FakeFundingApi();
    const configuration = createConfiguration();
    const documents = { ...configuration.documents, maxBytes: 1_000_000 };
    api.configuration = ok({ ...configuration, documents });
    const mounted = await mountDocuments(api);
    const bytes = new Uint8Array(await createLocatedPhoto(80, 40));
    const photo = new File([bytes], 'license.jpg', { type: 'image/jpeg' });
    await chooseFiles(mounted, [photo]);
    await waitUntil(() => mounted.root.querySelector('.file canvas'));
    await press(mounted, 'Send 1 file');
    await waitUntil(() => textOf(mounted).includes('1 of 1 sent'));
    const sent = api.uploads[0]?.file;
    const picture = await createImageBitmap(sent as File);
    expect([sent?.name, picture.width, picture.height]).to.deep.equal(['license.jpg', 40, 80]);
    expect(find(mounted, '.file canvas').getAttribute('aria-hidden')).to.equal('true');
  });
});

describe('the buttons for choosing documents', () => {
  it('are one where there is a mouse, which names the types and their extensions, and never HEIC', async () => {
    const mounted = await mountDocuments();
    const inputs = [...mounted.root.querySelectorAll<HTMLInputElement>('input[type="file"]')];
    expect(inputs.map(({ accept, multiple }) => [accept, multiple])).to.deep.equal([
      ['.pdf,application/pdf,.jpg,image/jpeg,.jpeg,.png,image/png', true],
    ]);
    expect(inputs[0]?.hasAttribute('capture')).to.equal(false);
  });

  it('are two where there is a finger: one of them asks for the camera', async () => {
    const { matchMedia } = window;
    window.matchMedia = (query) => {
      const list = matchMedia.call(window, query);
      return query === '(pointer: coarse)'
        ? new Proxy(list, { get: (_list, name) => name === 'matches' })
        : list;
    };
    try {
      const mounted = await mountDocuments();
      const camera = find(mounted, '#document-photo');
      expect([camera.getAttribute('capture'), camera.getAttribute('accept')]).to.deep.equal([
        'environment',
        'image/*',
      ]);
      expect(textOf(mounted)).to.include('Take a photo');
      expect(find(mounted, '#document-files').hasAttribute('capture')).to.equal(false);
    } finally {
      window.matchMedia = matchMedia;
    }
  });
});

describe('the buttons after the submission', () => {
  it('are parts of the rank that they look like', async () => {
    const mounted = await mountDocuments();
    const readRanks = ({ root } = mounted) =>
      [...root.querySelectorAll('.button')].map((button) => [
        button.classList.contains('secondary'),
        button.part.contains('secondary'),
      ]);
    expect(readRanks()).to.deep.equal([
      [false, false],
      [true, true],
    ]);
    await chooseFiles(mounted, [createFile('DL front.pdf', 'application/pdf')]);
    expect(readRanks()).to.deep.equal([
      [true, true],
      [false, false],
      [true, true],
    ]);
    const bank = await mountAfter();
    await goTo(bank, 'bank');
    expect(readRanks(bank)).to.deep.equal([
      [false, false],
      [true, true],
    ]);
  });
});

describe('texts of the partner in another language than the form', () => {
  it('say which one it is', async () => {
    const api = new FakeFundingApi();
    api.configuration = ok(createConfiguration({ locale: 'es' }));
    const mounted = await mountDocuments(api);
    await chooseFiles(mounted, [createFile('DL front.pdf', 'application/pdf')]);
    const langOf = (selector: string, where = mounted) =>
      find(where, selector).getAttribute('lang');
    expect(langOf('.frame')).to.equal('en');
    expect(langOf('.checklist li span[lang]')).to.equal('es');
    expect(langOf('optgroup option')).to.equal('es');
    const offers = await mountAfter(api);
    await goTo(offers, 'offers');
    await waitUntil(() => offers.root.querySelector('.contact'));
    expect(langOf('.contact .choice span', offers)).to.equal('es');
    expect(langOf('.contact .fine-print', offers)).to.equal('es');
  });
});

describe('the checklist', () => {
  it('ticks itself from what is chosen, and says in words what is done and what is not', async () => {
    const mounted = await mountDocuments();
    const readLines = () =>
      [...mounted.root.querySelectorAll('.checklist li')].map((line) =>
        line.textContent?.replaceAll(/\s+/g, ' ').trim(),
      );
    expect(readLines()).to.deep.equal(['Not yet: Two bank statements 0 of 2', 'Not yet: Photo ID']);
    await chooseFiles(mounted, [createFile('DL front.pdf', 'application/pdf')]);
    expect(readLines()[1]).to.equal('Done: Photo ID');
    await press(mounted, 'Remove DL front.pdf');
    expect(readLines()[1]).to.equal('Not yet: Photo ID');
  });

  it('names the last months', async () => {
    const api = new FakeFundingApi();
    const configuration = createConfiguration();
    const categories = monthIds.map((month) => `bank-statements-${month}`);
    const checklist = [{ id: 'statements', label: 'Statements', categories, count: 2 }];
    const documents = { ...configuration.documents, checklist };
    api.configuration = ok({ ...configuration, documents });
    const mounted = await mountDocuments(api);
    const now = new Date();
    const toName = (before: number) =>
      new Intl.DateTimeFormat('en-US', { month: 'long' }).format(
        new Date(now.getFullYear(), now.getMonth() - before, 1),
      );
    expect(find(mounted, '.checklist li').textContent).to.include(`${toName(2)} and ${toName(1)}`);
  });
});

describe('nothing on the page jumps', () => {
  for (const width of ['320px', '640px']) {
    it(`while a file is sent, is cancelled, fails or arrives, ${width} wide`, async () => {
      await expectSteady(width);
    });
  }

  async function expectSteady(width: string): Promise<void> {
    const mounted = await mountDocuments();
    mounted.element.style.inlineSize = width;
    const arrive = mounted.api.handleUpload;
    let go: () => void = () => undefined;
    mounted.api.handleUpload = async (upload, number) => {
      upload.onProgress(0.4);
      await new Promise<void>((resolve) => {
        go = resolve;
        upload.signal.addEventListener('abort', () => resolve());
      });
      return upload.signal.aborted ? fail('network') : arrive(upload, number);
    };
    await chooseFiles(mounted, [createFile('DL front.pdf', 'application/pdf')]);
    const before = measure(mounted);
    await press(mounted, 'Send 1 file');
    await waitUntil(() => textOf(mounted).includes('Uploading, 40%'));
    expect(measure(mounted), 'sending').to.deep.equal(before);
    await press(mounted, 'Cancel sending DL front.pdf');
    await waitUntil(() => textOf(mounted).includes('Upload canceled'));
    expect(measure(mounted), 'cancelled').to.deep.equal(before);
    const { handleUpload } = mounted.api;
    mounted.api.handleUpload = async () => fail('network');
    await press(mounted, 'Retry sending DL front.pdf');
    await waitUntil(() => textOf(mounted).includes('We couldn’t reach our server'));
    expect(measure(mounted), 'failed').to.deep.equal(before);
    mounted.api.handleUpload = handleUpload;
    await press(mounted, 'Retry sending DL front.pdf');
    await waitUntil(() => textOf(mounted).includes('Uploading, 40%'));
    go();
    await waitUntil(() => textOf(mounted).includes('1 of 1 sent'));
    expect(measure(mounted), 'sent').to.deep.equal(before);
  }

  it('when one is added, but for the height of its row', async () => {
    const mounted = await mountDocuments();
    await chooseFiles(mounted, [createFile('a.pdf', 'application/pdf')]);
    const [rowTop, before = 0] = measure(mounted);
    await chooseFiles(mounted, [createFile('b.pdf', 'application/pdf')]);
    const [sameTop, after = 0, height = 0] = measure(mounted);
    expect(sameTop).to.equal(rowTop);
    expect(after - before).to.be.closeTo(height, 1);
  });
});

async function mountDocuments(api?: FakeFundingApi): Promise<Mounted> {
  const mounted = await mountAfter(api);
  await goTo(mounted, 'documents');
  return mounted;
}

function find({ root }: Mounted, selector: string): HTMLElement {
  const found = root.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`There is no ${selector}`);
  return found;
}

function announcementOf(mounted: Mounted): string {
  return find(mounted, '#announcement').textContent ?? '';
}

/** Where the first row begins, how high it is, and where the way on stands. */
function measure(mounted: Mounted): number[] {
  const row = find(mounted, '.file').getBoundingClientRect();
  const top = find(mounted, '.frame').getBoundingClientRect().top;
  const buttons = [...mounted.root.querySelectorAll('.body .button')];
  const onward = buttons.find((button) => button.textContent?.includes('Continue'));
  const place = onward?.getBoundingClientRect();
  return [row.top - top, (place?.top ?? 0) - top, row.height, place?.left ?? 0].map(Math.round);
}
