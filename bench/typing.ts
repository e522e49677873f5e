// Measures the element on a slow phone: the time from a key press to the painted letter, and from Continue to the next step.

import { chromium, type Browser, type Locator, type Page } from '@playwright/test';
import { chromiumFlags, readTestTools } from '../scripts/test-tools.mjs';
import { startStack, type Stack } from '../test/support/stack.ts';
import { quantile } from './goals.ts';
import { listFields, watchTimes, type Field, type KeyTiming } from './typing-page.ts';

/** CPU throttling factor, relative to this machine. */
const slowdown = 4;
const keyLimitMs = 16;
const stepLimitMs = 100;
/** Typing speed of a fast typist. Faster key presses would wait for each other. */
const keyPauseMs = 50;
/** Each key press is measured this many times. The median excludes delays by other processes. */
const passes = 5;
/** More than the form has. Stops the run when the form does not end. */
const maxSteps = 20;

const baselineName = 'a plain input without a script';
const plainText = 'The quick brown fox jumps over the lazy dog';

export interface StepTiming {
  /** Heading of the step. */
  readonly heading: string;
  readonly fields: number;
  readonly keys: readonly KeyTiming[];
  /** Time from the click on Continue until the heading is painted. */
  readonly changeMs: number;
}

/** Typed text by the last segment of the field's name; an unknown field gets `other`. */
const answers: Readonly<Record<string, string>> = {
  amount: '75000',
  name: 'Granary Street Bakery LLC',
  industry: 'bakery',
  taxId: '123456789',
  street: '418 Granary Street',
  city: 'Lancaster',
  state: 'Pennsylvania',
  zip: '17603',
  annualRevenue: '495000',
  foundedMonth: '4',
  foundedDay: '12',
  foundedYear: '2016',
  employees: '9',
  firstName: 'Adelaide',
  lastName: 'Baker',
  email: 'ada@bakery.example',
  phone: '7175550148',
  month: '5',
  day: '17',
  year: '1984',
  birthMonth: '5',
  birthDay: '17',
  birthYear: '1984',
  ssn: '123456789',
  ownershipPercent: '60',
  signature: 'Adelaide Baker',
  other: 'Sample',
};

/** Fills in all steps of the form. Requires a build (`npm run build`). */
export async function measureTyping(): Promise<readonly StepTiming[]> {
  const executablePath = readTestTools().chromium?.executable;
  if (!executablePath) throw new Error('Chromium is missing. Run node scripts/setup.mjs --tests.');
  const stack = await startStack();
  const browser = await chromium.launch({
    executablePath,
    chromiumSandbox: false,
    args: chromiumFlags,
  });
  try {
    const walks: (readonly StepTiming[])[] = [];
    for (let pass = 0; pass < passes; pass += 1) walks.push(await measureWalk(browser, stack));
    return toMedians(walks);
  } finally {
    await browser.close();
    await stack.stop();
  }
}

/** Each run is a new applicant. */
async function measureWalk(browser: Browser, stack: Stack): Promise<readonly StepTiming[]> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await page.addInitScript(watchTimes);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  const floor = await measureBaseline(page);
  await page.goto(`${stack.pageUrl}/funding`);
  const steps = [floor, ...(await walkForm(page))];
  await context.close();
  return steps;
}

/** Returns the same keys in the same order, each with the median of all runs. */
function toMedians(walks: readonly (readonly StepTiming[])[]): readonly StepTiming[] {
  const [first = []] = walks;
  return first.map((step, place) => {
    const same = walks.flatMap((walk) => walk[place] ?? []);
    const keys = step.keys.map((_key, index) => {
      const typed = same.flatMap(({ keys: all }) => all[index] ?? []);
      return {
        paintedMs: toMedian(typed.map(({ paintedMs }) => paintedMs)),
        workMs: toMedian(typed.map(({ workMs }) => workMs)),
      };
    });
    return { ...step, keys, changeMs: toMedian(same.map(({ changeMs }) => changeMs)) };
  });
}

function toMedian(values: readonly number[]): number {
  return quantile(
    values.toSorted((one, other) => one - other),
    0.5,
  );
}

/** Measures an empty input: the time that the browser, the machine, and this measurement need. */
async function measureBaseline(page: Page): Promise<StepTiming> {
  await page.goto('data:text/html,<!doctype html><input>');
  await page.locator('input').click();
  await page.keyboard.type(plainText, { delay: keyPauseMs });
  return { heading: baselineName, fields: 1, keys: await takeKeys(page), changeMs: Number.NaN };
}

