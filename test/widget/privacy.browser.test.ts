// What an applicant gives stays in the form: not in recordings of the session, storage, addresses, attributes, events or the console.

import { expect } from '@open-wc/testing';
import { record } from 'rrweb';
import { apply, fillForm, mountWidget, type Mounted } from '../support/mount-widget.ts';

/** Typed by hand, and like nothing else on the page. */
const typed = {
  'business/name': 'Quokka Bakery 8c1f LLC',
  'business/taxId': '82-1734655',
  'business/address/street': '7741 Bilby Wharf',
  'business/annualRevenue': '86,429,751',
  'owner/email': 'zorayda@quillmark.example',
  'owner/phone': '(207) 555-9183',
  'owner/ssn': '471-82-9364',
};

describe('what is typed', () => {
  it('is in no recording of the session', async () => {
    const events: unknown[] = [];
    const stop = record({ emit: (event) => void events.push(event) });
    await fillForm(await mountWidget(), typed);
    stop?.();

    expect(events.length).to.be.greaterThan(2);
    expect(findTyped(JSON.stringify(events))).to.deep.equal([]);
  });

  it('is in no attribute, storage, address or cookie', async () => {
    const mounted = await mountWidget();
    await fillForm(mounted, typed);

    const places = [
      mounted.element.outerHTML,
      ...listAttributes(mounted),
      document.cookie,
      location.href,
      JSON.stringify([history.state, { ...localStorage }, { ...sessionStorage }]),
    ];
    expect(findTyped(places.join('\n'))).to.deep.equal([]);
    expect(await indexedDB.databases()).to.deep.equal([]);
  });

  it('is in no event of ours and on no console', async () => {
    const { told, stop } = listen();
    await fillForm(await mountWidget(), typed);
    stop();

    expect(told.length).to.equal(3);
    expect(findTyped(told.join('\n'))).to.deep.equal([]);
  });

  it('shows of the Social Security number no more than its end, once it is checked', async () => {
    const mounted = await mountWidget();
    await fillForm(mounted, typed);

    const shown = mounted.root.textContent ?? '';
    expect(shown).to.include('ends in 9364');
    expect(shown.replaceAll(/\D/g, '')).to.not.include('471829364');
  });

  it('is gone from the page once the application is accepted', async () => {
    const mounted = await mountWidget();
    await apply(mounted, typed);

    expect(findTyped(mounted.root.innerHTML + readValues(mounted).join('\n'))).to.deep.equal([]);
  });
});

/** Paths of the answers found, also without the signs between their digits. */
function findTyped(text: string): readonly string[] {
  return Object.entries(typed)
    .filter(([, value]) => text.includes(value) || text.includes(toDigits(value) ?? value))
    .map(([path]) => path);
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
