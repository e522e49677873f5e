import { expect } from '@open-wc/testing';
import { fail, FakeFundingApi, heldDocument, ok } from '../../support/fake-funding-api.ts';
import {
  chooseFiles,
  choosePdfs,
  createFile,
  find,
  mountDocuments,
  type Mounted,
  press,
  setOnline,
  textOf,
  waitForText,
} from '../../support/mount-widget.ts';
import { waitUntil } from '../../support/wait-until.ts';

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
    await waitForText(mounted, '1 of 1 sent to the lender');
    expect(isMain()).to.equal(true);
  });
});

describe('a document that was not scanned', () => {
  it('waits if the scanner is unavailable', async () => {
    const api = new FakeFundingApi();
    api.handleUpload = async () => ({ ...fail('inspection-unavailable'), retryAfterMs: 10_000 });
    const mounted = await mountDocuments(api);
    await choosePdfs(mounted, 'DL front.pdf');
    await waitForText(mounted, 'We’ll try again soon.');
    expect(textOf(mounted)).to.include('DL front.pdf');
  });

  it('explains how to save the file again', async () => {
    const api = new FakeFundingApi();
    api.handleUpload = async () => fail('document-not-checked');
    const mounted = await mountDocuments(api);
    await choosePdfs(mounted, 'DL front.pdf');
    await waitForText(mounted, 'We couldn’t check this file.');
    expect(textOf(mounted)).to.include('Print it to a new PDF').and.not.include('Try again');
  });
});

describe('the focus', () => {
  it('moves to the file name when an upload is retried', async () => {
    const mounted = await mountDocuments();
    mounted.api.handleUpload = async () => fail('network');
    await choosePdfs(mounted, 'DL front.pdf');
    await waitForText(mounted, 'Retry');
    const focused = listFocused(mounted);
    mounted.api.handleUpload = () => new Promise(() => undefined);
    await pressFocused(mounted, 'Retry the upload of DL front.pdf');
    await waitUntil(() => focused.length > 1);
    expect(focused).to.deep.equal(['Retry', 'DL front.pdf']);
  });

  it('stays on the button while Cancel becomes Undo', async () => {
    const mounted = await mountDocuments();
    let finish: () => void = () => undefined;
    mounted.api.handleUpload = ({ onProgress }) =>
      new Promise((resolve) => {
        finish = () => {
          onProgress(1);
          resolve(ok(heldDocument));
        };
      });
    await choosePdfs(mounted, 'a.pdf');
    find(mounted, '[aria-label="Cancel the upload of a.pdf"]').focus();
    finish();
    await waitForText(mounted, 'not sent yet');
    expect(mounted.root.activeElement?.getAttribute('aria-label')).to.equal('Undo: remove a.pdf');
  });

  it('moves to the file name when Undo disappears', async () => {
    const mounted = await mountDocuments();
    mounted.api.handleUpload = async () => ok(heldDocument);
    mounted.api.handleRemoval = () => new Promise(() => undefined);
    await choosePdfs(mounted, 'a.pdf');
    await waitForText(mounted, 'Undo');
    const focused = listFocused(mounted);
    await pressFocused(mounted, 'Undo: remove a.pdf');
    await waitUntil(() => focused.length > 1);
    expect(focused).to.deep.equal(['Undo', 'a.pdf']);
  });

  it('moves to the next file name when a file is removed', async () => {
    const mounted = await mountDocuments();
    mounted.api.handleUpload = () => new Promise(() => undefined);
    await choosePdfs(mounted, 'DL front.pdf', 'DL back.pdf');
    const focused = listFocused(mounted);
    await pressFocused(mounted, 'Cancel the upload of DL front.pdf');
    await waitUntil(() => focused.length > 1);
    expect(focused).to.deep.equal(['Cancel', 'DL back.pdf']);
  });
});

describe('the buttons of a failed file', () => {
  const listButtons = (mounted: Mounted) =>
    [...mounted.root.querySelectorAll('.file button')].map((button) => button.textContent?.trim());

  it('are Retry at first', async () => {
    const mounted = await mountDocuments();
    mounted.api.handleUpload = async () => fail('network');
    await choosePdfs(mounted, 'a.pdf');
    await waitForText(mounted, 'Retry');
    expect(listButtons(mounted)).to.deep.equal(['Retry']);
  });

  it('include Remove after Retry failed', async () => {
    const mounted = await mountDocuments();
    mounted.api.handleUpload = async () => fail('network');
    await choosePdfs(mounted, 'a.pdf');
    await waitForText(mounted, 'Retry');
    await press(mounted, 'Retry the upload of a.pdf');
    await waitUntil(() => mounted.root.querySelector('[aria-label="Remove a.pdf"]'));
    expect(listButtons(mounted)).to.deep.equal(['Retry', 'Remove']);
    await press(mounted, 'Remove a.pdf');
    expect(textOf(mounted)).to.not.include('a.pdf');
  });

  it('are Remove if only another category helps', async () => {
    const mounted = await mountDocuments();
    mounted.api.handleUpload = async () => fail('document-rejected');
    await choosePdfs(mounted, 'DL front.pdf');
    await waitForText(mounted, 'couldn’t accept this file');
    expect(listButtons(mounted)).to.deep.equal(['Remove']);
  });
});

describe('the browser', () => {
  /** Returns true if the browser would ask before it leaves the page. */
  const asks = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));

  it('asks before an upload is interrupted', async () => {
    const mounted = await mountDocuments();
    expect(asks()).to.equal(false);
    const finish = mounted.api.holdUploads();
    await choosePdfs(mounted, 'a.pdf');
    expect(asks()).to.equal(true);
    finish();
    await waitForText(mounted, 'not sent yet');
    expect(asks()).to.equal(false);
  });

  it('does not ask about files that wait for a connection', async () => {
    const mounted = await mountDocuments();
    try {
      setOnline(false);
      await choosePdfs(mounted, 'a.pdf');
      expect(textOf(mounted)).to.include('Waiting for a connection');
      expect(asks()).to.equal(false);
    } finally {
      setOnline(true);
    }
  });

  it('does not ask after the element is removed', async () => {
    const mounted = await mountDocuments();
    mounted.api.handleUpload = () => new Promise(() => undefined);
    await choosePdfs(mounted, 'a.pdf');
    expect(asks()).to.equal(true);
    mounted.element.remove();
    expect(asks()).to.equal(false);
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
  });
});

describe('an upload', () => {
  it('shows that it waits while the browser is offline', async () => {
    const mounted = await mountDocuments();
    mounted.api.handleUpload = () => new Promise(() => undefined);
    await choosePdfs(mounted, 'DL front.pdf');
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
