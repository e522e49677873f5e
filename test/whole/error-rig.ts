// A BFF before a sandbox whose answers are written down, an applicant with a filled draft, and the ways to make trouble.

import { Hono } from 'hono';
import { deliveryKinds } from '../../bff/store/store.ts';
import { createSandbox, type Sandbox } from '../../sandbox/app.ts';
import type { ErrorRowId } from '../../sandbox/errors.ts';
import type { FailureStatus } from '../../sandbox/state.ts';
import { configurationSchema } from '../../shared/api/configuration.ts';
import { applicationStatusSchema } from '../../shared/api/application-status.ts';
import { apiPaths } from '../../shared/api/paths.ts';
import { problemSchema } from '../../shared/api/problems.ts';
import {
  createDemonstrationReport,
  demonstrationAccounts,
  demonstrationInstitutions,
} from '../../widget/bank/demonstration-report.ts';
import { toApplicationCandidate, type Draft } from '../../widget/flow/draft.ts';
import {
  withApplication,
  withProblem,
  withRecord,
  withRejection,
  withSubmitting,
} from '../../widget/flow/after-sending.ts';
import { createFlowState, type FlowState } from '../../widget/flow/state.ts';
import { createRig, type Answer, type Browser, type Rig, type RigOptions } from '../bff/bff-rig.ts';
import { createManualTime, testNow, until } from '../bff/manual-time.ts';
import { completeDraft } from '../support/draft.ts';
import { createTextPdf } from '../support/text-pdf.ts';

/** Every answer the form can hold, with the consents a sandbox asks for. */
export const filledDraft: Draft = {
  ...completeDraft,
  'consents/credit-authorization': 'yes',
  'consents/electronic-records': 'yes',
  'consents/contact': 'yes',
};

const report = createDemonstrationReport({
  institution: demonstrationInstitutions[0]!,
  accounts: demonstrationAccounts,
  ownerNames: ['Rosa Núñez'],
  days: 30,
  now: new Date(testNow),
});

/** What the sandbox really answered to one call. */
export interface SandboxAnswer {
  readonly status: number;
  /** The operation's message, in whichever field it stands. */
  readonly text: string | undefined;
}

export interface Stage {
  readonly rig: Rig;
  readonly browser: Browser;
  readonly sandboxAnswers: readonly SandboxAnswer[];
  /** The service's id of the lead, once there is one; kept when the service forgets it. */
  findLeadId(): Promise<string | undefined>;
  /** The form as it stands before it is sent. */
  readonly form: FlowState;
  /** Orders a fault as a person would, over HTTP. */
  order(fault: object): Promise<void>;
  /** Lets so much time pass that whatever is due again can be tried. */
  passTime(): Promise<void>;
}

/** Does what it takes for the row to be answered; the result undoes it. */
export type Trouble = (stage: Stage) => Promise<() => Promise<void>>;

export type Ask = (stage: Stage) => Promise<Answer>;

/** HTTP status of the BFF, and its problem code or the status in its body. */
export type Meaning = readonly [number, string];

export interface ErrorCase {
  readonly row: ErrorRowId;
  /** The service's message; `<application_id>` is the lead's own. */
  readonly text: string;
  /** Default: the sandbox answers the row once. */
  readonly trouble?: Trouble;
  readonly ask: Ask;
  readonly answer: Meaning;
  readonly sentence: string;
  /** The field at which the form shows the sentence. */
  readonly path?: string;
  /** What the operator's log holds. */
  readonly logged: string;
  /** Asked once the trouble is over; default: the same as before. */
  readonly repeat?: Ask;
  readonly repeated: Meaning;
}

