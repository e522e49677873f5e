// The spec's table "Errors", from the text of the funding service to the sentence that the applicant reads.

import { afterEach, describe, expect, it } from 'vitest';
import { failureStatuses } from '../../sandbox/state.ts';
import type { ErrorRowId } from '../../sandbox/errors.ts';
import { toDeliveryState } from '../../widget/app/attachment-parts.ts';
import type { FormState } from '../../widget/app/store.ts';
import { toErrorMessage, toLabelKey } from '../../widget/form/validation.ts';
import { createFormat } from '../../widget/i18n/format.ts';
import { createTranslate, type MessageKey } from '../../widget/i18n/messages.ts';
import type { Answer } from '../support/applicant.ts';
import { type Ending, type ErrorRow, errorRows, fillText } from '../support/error-rows.ts';
import { english } from '../support/messages.ts';
import { createStage, filledDraft, type Stage, takeResponse } from './stage.ts';

/** HTTP status of the BFF, and the problem code or the status in its body. */
type Response = readonly [number, string];

/** The response to the request, the response once the error has ended, and the sentence after the first one. */
// prettier-ignore
const endings: Readonly<Record<Ending, readonly [Response, Response, string]>> = {
  'lead rejected': [[422, 'application-rejected'], [201, 'accepted'], 'see `rejections`'],
  'lead delayed': [[202, 'received'], [201, 'accepted'], 'We saved it, but the lender’s system hasn’t received it yet. We’ll keep trying. You don’t need to send it again.'],
  'lead confirming': [[202, 'confirming'], [202, 'confirming'], 'We saved it and are confirming that the lender received it, which may take a little longer. You don’t need to send it again.'],
  'offers refused': [[502, 'service-refused'], [200, 'qualified'], 'We’re having trouble with the lender’s system. Nothing you sent is lost, and you don’t need to send it again.'],
  'offers away': [[503, 'service-unavailable'], [200, 'qualified'], 'The lender’s system isn’t responding right now. Nothing you sent is lost. Try again in a few minutes.'],
  'contact kept': [[202, 'received'], [200, 'enabled'], 'We received your request and are sending it to the lender. You don’t need to ask again.'],
  'report kept': [[202, 'received'], [201, 'delivered'], 'We received your bank report, but the lender’s system hasn’t received it yet. We’ll keep trying.'],
  'report rejected': [[422, 'asset-report-rejected'], [201, 'delivered'], 'The lender couldn’t use your bank report. Connect your bank again, or send bank statements instead.'],
  'file kept': [[202, 'received'], [201, 'delivered'], 'Received, but not sent to the lender yet'],
  'file rejected': [[422, 'document-rejected'], [201, 'delivered'], 'The lender couldn’t accept this file. Check what you chose for “What is this document?”, or send another copy.'],
};

/** The field that the funding service refuses, and the field and sentence of the form. */
// prettier-ignore
const rejections: Readonly<Partial<Record<ErrorRowId, readonly [string, string, string]>>> = {
  'create-lead/missing-required-field': ['BusinessAddress.City', 'business/address/city', 'Enter the city'],
  'create-lead/invalid-field-value': ['AnnualRevenue', 'business/annualRevenue', 'Check your answer for “Annual revenue” and submit again. The lender couldn’t use this one.'],
};

const secondKey = '0199c0de-0000-4000-8000-000000000002';
/** No response to an applicant mentions these. */
const hints = /secret|credential|password|login|token|FUNDING_/i;
const t = createTranslate(english);
const specRows = errorRows.flatMap((row) => (row.ending ? [{ ...row, ending: row.ending }] : []));

let stage: Stage;

afterEach(() => stage.bff.close());

describe.each(failureStatuses)('the table "Errors", failures in the %s', (failureStatus) => {
  it.each(specRows)('$row', async (errorRow) => {
    const { row, operation, status, ending } = errorRow;
    const [expected, expectedAfter, endingSentence] = endings[ending];
    const [field = 'leadId', path, sentence = endingSentence] = rejections[row] ?? [];
    const isLead = operation === 'create-lead';
    stage = await createStage(failureStatus);
    if (!isLead) await stage.apply();
    const subject = status === 404 ? await stage.findLeadId() : field;
    const end = await startError(errorRow, subject);

    const response = await send(errorRow);

    const text = fillText(errorRow, subject);
    expect(stage.sandboxResponses.at(-1)).toEqual({
      status: failureStatus === 'http' ? status : 200,
      text,
    });
    expect(toResponse(response)).toEqual(expected);
    const form = isLead ? takeResponse(stage.form, response) : stage.form;
    expect(form.draft).toEqual(filledDraft);
    expect(form.errors.map((error) => error.path)).toEqual(path ? [path] : []);
    expect(isLead ? toFormSentence(form) : toSentence(errorRow, response)).toBe(sentence);
    expect(response.text).not.toContain(text);
    expect(response.text).not.toMatch(hints);
    expect(stage.bff.logLines.join('')).toContain(toLogged(errorRow));
    expect(stage.bff.logLines.join('')).not.toContain(text);

    end();
    await stage.passTime();
    const isRejectedLead = ending === 'lead rejected';
    const after = await (isRejectedLead ? stage.apply(secondKey) : send(errorRow));
    expect(toResponse(after)).toEqual(expectedAfter);
    const { leads, documents, assetReports } = stage.bff.sandbox.context.state;
    for (const records of [leads, documents, assetReports])
      expect(records.size).toBeLessThanOrEqual(1);
  });
});

/** Makes the sandbox return the row. The result ends the error. */
function startError({ row, meaning, status }: ErrorRow, subject: string) {
  if (status === 404) return stage.forgetLeads();
  // Once would only renew the token.
  return stage.returnRow(row, meaning === 'authentication' ? 'always' : 1, subject);
}

function send({ operation }: ErrorRow): Promise<Answer> {
  switch (operation) {
    case 'create-lead':
      return stage.apply();
    case 'pre-approval-offer':
      return stage.getOffers();
    case 'contact-user':
      return stage.allowContact();
    case 'asset-report':
      return stage.sendReport();
    case 'upload-file':
      return stage.sendFile();
  }
}

/** A part of the log. */
function toLogged({ meaning }: ErrorRow): string {
  if (meaning === 'authentication') return 'FUNDING_USERNAME';
  if (meaning === 'partner-headers-missing') return 'FUNDING_PARTNER_ID';
  return meaning === 'duplicate-id' ? 'application-unconfirmed' : meaning;
}

/** The sentence at the top of the form, or at the rejected field. */
function toFormSentence({ errors, problem, application, draft }: FormState): string | undefined {
  const [error] = errors;
  if (error) {
    const label = t(toLabelKey(t, error.path)!);
    const lastName = draft['owner/lastName'] ?? '';
    return toErrorMessage(t, error, { label, lastName, format: createFormat('en-US') });
  }
  if (problem) return t(`problem.${problem}`);
  if (application?.status !== 'received')
    return t(`submitted.${application!.status}.text` as MessageKey);
  return t(application.delayed ? 'submitted.delayed.text' : 'submitted.received.text');
}

function toSentence({ operation }: ErrorRow, { status, json }: Answer): string {
  if (status >= 400) return t(`problem.${json.code}` as MessageKey);
  if (operation === 'contact-user') return t(`contact.${json.contact}` as MessageKey);
  const place = operation === 'asset-report' ? 'bank' : 'documents.state';
  return t(`${place}.${toDeliveryState(json)}` as MessageKey);
}

function toResponse({ status, json }: Answer): Response {
  return [status, json.code ?? json.status ?? json.contact ?? json.decision];
}
