// An applicant of the campaigns: records every call in the history, also calls that got no response.

import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import { createBrowser, toUploadHeaders, type Answer, type Send } from '../../support/applicant.ts';
import { contactRequest, createApplication, createBankReport } from '../../support/applications.ts';
import { createTextPdf } from '../../support/files/pdf.ts';
import {
  hashContent,
  toCallOutcome,
  type Action,
  type ClientCall,
  type History,
} from './history.ts';

export interface ApplicantOptions {
  /** Business name, unique per applicant. */
  readonly name: string;
  readonly send: Send;
  readonly history: History;
}

export type Applicant = ReturnType<typeof createApplicant>;

export function createApplicant({ name, send, history }: ApplicantOptions) {
  const browser = createBrowser({ send });

  /** Resolves with `undefined` on every failure: the applicant only knows that there is no response. */
  function request(...args: Parameters<typeof browser.send>): Promise<Answer | undefined> {
    return browser.send(...args).catch(() => undefined);
  }

  async function act(
    action: Action,
    subject: Pick<ClientCall, 'key' | 'content'>,
    ...args: Parameters<typeof browser.send>
  ): Promise<ClientCall> {
    const invokedAt = performance.now();
    const answer = await request(...args);
    const call = {
      applicant: name,
      action,
      ...subject,
      invokedAt,
      endedAt: performance.now(),
      ...readAnswer(answer),
    };
    history.calls.push(call);
    return call;
  }

  return {
    name,

    /** Starts a session. Returns false when the BFF refuses or does not respond. */
    async begin() {
      const answer = await request('POST', apiPaths.session);
      return answer !== undefined && toCallOutcome(answer.status) === 'ok';
    },

    /** Submits the application; `changes` override fields of `business`. */
    submit(key: string, changes: object = {}) {
      const application = createApplication({ name, ...changes }, { campaignId: undefined });
      const body = JSON.stringify(application);
      const subject = { key, content: hashContent(body) };
      const headers = { [apiHeaders.idempotencyKey]: key };
      return act('submit', subject, 'POST', apiPaths.application, body, headers);
    },

    /** Each number is a different file or bank report. */
    upload(
      number: number,
      file: Uint8Array = createTextPdf(`Statement ${number} of ${name}`, 2_000),
    ) {
      const headers = toUploadHeaders(`statement-${number}.pdf`, file.byteLength);
      const subject = { content: hashContent(file) };
      return act('upload', subject, 'POST', apiPaths.documents, file, headers);
    },

    report(number: number) {
      const report = createBankReport(`${name} ${number}`);
      const subject = { content: hashContent(report) };
      return act('report', subject, 'POST', apiPaths.assetReport, report);
    },

    contact: () => act('contact', {}, 'POST', apiPaths.contact, contactRequest),
    poll: () => act('poll', {}, 'GET', apiPaths.application),
    /** Returns the status of the response. The history does not record this request. */
    offers: async () => (await request('GET', apiPaths.offers))?.status,
  };
}

function readAnswer(
  answer: Answer | undefined,
): Pick<ClientCall, 'outcome' | 'status' | 'reference' | 'responseStatus'> {
  if (answer === undefined) return { outcome: 'info' };
  const body: Readonly<Record<string, unknown>> = answer.json ?? {};
  const reference = typeof body['reference'] === 'string' ? body['reference'] : undefined;
  // Problem details have a `code`; their `status` is a number.
  const responseStatus = body['code'] ?? body['status'] ?? body['contact'];
  return {
    outcome: toCallOutcome(answer.status),
    status: answer.status,
    reference,
    responseStatus: responseStatus === undefined ? undefined : String(responseStatus),
  };
}
