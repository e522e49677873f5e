import { expect, waitUntil } from '@open-wc/testing';
import { fail, FakeFundingApi } from '../../support/fake-funding-api.ts';
import {
  chooseFiles,
  choosePdfs,
  createFile,
  find,
  mountDocuments,
  press,
  setOnline,
  textOf,
  type Mounted,
} from '../../support/mount-widget.ts';

describe('the row of a document that another page sent', () => {
  it('is as high as its text', async () => {
    const mounted = await mountDocuments(new FakeFundingApi(), [
      {
        number: 1,
        name: 'a.pdf',
        category: 'drivers-license',
        bytes: 9,
        delayed: false,
        status: 'delivered',
      },
    ]);
    const place = find(mounted, '.file .wide').getBoundingClientRect();
    const stateText = find(mounted, '.file .state').getBoundingClientRect();
    expect(place.bottom - stateText.bottom).to.be.below(8);
  });
});

describe('the Continue button', () => {
  it('is primary after all files are sent', async () => {
    const mounted = await mountDocuments();
    const isMain = () => !find(mounted, '.group:last-child .button').part.contains('secondary');
    expect(isMain()).to.equal(false);
    await chooseFiles(mounted, [
      createFile('DL front.pdf', 'application/pdf'),
      createFile('moving.gif', 'image/gif'),
    ]);
    expect(isMain()).to.equal(false);
    await press(mounted, 'Send 1 file');
    await waitUntil(() => textOf(mounted).includes('1 of 1 sent'));
    expect(isMain()).to.equal(true);
  });
});

describe('a document that was not scanned', () => {
  it('waits if the scanner is unavailable', async () => {
    const api = new FakeFundingApi();
    api.handleUpload = async () => ({ ...fail('inspection-unavailable'), retryAfterMs: 10_000 });
    const mounted = await mountDocuments(api);
    await choosePdfs(mounted, 'DL front.pdf');
    await press(mounted, 'Send 1 file');
    await waitUntil(() => textOf(mounted).includes('We’ll try again soon.'));
    expect(textOf(mounted)).to.include('DL front.pdf');
  });

  it('explains how to save the file again', async () => {
    const api = new FakeFundingApi();
    api.handleUpload = async () => fail('document-not-checked');
    const mounted = await mountDocuments(api);
    await choosePdfs(mounted, 'DL front.pdf');
    await press(mounted, 'Send 1 file');
    await waitUntil(() => textOf(mounted).includes('We couldn’t check this file.'));
    expect(textOf(mounted)).to.include('Print it to a new PDF').and.not.include('Try again');
  });
});

describe('the second click of a double-click on Send', () => {
  it('leaves the focus in the list of files', async () => {
    const mounted = await mountDocuments();
    await choosePdfs(mounted, 'DL front.pdf');
    const focused: string[] = [];
    mounted.root.addEventListener('focusin', ({ target }) => {
      if (target instanceof Element) focused.push(target.id);
    });
    await press(mounted, 'Send 1 file');
    // A focus on the heading of the step would scroll the page, so that the second click hits something else.
    expect(focused).to.deep.equal(['queue-title']);
    const pressOnce = (detail: number) =>
      find(mounted, '.sending').dispatchEvent(
        new MouseEvent('mousedown', { detail, bubbles: true, cancelable: true }),
      );
    // The default action of a mousedown moves the focus.
    expect(pressOnce(1)).to.equal(true);
    expect(pressOnce(2)).to.equal(false);
  });
});

describe('the focus', () => {
  it('moves to the file name when an upload is canceled or retried', async () => {
    const mounted = await mountDocuments();
    mounted.api.handleUpload = ({ signal }) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(fail('network'))));
    await choosePdfs(mounted, 'DL front.pdf');
    await press(mounted, 'Send 1 file');
    const focused = listFocused(mounted);
    await pressFocused(mounted, 'Cancel sending DL front.pdf');
    await waitUntil(() => textOf(mounted).includes('Upload canceled'));
    expect(focused.splice(0)).to.deep.equal(['Cancel', 'DL front.pdf']);
    await pressFocused(mounted, 'Retry sending DL front.pdf');
    await waitUntil(() => textOf(mounted).includes('Uploading'));
    expect(focused).to.deep.equal(['Retry', 'DL front.pdf']);
  });

  it('moves to the file name when the focused button disappears', async () => {
    const mounted = await mountDocuments();
    let finish: () => void = () => undefined;
    mounted.api.handleUpload = ({ onProgress }) => {
      finish = () => onProgress(1);
      return new Promise(() => undefined);
    };
    await choosePdfs(mounted, 'DL front.pdf');
    await press(mounted, 'Send 1 file');
    find(mounted, '[aria-label="Cancel sending DL front.pdf"]').focus();
    const focused = listFocused(mounted);
    finish();
    await waitUntil(() => focused.length > 0);
    expect(focused).to.deep.equal(['DL front.pdf']);
  });

  it('moves to the next file name when a file is removed', async () => {
    const mounted = await mountDocuments();
    const names = ['DL front.pdf', 'DL back.pdf'];
    await choosePdfs(mounted, ...names);
    const focused = listFocused(mounted);
    await pressFocused(mounted, 'Remove DL front.pdf');
    await waitUntil(() => focused.length > 1);
    expect(focused).to.deep.equal(['Remove', 'DL back.pdf']);
  });
});

describe('the row of an unusable file', () => {
  it('is as high as its reason', async () => {
    const mounted = await mountDocuments();
    await chooseFiles(mounted, [
      createFile('DL front.pdf', 'application/pdf'),
      createFile('moving.gif', 'image/gif'),
      createFile('empty.pdf', 'application/pdf', 0),
      createFile('large.pdf', 'application/pdf', 2000),
    ]);
    const areas = [...mounted.root.querySelectorAll<HTMLElement>('.file .wide')];
    const toSpareHeight = ({ lastElementChild, offsetHeight }: HTMLElement) =>
      offsetHeight - (lastElementChild?.getBoundingClientRect().height ?? 0);
    expect(areas.slice(1).filter((area) => toSpareHeight(area) > 1)).to.deep.equal([]);
    const steady = areas.filter((area) => area.classList.contains('steady'));
    expect(steady).to.deep.equal([areas[0]]);
  });
});

describe('an upload', () => {
  it('shows that it waits while the browser is offline', async () => {
    const mounted = await mountDocuments();
    mounted.api.handleUpload = () => new Promise(() => undefined);
    await choosePdfs(mounted, 'DL front.pdf');
    await press(mounted, 'Send 1 file');
    try {
      setOnline(false);
      await mounted.element.updateComplete;
      expect(find(mounted, '.file').textContent).to.include('Waiting for a connection');
      expect(find(mounted, '.file').textContent).to.not.include('Sending');
    } finally {
      setOnline(true);
    }
  });
});

/** Collects the texts of the elements that receive the focus. */
function listFocused({ root }: Mounted): string[] {
  const focused: string[] = [];
  root.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element) focused.push(target.textContent?.trim() ?? '');
  });
  return focused;
}

/** Focuses the button before the click, as the keyboard does. Safari does not focus a clicked button. */
async function pressFocused(mounted: Mounted, name: string): Promise<void> {
  find(mounted, `[aria-label="${name}"]`).focus();
  await press(mounted, name);
}