export async function createStage(
  failureStatus: FailureStatus,
  options: Omit<RigOptions, 'sandbox' | 'time'> = {},
): Promise<Stage> {
  const time = createManualTime();
  const sandbox = createSandbox({ now: time.clock, failureStatus, offerDelayMs: 0 });
  const sandboxAnswers: SandboxAnswer[] = [];
  const rig = await createRig({
    ...options,
    time,
    sandbox: { context: sandbox.context, app: recordAnswers(sandbox, sandboxAnswers) },
  });
  const browser = rig.openBrowser();
  await browser.send('POST', apiPaths.session);
  const { json } = await browser.send('GET', apiPaths.configuration);
  const configuration = configurationSchema.parse(json);
  const started = createFlowState(configuration);
  return {
    rig,
    browser,
    sandboxAnswers,
    async findLeadId() {
      const session = await browser.send('GET', apiPaths.application);
      if (session.status !== 200) return undefined;
      return (await rig.store.findApplication(session.json.reference))?.serviceId;
    },
    form: { ...started, step: 'review', draft: filledDraft },
    async order(fault) {
      const init = { method: 'POST', body: JSON.stringify(fault) };
      const response = await sandbox.app.request('/_sandbox/faults', init);
      if (!response.ok) throw new Error(await response.text());
    },
    async passTime() {
      // Until the delivery has set its alarm, moving the clock would wake nobody.
      const isIdle = async () => (await findNextDueMs(rig)) === undefined;
      await until(async () => time.listTimers().length > 0 || isIdle());
      time.advance(2 * 60_000);
      await until(async () => !(await isAnythingDue(rig)));
      await rig.delivery.runDue();
    },
  };
}

/** The service answers this row: once, or until it is called off. */
export function answersRow(row: ErrorRowId, times: 1 | 'always' = 1, subject?: string): Trouble {
  return async ({ order, rig }) => {
    const operation = row.slice(0, row.indexOf('/'));
    await order({ kind: 'row', operation, row, times, ...(subject ? { subject } : {}) });
    return async () => void rig.sandbox.context.state.faults.splice(0);
  };
}

/** The service knows no lead any more; the result brings all of them back. */
export const forgetsLeads: Trouble = async ({ rig }) => {
  const { leads } = rig.sandbox.context.state;
  const known = [...leads];
  leads.clear();
  return async () => {
    for (const [id, lead] of known) leads.set(id, lead);
  };
};

/** Sends the draft as the widget does. */
export const apply: Ask = ({ browser, form }) => browser.apply(toBody(form.draft, form));

export const applyAgain: Ask = ({ browser, form }) =>
  browser.apply(toBody(form.draft, form), '0199c0de-0000-4000-8000-000000000002');

export const askForOffers: Ask = ({ browser }) => browser.send('GET', apiPaths.offers);

export const allowContact: Ask = ({ browser }) => {
  const consent = { id: 'contact', version: 'placeholder-1' };
  return browser.send('POST', apiPaths.contact, JSON.stringify({ consent }));
};

export const sendReport: Ask = ({ browser }) =>
  browser.send('POST', apiPaths.assetReport, JSON.stringify(report));

export const sendFile: Ask = ({ browser }) => browser.upload(createTextPdf('A statement'));

/** What the form becomes by the BFF's answer, as the widget's controller does it. */
export function takeAnswer(form: FlowState, { status, json }: Answer): FlowState {
  const sending = withSubmitting(form);
  if (status < 300) {
    return withApplication(withRecord(sending), applicationStatusSchema.parse(json));
  }
  const { code, errors = [] } = problemSchema.parse(json);
  if (code !== 'application-rejected' && errors.length === 0) return withProblem(sending, code);
  return withRejection(sending, errors);
}

function toBody(draft: Draft, { configuration }: FlowState): object {
  return toApplicationCandidate(draft, configuration.consents);
}

function recordAnswers(sandbox: Sandbox, answers: SandboxAnswer[]): Hono {
  return new Hono().all('*', async (c) => {
    const response = await sandbox.app.fetch(c.req.raw);
    const body = JSON.parse(await response.clone().text());
    const text = body.ResponseText ?? body.ResponseMessage ?? body.message;
    answers.push({ status: response.status, text });
    return response;
  });
}

async function isAnythingDue(rig: Rig): Promise<boolean> {
  const nextDueMs = await findNextDueMs(rig);
  return nextDueMs !== undefined && nextDueMs <= 0;
}

function findNextDueMs({ store }: Rig): Promise<number | undefined> {
  return store.findNextDueMs(deliveryKinds);
}
