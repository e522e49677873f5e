// The way of documents on their page: the room of their rows, the main button, the focus, the connection.

import { expect, waitUntil } from '@open-wc/testing';
import { fail, FakeFundingApi } from '../support/fake-funding-api.ts';
import {
  chooseFiles,
  createFile,
  goTo,
  mountAfter,
  press,
  textOf,
  type Mounted,
} from '../support/mount-widget.ts';

describe('a document that was sent before this page', () => {
  it('takes no more room than what it says', async () => {
    const mounted = await mountAfter(new FakeFundingApi(), [
      {
        number: 1,
        name: 'a.pdf',
        category: 'drivers-license',
        bytes: 9,
        delayed: false,
        status: 'delivered',
      },
    ]);
    await goTo(mounted, 'documents');
    const place = find(mounted, '.file .wide').getBoundingClientRect();
    const said = find(mounted, '.file .state').getBoundingClientRect();
    expect(place.bottom - said.bottom).to.be.below(8);
  });
});

describe('the way on from the documents', () => {
  it('is the main button once nothing is left that could be sent', async () => {
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

describe('a document that could not be checked', () => {
  it('waits to be sent again when the fault is ours', async () => {
    const api = new FakeFundingApi();
    api.handleUpload = async () => ({ ...fail('inspection-unavailable'), retryAfterMs: 10_000 });
    const mounted = await mountAfter(api, []);
    await goTo(mounted, 'documents');
    await chooseFiles(mounted, [createFile('DL front.pdf', 'application/pdf')]);
    await press(mounted, 'Send 1 file');
    await waitUntil(() => textOf(mounted).includes('We’ll try again soon.'));
    expect(textOf(mounted)).to.include('DL front.pdf');
  });

  it('tells how to save the file anew otherwise', async () => {
    const api = new FakeFundingApi();
    api.handleUpload = async () => fail('document-not-checked');
    const mounted = await mountAfter(api, []);
    await goTo(mounted, 'documents');
    await chooseFiles(mounted, [createFile('DL front.pdf', 'application/pdf')]);
    await press(mounted, 'Send 1 file');
    await waitUntil(() => textOf(mounted).includes('We couldn’t check this file.'));
    expect(textOf(mounted)).to.include('Print it to a new PDF').and.not.include('Try again');
  });
});

describe('a second press where Send stood', () => {
  it('leaves the focus in the list', async () => {
    const mounted = await mountDocuments();
    await chooseFiles(mounted, [createFile('DL front.pdf', 'application/pdf')]);
    const focused: string[] = [];
    mounted.root.addEventListener('focusin', ({ target }) => {
      if (target instanceof Element) focused.push(target.id);
    });
    await press(mounted, 'Send 1 file');
    // By way of the heading of the step the page would scroll, and the second press meet something else.
    expect(focused).to.deep.equal(['queue-title']);
    const pressOnce = (detail: number) =>
      find(mounted, '.sending').dispatchEvent(
        new MouseEvent('mousedown', { detail, bubbles: true, cancelable: true }),
      );
    // What is prevented is that the focus follows the press.
    expect([pressOnce(1), pressOnce(2)]).to.deep.equal([true, false]);
  });
});

describe('the focus on a row whose button goes', () => {
  it('lands on the name of the file, at once, when it is cancelled and when it is sent again', async () => {
    const mounted = await mountDocuments();
    mounted.api.handleUpload = ({ signal }) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(fail('network'))));
    await chooseFiles(mounted, [createFile('DL front.pdf', 'application/pdf')]);
    await press(mounted, 'Send 1 file');
    const focused = listFocused(mounted);
    await pressFocused(mounted, 'Cancel sending DL front.pdf');
    await waitUntil(() => textOf(mounted).includes('Upload canceled'));
    expect(focused.splice(0)).to.deep.equal(['Cancel', 'DL front.pdf']);
    await pressFocused(mounted, 'Retry sending DL front.pdf');
    await waitUntil(() => textOf(mounted).includes('Uploading'));
    expect(focused).to.deep.equal(['Retry', 'DL front.pdf']);
  });

  it('lands on the name of the file when its button goes by itself', async () => {
    const mounted = await mountDocuments();
    let finish: () => void = () => undefined;
    mounted.api.handleUpload = ({ onProgress }) => {
      finish = () => onProgress(1);
      return new Promise(() => undefined);
    };
    await chooseFiles(mounted, [createFile('DL front.pdf', 'application/pdf')]);
    await press(mounted, 'Send 1 file');
    find(mounted, '[aria-label="Cancel sending DL front.pdf"]').focus();
    const focused = listFocused(mounted);
    finish();
    await waitUntil(() => focused.length > 0);
    expect(focused).to.deep.equal(['DL front.pdf']);
  });

  it('lands on the name of the next one when it is removed', async () => {
    const mounted = await mountDocuments();
    const names = ['DL front.pdf', 'DL back.pdf'];
    await chooseFiles(
      mounted,
      names.map((name) => createFile(name, 'application/pdf')),
    );
    const focused = listFocused(mounted);
    await pressFocused(mounted, 'Remove DL front.pdf');
    await waitUntil(() => focused.length > 1);
    expect(focused).to.deep.equal(['Remove', 'DL back.pdf']);
  });
});

describe('a document that can never be sent', () => {
  it('takes no more room than the reason, unlike one that may be sorted', async () => {
    const mounted = await mountDocuments();
    await chooseFiles(mounted, [
      createFile('DL front.pdf', 'application/pdf'),
      createFile('moving.gif', 'image/gif'),
      createFile('empty.pdf', 'application/pdf', 0),
      createFile('large.pdf', 'application/pdf', 2000),
    ]);
    const rooms = [...mounted.root.querySelectorAll<HTMLElement>('.file .wide')];
    const toSpare = ({ lastElementChild, offsetHeight }: HTMLElement) =>
      offsetHeight - (lastElementChild?.getBoundingClientRect().height ?? 0);
    expect(rooms.slice(1).filter((room) => toSpare(room) > 1)).to.deep.equal([]);
    expect(rooms.map((room) => room.classList.contains('steady'))).to.deep.equal([
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('a document on its way', () => {
  it('waits for the connection while there is none', async () => {
    const mounted = await mountDocuments();
    mounted.api.handleUpload = () => new Promise(() => undefined);
    await chooseFiles(mounted, [createFile('DL front.pdf', 'application/pdf')]);
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

async function mountDocuments(): Promise<Mounted> {
  const mounted = await mountAfter();
  await goTo(mounted, 'documents');
  return mounted;
}

/** What has the focus, one after the other, in the words that stand on it. */
function listFocused({ root }: Mounted): string[] {
  const focused: string[] = [];
  root.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element) focused.push(target.textContent?.trim() ?? '');
  });
  return focused;
}

/** As with the keyboard: Safari gives no button the focus that is only clicked. */
async function pressFocused(mounted: Mounted, name: string): Promise<void> {
  find(mounted, `[aria-label="${name}"]`).focus();
  await press(mounted, name);
}

function find({ root }: Mounted, selector: string): HTMLElement {
  const found = root.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`There is no ${selector}`);
  return found;
}

function setOnline(isOnline: boolean): void {
  Object.defineProperty(navigator, 'onLine', { configurable: true, value: isOnline });
  dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
}
