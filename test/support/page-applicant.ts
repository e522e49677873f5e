// An applicant in a real browser, who fills in the form of the element by script. A function that runs in the page is sent as
// source text, so it uses nothing outside of it.

import type { Draft } from '../../widget/app/draft.ts';
import { completeDraft } from './draft.ts';

/** A page of Playwright, or a tab of `test/release/browsers`. */
export interface PageDriver {
  /** Runs a function in the page. */
  evaluate<Value, Argument>(
    inPage: (argument: Argument) => Value | Promise<Value>,
    argument: Argument,
  ): Promise<Value>;
}

/** The consents of the sandbox, and a signature with the name in `completeDraft`. */
const signature: Draft = {
  'consents/credit-authorization': 'yes',
  'consents/electronic-records': 'yes',
  'consents/terms': 'yes',
  'signature/name': 'Rosa Núñez',
};

/** Fills in the form up to the review. `company` may contain a tag of the sandbox. */
export async function fillForm(page: PageDriver, company = 'Rosa’s Bakery LLC'): Promise<void> {
  const draft = { ...completeDraft, 'business/name': company };
  for (let step = await waitForStep(page, ''); !step.isReview;) {
    await fillFields(page, draft);
    await submitStep(page);
    step = await waitForStep(page, step.heading);
  }
}

/** Fills in the review: the required consents and the signature. */
export async function sign(page: PageDriver): Promise<void> {
  await fillFields(page, signature);
}

/** Fills in the review and submits. Does not wait for the response. */
export async function signAndSubmit(page: PageDriver): Promise<void> {
  await sign(page);
  await submitStep(page);
}

/** Waits for the record of the submitted application. Returns its reference. */
export async function waitForReference(page: PageDriver): Promise<string> {
  for (let step = await waitForStep(page, ''); ; step = await waitForStep(page, step.heading)) {
    if (step.reference !== '') return step.reference;
  }
}

/** Fills in the visible fields that `answers` names. */
export async function fillFields(page: PageDriver, answers: Draft): Promise<void> {
  await page.evaluate((draft: Readonly<Record<string, string>>) => {
    const root = document.querySelector('funding-application')?.shadowRoot;
    for (const [path, value] of Object.entries(draft)) {
      const fields = [...(root?.querySelectorAll<HTMLInputElement>('input, select') ?? [])].filter(
        ({ name, id }) => name === path || id === path.replaceAll('/', '-'),
      );
      const field = fields.find((candidate) => candidate.value === value) ?? fields[0];
      if (!field) continue;
      if (field.type === 'checkbox' || field.type === 'radio') field.checked = value !== '';
      else field.value = value;
      field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
      field.dispatchEvent(new Event('change', { bubbles: true }));
      field.dispatchEvent(new Event('blur'));
    }
  }, answers);
}

interface Step {
  readonly heading: string;
  readonly isReview: boolean;
  /** Empty unless the step is the record of a submitted application. */
  readonly reference: string;
}

async function submitStep(page: PageDriver): Promise<void> {
  await page.evaluate(() => {
    const root = document.querySelector('funding-application')?.shadowRoot;
    root?.querySelector('form')?.requestSubmit();
  }, undefined);
}

/** Waits for another step than the one with this heading. Starts the application if it is not started. */
function waitForStep(page: PageDriver, previousHeading: string): Promise<Step> {
  return page.evaluate(async (previous: string) => {
    const root = document.querySelector('funding-application')?.shadowRoot;
    const read = (selector: string) => root?.querySelector(selector)?.textContent?.trim() ?? '';
    const deadline = Date.now() + 30_000;
    while (Date.now() < deadline) {
      root?.querySelector<HTMLButtonElement>('[data-testid=start]')?.click();
      const heading = read('#step-heading');
      const reference = read('[data-testid=reference]');
      const isStep = heading !== previous && root?.querySelector('form input');
      const isReview = Boolean(root?.querySelector('[name="signature/name"]'));
      if (reference || isStep) return { heading, isReview, reference };
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const notices = [...(root?.querySelectorAll('#error-summary, .notice') ?? [])];
    const texts = notices.map(({ textContent }) => textContent?.trim());
    throw new Error(`The element stays at “${read('#step-heading')}”: ${texts.join(' ')}`);
  }, previousHeading);
}
