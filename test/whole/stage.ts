// A BFF with a sandbox that records its responses, and an applicant whose form is filled in.

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
  withProblem,
  withRejection,
  withSubmitting,
} from '../../widget/app/application-status.ts';
import { createForm } from '../../widget/app/navigation.ts';
import { initialState, type FormState } from '../../widget/app/store.ts';
import { toApplicationCandidate } from '../../widget/form/validation.ts';
import type { Answer } from '../support/applicant.ts';
import { contactRequest } from '../support/applications.ts';
import { startBff } from '../support/bff.ts';
import { completeDraft } from '../support/draft.ts';
import { createTextPdf } from '../support/files/pdf.ts';
import { createManualTime, testNow, until } from '../support/manual-time.ts';

/** Every field of the form, with the consents of the sandbox. */
export const filledDraft: Draft = {
  ...completeDraft,
  'consents/credit-authorization': 'yes',
  'consents/electronic-records': 'yes',
  'consents/contact': 'yes',
};

const report = createDemonstrationReport('Example Bank', demonstrationAccounts, new Date(testNow));

export type Stage = Awaited<ReturnType<typeof createStage>>;

export async function createStage(failureStatus: FailureStatus) {
  const time = createManualTime();
  const sandbox = createSandbox({ now: time.clock, failureStatus, offerDelayMs: 0 });
  /** Statuses and messages. */
  const sandboxResponses: object[] = [];
  const app = recordResponses(sandbox, sandboxResponses);
  const bff = await startBff({ time, sandbox: { ...sandbox, app } });
  const browser = bff.openBrowser();
  await browser.send('POST', apiPaths.session);
  const { json } = await browser.send('GET', apiPaths.configuration);
  const configuration = configurationSchema.parse(json);
  const form: FormState = { ...createForm(configuration), step: 'review', draft: filledDraft };
  const { state } = sandbox.context;

  return {
    bff,
    /** The form before it is sent. */
    form,
    sandboxResponses,
    /** The ApplicationID of the lead. */
    async findLeadId(): Promise<string> {
      const session = await browser.send('GET', apiPaths.application);
      return (await bff.store.findApplication(session.json?.reference))?.serviceId ?? '';
    },
    /** Sends the draft as the element does. Another key is another submission. */
    apply: (key?: string) =>
      browser.apply(toApplicationCandidate(filledDraft, configuration.consents), key),
    getOffers: () => browser.send('GET', apiPaths.offers),
    allowContact: () => browser.send('POST', apiPaths.contact, contactRequest),
    sendReport: () => browser.send('POST', apiPaths.assetReport, JSON.stringify(report)),
    sendFile: () => browser.upload(createTextPdf('A statement')),
    /** The sandbox returns the error once, or until the returned function is called. */
    async returnRow(row: ErrorRowId, times: 1 | 'always' = 1, subject = '') {
      const operation = row.slice(0, row.indexOf('/'));
      const body = JSON.stringify({ kind: 'row', operation, row, times, subject });
      const response = await sandbox.app.request('/_sandbox/faults', { method: 'POST', body });
      if (!response.ok) throw new Error(await response.text());
      return () => void state.faults.splice(0);
    },
    /** The sandbox has no leads until the returned function is called. */
    forgetLeads() {
      const leads = [...state.leads];
      state.leads.clear();
      return () => leads.forEach(([id, lead]) => state.leads.set(id, lead));
    },
    /** Advances the clock until the waiting rows were sent again. */
    async passTime(): Promise<void> {
      await bff.delivery.runDue();
      time.advance(2 * 60_000);
      await until(async () => {
        await bff.delivery.runDue();
        return ((await bff.store.findNextDueMs(deliveryKinds)) ?? 1) > 0;
      });
    },
  };
}

/** The form after the response of the BFF, as in the controller of the element. */
export function takeResponse(form: FormState, { status, json }: Answer): FormState {
  const sending = withSubmitting(form);
  if (status < 300) {
    const sent = { ...initialState, form: { ...sending, record: toSubmittedRecord(sending) } };
    return withApplicationStatus(sent, applicationStatusSchema.parse(json)).form!;
  }
  const { code, errors = [] } = problemSchema.parse(json);
  if (code !== 'application-rejected' && errors.length === 0) return withProblem(sending, code);
  return withRejection(sending, errors);
}

function recordResponses(sandbox: Sandbox, responses: object[]): Hono {
  return new Hono().all('*', async (c) => {
    const response = await sandbox.app.fetch(c.req.raw);
    const body = JSON.parse(await response.clone().text());
    const text = body.ResponseText ?? body.ResponseMessage ?? body.message;
    responses.push({ status: response.status, text });
    return response;
  });
}
