// The way of documents on their page: the room of their rows, the main button, the focus, the connection.

import { expect, waitUntil } from '@open-wc/testing';
import { FakeFundingApi } from '../support/fake-funding-api.ts';
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
        needsPassword: false,
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

describe('a document on its way', () => {
  it('waits for the connection while there is none', async () => {
    const mounted = await mountDocuments();
    mounted.api.handleUpload = () => new Promise(() => undefined);
    await chooseFiles(mounted, [createFile('DL front.pdf', 'application/pdf')]);
    await press(mounted, 'Send 1 file');
    try {
      setOnline(false);
      await mounted.element.updateComplete;
      expect(find(mounted, '.file').textContent).to.include('Waiting for the connection');
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

function find({ root }: Mounted, selector: string): HTMLElement {
  const found = root.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`There is no ${selector}`);
  return found;
}

function setOnline(isOnline: boolean): void {
  Object.defineProperty(navigator, 'onLine', { configurable: true, value: isOnline });
  dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
}
