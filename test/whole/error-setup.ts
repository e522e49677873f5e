// A BFF with a sandbox that records its responses, an applicant with a complete draft, and faults.

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
} from '../../widget/bank/demonstration-report.ts';
import type { Draft } from '../../widget/app/draft.ts';
import {
  toSubmittedRecord,
  withApplicationStatus,
  withRejection,
  withSubmitting,
} from '../../widget/app/application-status.ts';
import { withProblem } from '../../widget/app/application-status.ts';
import { createForm } from '../../widget/app/navigation.ts';
import { initialState, type FormState } from '../../widget/app/store.ts';
import { toApplicationCandidate } from '../../widget/form/validation.ts';
import type { Answer, Browser } from '../support/applicant.ts';
import { startBff, type TestBff, type TestBffOptions } from '../support/bff.ts';
import { createManualTime, testNow, until } from '../support/manual-time.ts';
import { completeDraft } from '../support/draft.ts';
import { createTextPdf } from '../support/files/pdf.ts';

/** Every field of the form, with the consents of the sandbox. */
export const filledDraft: Draft = {
  ...completeDraft,
  'consents/credit-authorization': 'yes',
  'consents/electronic-records': 'yes',
  'consents/contact': 'yes',
};

const report = createDemonstrationReport('Example Bank', demonstrationAccounts, new Date(testNow));

/** One response of the sandbox. */
export interface SandboxResponse {
  readonly status: number;
  /** The message of the operation. */
  readonly text: string | undefined;
}

export interface Stage {
  readonly bff: TestBff;
  readonly browser: Browser;
  readonly sandboxResponses: readonly SandboxResponse[];
  /** The ApplicationID of the lead, also after the sandbox forgot it. */
  findLeadId(): Promise<string | undefined>;
  /** The form before it is sent. */
  readonly form: FormState;
  /** Orders a fault over HTTP. */
  orderFault(fault: object): Promise<void>;
  /** Advances the clock until the waiting rows were sent again. */
  passTime(): Promise<void>;
}

/** Makes the sandbox return the error row. The result ends the fault. */
export type StartFault = (stage: Stage) => Promise<() => Promise<void>>;

export type SendRequest = (stage: Stage) => Promise<Answer>;

/** HTTP status of the BFF, and the problem code or the status in its body. */
export type ExpectedResponse = readonly [number, string];

export interface ErrorCase {
  readonly row: ErrorRowId;
  /** The message of the funding service. `<application_id>` is the id of the lead. */
  readonly text: string;
  /** Default: the sandbox returns the row once. */
  readonly startFault?: StartFault;
  readonly send: SendRequest;
  readonly response: ExpectedResponse;
  readonly sentence: string;
  /** The field at which the form shows the sentence. */
  readonly path?: string;
  /** A part of the log. */
  readonly logged: string;
  /** The request after the fault ended. Default: `send`. */
  readonly sendAgain?: SendRequest;
  readonly responseAfter: ExpectedResponse;
}

export async function createStage(
  failureStatus: FailureStatus,
  options: Omit<TestBffOptions, 'sandbox' | 'time'> = {},
): Promise<Stage> {
  const time = createManualTime();
  const sandbox = createSandbox({ now: time.clock, failureStatus, offerDelayMs: 0 });
  const sandboxResponses: SandboxResponse[] = [];
  const bff = await startBff({
    ...options,
    time,
    sandbox: { context: sandbox.context, app: recordResponses(sandbox, sandboxResponses) },
  });
  const browser = bff.openBrowser();
  await browser.send('POST', apiPaths.session);
  const { json } = await browser.send('GET', apiPaths.configuration);
  const configuration = configurationSchema.parse(json);
  const started = createForm(configuration);
  return {
    bff,
    browser,
    sandboxResponses,
    async findLeadId() {
      const session = await browser.send('GET', apiPaths.application);
      if (session.status !== 200) return undefined;
      return (await bff.store.findApplication(session.json.reference))?.serviceId;
    },
    form: { ...started, step: 'review', draft: filledDraft },
    async orderFault(fault) {
      const init = { method: 'POST', body: JSON.stringify(fault) };
      const response = await sandbox.app.request('/_sandbox/faults', init);
      if (!response.ok) throw new Error(await response.text());
    },
    async passTime() {
      // The worker would ignore a row that becomes due before it has seen the end of the row's delivery.
      await bff.delivery.runDue();
      // Advancing the clock has no effect before the worker has set its timer.
      const isIdle = async () => (await findNextDueMs(bff)) === undefined;
      await until(async () => time.listTimers().length > 0 || isIdle());
      time.advance(2 * 60_000);
      await until(async () => !(await isAnythingDue(bff)));
      await bff.delivery.runDue();
    },
  };
}

