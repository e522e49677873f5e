// Answers do not leave the form: through session recordings, storage, URLs, attributes, or the console.

import { expect } from '@open-wc/testing';
import { record } from 'rrweb';
import { type Mounted, mountWidget } from '../support/mount-widget.ts';

/** Values that appear nowhere else on the page. */
const typed = {
  'business/name': 'Quokka Bakery 8c1f LLC',
  'business/taxId': '82-1734655',
  'business/address/street': '7741 Bilby Wharf',
  'business/annualRevenue': '86,429,751',
  'owner/email': 'zorayda@quillmark.example',
  'owner/phone': '(207) 555-9183',
  'owner/ssn': '471-82-9364',
  'owner/birthDate/year': '1959',
};

describe('a typed answer', () => {
  it('is not in a session recording', async () => {
    const events: unknown[] = [];
    const stop = record({ emit: (event) => void events.push(event) });
    await (await mountWidget()).fillForm(typed);
    stop?.();

    expect(events.length).to.be.greaterThan(2);
    expect(findTyped(JSON.stringify(events))).to.deep.equal([]);
  });

  it('is in no attribute, URL, cookie, or local storage', async () => {
    const mounted = await mountWidget();
    await mounted.fillForm(typed);

    const places = [
      mounted.element.outerHTML,
      ...listAttributes(mounted),
      document.cookie,
      location.href,
      JSON.stringify([history.state, { ...localStorage }]),
    ];
    expect(findTyped(places.join('\n'))).to.deep.equal([]);
    expect(await indexedDB.databases()).to.deep.equal([]);
  });

  it('is in sessionStorage until the submission, unless it is secret', async () => {
    const mounted = await mountWidget();
    await mounted.fillForm(typed);
    const storedPaths = Object.keys(typed).filter((path) => !/taxId|ssn|birthDate/.test(path));
    expect(findTyped(JSON.stringify({ ...sessionStorage }))).to.deep.equal(storedPaths);
    await mounted.signAndSubmit();
    await mounted.waitForRecord();
    const stored = Object.values({ ...sessionStorage }).map((text) => JSON.parse(String(text)));
    expect(
      stored.map(({ answers, omitted, isSubmitted }) => [answers, omitted, isSubmitted]),
    ).to.deep.equal([[{}, [], true]]);
  });

  // events.browser.test.ts has the events.
  it('is in no console message', async () => {
    const { messages, stop } = listen();
    await (await mountWidget()).fillForm(typed);
    stop();

    expect(findTyped(messages.join('\n'))).to.deep.equal([]);
  });

  it('is in the record after the submission, unless it is secret, until the end', async () => {
    const mounted = await mountWidget();
    await mounted.apply(typed);
    expect(readValues(mounted)).to.deep.equal([]);
    const shown = findTyped(mounted.root.innerHTML);
    expect(shown).to.include('business/address/street');
    expect(shown).to.not.include('business/taxId').and.to.not.include('owner/ssn');
    await mounted.press('Close my application on this device');
    await mounted.waitForHeading('Your application is closed');
    expect(findTyped(mounted.root.innerHTML)).to.deep.equal([]);
  });
});

/** Returns the paths of the answers in the text, also without the separators between digits. */
function findTyped(text: string): readonly string[] {
  return Object.entries(typed)
    .filter(
      ([, value]) => includesAlone(text, value) || includesAlone(text, toDigits(value) ?? value),
    )
    .map(([path]) => path);
}

/** Ignores parts of longer numbers, because the times in a recording can contain any four digits. */
function includesAlone(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
    const around = `${text[at - 1] ?? ''}${text[at + value.length] ?? ''}`;
    if (!/\d/.test(around)) return true;
  }
  return false;
}

function toDigits(value: string): string | undefined {
  return /^[\d\s(),-]+$/.test(value) ? value.replaceAll(/\D/g, '') : undefined;
}

function listAttributes({ root }: Mounted): readonly string[] {
  return [...root.querySelectorAll('*')].flatMap((element) =>
    [...element.attributes].map(({ name, value }) => `${name}=${value}`),
  );
}

function readValues({ root }: Mounted): readonly string[] {
  return [...root.querySelectorAll('input')].map(({ value }) => value);
}

/** Records the messages in the console. */
function listen(): { readonly messages: readonly string[]; readonly stop: () => void } {
  const messages: string[] = [];
  const methods = ['debug', 'error', 'info', 'log', 'warn'] as const;
  const originals = methods.map((method) => console[method]);
  for (const method of methods) {
    console[method] = (...words: unknown[]) => void messages.push(JSON.stringify(words));
  }
  return {
    messages,
    stop() {
      for (const [index, method] of methods.entries()) {
        console[method] = originals[index] ?? console[method];
      }
    },
  };
}