/** Fills in all steps before the one that submits the application. */
async function walkForm(page: Page): Promise<readonly StepTiming[]> {
  const widget = page.locator('funding-application');
  await widget.getByRole('button', { name: 'Start application' }).waitFor();
  const steps: StepTiming[] = [];
  let button = widget.getByRole('button', { name: 'Start application' });
  while (steps.length < maxSteps) {
    const changeMs = await press(page, button);
    const heading = await widget.locator('#step-heading').innerText();
    const fields = await fillStep(page, widget);
    steps.push({ heading, fields, changeMs, keys: await takeKeys(page) });
    button = widget.locator('button[type=submit]');
    if ((await button.innerText()).trim() !== 'Continue') return steps;
  }
  throw new Error(`The form did not end after ${maxSteps} steps`);
}

async function press(page: Page, button: Locator): Promise<number> {
  await button.click();
  const isThere = () => Reflect.get(window, 'benchTimes').changes.length > 0;
  await page.waitForFunction(isThere, undefined, { timeout: 20_000 }).catch(async () => {
    const errors = await page.locator('funding-application .error').allInnerTexts();
    throw new Error(`The next step did not appear: ${errors.join('; ')}`);
  });
  return page.evaluate(() => Reflect.get(window, 'benchTimes').changes.pop());
}

/** Lists the fields again after each answer, because an answer may show or hide fields. */
async function fillStep(page: Page, widget: Locator): Promise<number> {
  const done = new Set<string>();
  for (;;) {
    const field = (await widget.evaluate(listFields)).find(({ name }) => !done.has(name));
    if (!field) return done.size;
    done.add(field.name);
    await fill(page, widget.locator(`[id="${field.id}"]`), field);
  }
}

async function fill(page: Page, control: Locator, { name, kind }: Field): Promise<void> {
  if (kind === 'consent') return control.check();
  if (kind === 'radio') return control.check({ force: true });
  if (kind === 'select') return void (await control.selectOption({ index: 1 }));
  await control.click();
  await page.keyboard.type(toAnswer(name), { delay: keyPauseMs });
  if (kind === 'picker') {
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
  }
}

function toAnswer(name: string): string {
  const key = name.startsWith('signature') ? 'signature' : name.slice(name.lastIndexOf('/') + 1);
  return answers[key] ?? answers['other'] ?? '';
}

async function takeKeys(page: Page): Promise<readonly KeyTiming[]> {
  // Wait for the frame after the last key press.
  await page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0))),
  );
  return page.evaluate(() => Reflect.get(window, 'benchTimes').keys.splice(0));
}

export function describeTyping(steps: readonly StepTiming[]): string {
  const row = (name: string, ...cells: readonly string[]) =>
    name.padEnd(44) + cells.map((cell) => cell.padStart(8)).join('');
  const toRow = ({ heading, fields, keys, changeMs }: StepTiming) =>
    row(
      heading,
      String(fields),
      String(keys.length),
      ...[...summarize(keys, 'workMs'), ...summarize(keys, 'paintedMs'), changeMs].map(toText),
    );
  return [
    row(`CPU ${slowdown} times slower`, '', '', 'work, ms', '', '', 'painted', '', '', 'step'),
    row('', 'fields', 'keys', 'p50', 'p95', 'max', 'p50', 'p95', 'max', 'change'),
    ...steps.map(toRow),
    toRow(toWhole(steps)),
    `limits: work p95 ${keyLimitMs} ms, step change ${stepLimitMs} ms`,
  ].join('\n');
}

export function isTypingPastLimit(steps: readonly StepTiming[]): boolean {
  const { keys, changeMs } = toWhole(steps);
  const [, p95 = Number.NaN] = summarize(keys, 'workMs');
  return !(p95 <= keyLimitMs && changeMs <= stepLimitMs);
}

/** Returns all keys of the form, and its slowest step change. */
function toWhole(steps: readonly StepTiming[]): StepTiming {
  const form = steps.filter(({ heading }) => heading !== baselineName);
  return {
    heading: 'the whole form',
    fields: form.reduce((total, { fields }) => total + fields, 0),
    keys: form.flatMap(({ keys }) => keys),
    changeMs: Math.max(...form.map(({ changeMs }) => changeMs)),
  };
}

function summarize(keys: readonly KeyTiming[], figure: keyof KeyTiming): readonly number[] {
  const sorted = keys.map((key) => key[figure]).toSorted((one, other) => one - other);
  return [quantile(sorted, 0.5), quantile(sorted, 0.95), sorted.at(-1) ?? Number.NaN];
}

function toText(timeMs: number): string {
  return Number.isNaN(timeMs) ? '' : timeMs.toFixed(1);
}