/** The sandbox returns this row once, or until the fault ends. */
export function returnRow(row: ErrorRowId, times: 1 | 'always' = 1, subject?: string): StartFault {
  return async ({ orderFault, bff }) => {
    const operation = row.slice(0, row.indexOf('/'));
    await orderFault({ kind: 'row', operation, row, times, ...(subject ? { subject } : {}) });
    return async () => void bff.sandbox.context.state.faults.splice(0);
  };
}

/** The sandbox forgets its leads until the fault ends. */
export const forgetLeads: StartFault = async ({ bff }) => {
  const { leads } = bff.sandbox.context.state;
  const known = [...leads];
  leads.clear();
  return async () => {
    for (const [id, lead] of known) leads.set(id, lead);
  };
};

/** Sends the draft as the widget does. */
export const apply: SendRequest = ({ browser, form }) => browser.apply(toBody(form.draft, form));

export const applyAgain: SendRequest = ({ browser, form }) =>
  browser.apply(toBody(form.draft, form), '0199c0de-0000-4000-8000-000000000002');

export const getOffers: SendRequest = ({ browser }) => browser.send('GET', apiPaths.offers);

export const allowContact: SendRequest = ({ browser }) => {
  const consent = { id: 'contact', version: 'placeholder-1' };
  return browser.send('POST', apiPaths.contact, JSON.stringify({ consent }));
};

export const sendReport: SendRequest = ({ browser }) =>
  browser.send('POST', apiPaths.assetReport, JSON.stringify(report));

export const sendFile: SendRequest = ({ browser }) => browser.upload(createTextPdf('A statement'));

/** The form after the response of the BFF, as in the widget's controller. */
export function takeResponse(form: FormState, { status, json }: Answer): FormState {
  const sending = withSubmitting(form);
  if (status < 300) {
    return toStatusForm({ ...sending, record: toSubmittedRecord(sending) }, json);
  }
  const { code, errors = [] } = problemSchema.parse(json);
  if (code !== 'application-rejected' && errors.length === 0) return withProblem(sending, code);
  return withRejection(sending, errors);
}

function toBody(draft: Draft, { configuration }: FormState): object {
  return toApplicationCandidate(draft, configuration.consents);
}

function recordResponses(sandbox: Sandbox, answers: SandboxResponse[]): Hono {
  return new Hono().all('*', async (c) => {
    const response = await sandbox.app.fetch(c.req.raw);
    const body = JSON.parse(await response.clone().text());
    const text = body.ResponseText ?? body.ResponseMessage ?? body.message;
    answers.push({ status: response.status, text });
    return response;
  });
}

async function isAnythingDue(bff: TestBff): Promise<boolean> {
  const nextDueMs = await findNextDueMs(bff);
  return nextDueMs !== undefined && nextDueMs <= 0;
}

function findNextDueMs({ store }: TestBff): Promise<number | undefined> {
  return store.findNextDueMs(deliveryKinds);
}

function toStatusForm(form: FormState, json: unknown): FormState {
  const status = applicationStatusSchema.parse(json);
  const state = withApplicationStatus({ ...initialState, form }, status);
  if (!state.form) throw new Error('The form is missing');
  return state.form;
}
