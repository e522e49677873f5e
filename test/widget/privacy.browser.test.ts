// What an applicant gives stays in the form: not in recordings of the session, storage, addresses, attributes, events or the console.

import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import { record } from 'rrweb';
import type { FundingApplication } from '../../widget/funding-application.ts';
import { FakeFundingApi } from '../support/fake-funding-api.ts';
import {
  apply,
  fillForm,
  mountWidget,
  press,
  signAndSubmit,
  waitForHeading,
  type Mounted,
} from '../support/mount-widget.ts';

/** Typed by hand, and like nothing else on the page. */
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
    await fillForm(await mountWidget(), typed);
    stop?.();

    expect(events.length).to.be.greaterThan(2);
    expect(findTyped(JSON.stringify(events))).to.deep.equal([]);
  });

  it('is in no attribute, URL, cookie, or local storage', async () => {
    const mounted = await mountWidget();
    await fillForm(mounted, typed);

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
    await fillForm(mounted, typed);
    const kept = Object.keys(typed).filter((path) => !/taxId|ssn|birthDate/.test(path));
    expect(findTyped(JSON.stringify({ ...sessionStorage }))).to.deep.equal(kept);
    await signAndSubmit(mounted);
    await waitUntil(() => mounted.root.querySelector('.reference'));
    expect(sessionStorage.length).to.equal(0);
  });

  it('is in no storage if the host page turns it off', async () => {
    sessionStorage.clear();
    const api = new FakeFundingApi();
    const element = await fixture<FundingApplication>(
      html`<funding-application
        draft="off"
        .api=${api}
        .settings=${{ startPage: false }}
      ></funding-application>`,
    );
    const mounted = { element, api, root: element.shadowRoot! };
    await waitUntil(() => mounted.root.querySelector('form'));
    await fillForm(mounted, typed);
    expect(sessionStorage.length).to.equal(0);
    expect(mounted.root.textContent).to.not.include('Your answers stay in this browser tab');
  });

  it('is in no history entry', async () => {
    sessionStorage.clear();
    const api = new FakeFundingApi();
    const element = await fixture<FundingApplication>(
      html`<funding-application
        history
        .api=${api}
        .settings=${{ startPage: false }}
      ></funding-application>`,
    );
    const mounted = { element, api, root: element.shadowRoot! };
    const kept = () => JSON.stringify(history.state);
    await waitUntil(() => kept().includes('"funding-need"'), 'the entry was never marked');
    await fillForm(mounted, typed);
    expect(kept()).to.include('"review"');
    expect(findTyped(kept())).to.deep.equal([]);
    await signAndSubmit(mounted);
    await waitForHeading(mounted, 'We sent your application to the lender');
    await waitUntil(() => kept().includes('"submitted"'));
    expect(findTyped(kept())).to.deep.equal([]);
    await press(mounted, 'Close my application on this device');
    await waitForHeading(mounted, 'Your application is closed');
    expect(kept()).to.include('"places":{}');
  });

  it('is in no event or console message', async () => {
    const { told, stop } = listen();
    await fillForm(await mountWidget(), typed);
    stop();

    expect(told.length).to.equal(6);
    expect(findTyped(told.join('\n'))).to.deep.equal([]);
  });

  it('shows only the last digits of an SSN after validation', async () => {
    const mounted = await mountWidget();
    await fillForm(mounted, typed);

    const shown = mounted.root.textContent ?? '';
    expect(shown).to.include('Ending in 9364');
    expect(shown.replaceAll(/\D/g, '')).to.not.include('471829364');
  });

  it('is in the record after the submission, unless it is secret', async () => {
    const mounted = await mountWidget();
    await apply(mounted, typed);

    expect(readValues(mounted)).to.deep.equal([]);
    const shown = findTyped(mounted.root.innerHTML);
    expect(shown).to.include('business/address/street');
    expect(shown).to.not.include('business/taxId');
    expect(shown).to.not.include('owner/ssn');
  });

  it('is removed from the page when the applicant finishes', async () => {
    const mounted = await mountWidget();
    await apply(mounted, typed);
    await press(mounted, 'Close my application on this device');
    await waitForHeading(mounted, 'Your application is closed');
    expect(findTyped(mounted.root.innerHTML)).to.deep.equal([]);
  });
});

/** Paths of the answers found, also without the signs between their digits. */
function findTyped(text: string): readonly string[] {
  return Object.entries(typed)
    .filter(
      ([, value]) => includesAlone(text, value) || includesAlone(text, toDigits(value) ?? value),
    )
    .map(([path]) => path);
}

/** Not as a part of a longer number: a recording is full of times, and one of them contains any four digits now and then. */
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

/** Everything a page can hear of us: our events, whatever they hold, and the console. */
function listen(): { readonly told: readonly string[]; readonly stop: () => void } {
  const told: string[] = [];
  const methods = ['debug', 'error', 'info', 'log', 'warn'] as const;
  const originals = methods.map((method) => console[method]);
  for (const method of methods) {
    console[method] = (...words: unknown[]) => void told.push(JSON.stringify(words));
  }
  const tell = (event: Event) => void told.push(JSON.stringify(toPlain(event)));
  document.addEventListener('funding-step', tell);
  return {
    told,
    stop() {
      for (const [index, method] of methods.entries()) {
        console[method] = originals[index] ?? console[method];
      }
      document.removeEventListener('funding-step', tell);
    },
  };
}

/** The event's own and inherited values that are text or numbers. */
function toPlain(event: Event): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = { ...event };
  for (const name in event) values[name] = String(Reflect.get(event, name));
  return values;
}
