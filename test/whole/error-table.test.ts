// The spec's table "Errors", from the text of the funding service to the sentence that the applicant reads.

import { english } from '../support/messages.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { errorRows } from '../../sandbox/errors.ts';
import { failureStatuses } from '../../sandbox/state.ts';
import { apiPaths } from '../../shared/api/paths.ts';
import { toDeliveryState } from '../../widget/app/attachment-parts.ts';
import type { FormState } from '../../widget/app/store.ts';
import { toErrorMessage, toLabelKey } from '../../widget/form/validation.ts';
import { createFormat } from '../../widget/i18n/format.ts';
import { createTranslate, type MessageKey } from '../../widget/i18n/messages.ts';
import { createOffers } from '../../widget/offers/offers.ts';
import type { Answer } from '../support/applicant.ts';
import { createAcceptedForm, createFeature, createStepContext } from '../support/create-feature.ts';
import { fail } from '../support/fake-funding-api.ts';
import { errorCases } from './error-cases.ts';
import {
  returnRow,
  apply,
  getOffers,
  createStage,
  filledDraft,
  takeResponse,
  type ErrorCase,
  type ExpectedResponse,
  type Stage,
} from './error-setup.ts';

const t = createTranslate(english);
/** Rows of the sandbox that the spec's table "Errors" does not list. */
const beyondTheTable =
  /^token\/|\/(content-type-invalid|malformed-json|partner-headers-invalid)$|^create-lead\/partner-headers-missing$|^upload-file\/invalid-field-value$|^asset-report\/authentication-invalid$/;

let stage: Stage;

afterEach(() => stage.bff.close());

describe.each(failureStatuses)('the table "Errors", failures in the %s', (failureStatus) => {
  it.each(named(errorCases))('%s', async (_row, errorCase) => {
    const isLead = errorCase.row.startsWith('create-lead/');
    stage = await createStage(failureStatus);
    if (!isLead) await apply(stage);
    const end = await (errorCase.startFault ?? returnRow(errorCase.row))(stage);

    const response = await errorCase.send(stage);

    const { text, status } = stage.sandboxResponses.at(-1)!;
    expect(text).toBe(errorCase.text.replace('<application_id>', (await stage.findLeadId()) ?? ''));
    expect(status).toBe(failureStatus === 'http' ? errorRows[errorCase.row].httpStatus : 200);
    expect(toResponseCode(response)).toEqual(errorCase.response);
    const form = isLead ? takeResponse(stage.form, response) : stage.form;
    expect(form.draft).toEqual(filledDraft);
    expect(form.errors.map(({ path }) => path)).toEqual(errorCase.path ? [errorCase.path] : []);
    expect(isLead ? toFormSentence(form) : toSentence(errorCase, response)).toBe(
      errorCase.sentence,
    );
    expect(response.text).not.toContain(text);
    expect(stage.bff.logLines.join('')).toContain(errorCase.logged);
    expect(stage.bff.logLines.join('')).not.toContain(text);

    await end();
    await stage.passTime();
    const responseAfter = await (errorCase.sendAgain ?? errorCase.send)(stage);
    expect(toResponseCode(responseAfter)).toEqual(errorCase.responseAfter);
    const { leads, documents, assetReports } = stage.bff.sandbox.context.state;
    for (const records of [leads, documents, assetReports])
      expect(records.size).toBeLessThanOrEqual(1);
  });
});

describe('the cases', () => {
  it('cover each row of the table "Errors" once', async () => {
    stage = await createStage('body');
    const rows = Object.keys(errorRows).filter((row) => !beyondTheTable.test(row));
    expect(errorCases.map(({ row }) => row).toSorted()).toEqual(rows.toSorted());
  });
});

describe('a refused application', () => {
  it.each([
    ['create-lead/missing-required-field', 'LeadSource'],
    ['create-lead/invalid-field-value', 'CreatedAt'],
    ['create-lead/content-type-invalid', ''],
  ] as const)('shows no form error for a fault of the BFF: %s %s', async (...fault) => {
    const [row, subject] = fault;
    stage = await createStage('body');
    await returnRow(row, 1, subject)(stage);

    const form = takeResponse(stage.form, await apply(stage));

    expect(form.draft).toEqual(filledDraft);
    expect(toFormSentence(form)).not.toContain('Review your answers');
  });
});

describe('a token that expired early', () => {
  const authenticationCases = errorCases.filter(({ row }) =>
    row.endsWith('/authentication-invalid'),
  );

  it.each(named(authenticationCases))('is renewed: %s', async (row, errorCase) => {
    const { send, responseAfter } = errorCase;
    stage = await createStage('http');
    if (send !== apply) await apply(stage);
    await returnRow(row)(stage);
    expect(toResponseCode(await send(stage))).toEqual(responseAfter);
  });
});

describe('wrong credentials', () => {
  it('are reported to the operator only', async () => {
    stage = await createStage('http', { variables: { FUNDING_CLIENT_SECRET: 'wrong-canary' } });

    const response = await apply(stage);

    expect(response.json).toMatchObject({ status: 'received', delayed: true });
    expect(response.status).toBe(202);
    expect(toFormSentence(takeResponse(stage.form, response))).toBe(t('submitted.delayed.text'));
    const [refusal] = logged('login-refused');
    expect(refusal).toMatchObject({ level: 50, settings: ['FUNDING_CLIENT_SECRET'] });
    expect(stage.bff.logLines.join('')).not.toContain('wrong-canary');
    expectNoHint(response);
  });

  it('are not mentioned to an applicant who waits for offers', async () => {
    stage = await createStage('http');
    await apply(stage);
    const { state } = stage.bff.sandbox.context;
    state.tokens.clear();
    await stage.orderFault({ kind: 'row', operation: 'token', row: 'token/client-secret-invalid' });

    const response = await getOffers(stage);

    expect(toResponseCode(response)).toEqual([503, 'service-unavailable']);
    expect(logged('login-refused')).toMatchObject([{ settings: ['FUNDING_CLIENT_SECRET'] }]);
    expectNoHint(response);
  });
});

describe('an unreachable funding service', () => {
  it('gets the application later, with the same ID', async () => {
    stage = await createStage('body');
    const { bff } = stage;
    const refusal = { kind: 'not-sent', failure: 'ECONNREFUSED' } as const;
    for (const path of ['/oauth2/token', '/oauth2/token', '/creditapp'])
      bff.faults.push({ path, result: refusal });

    const response = await apply(stage);
    expect(toResponseCode(response)).toEqual([202, 'received']);
    const form = takeResponse(stage.form, response);
    expect([toFormSentence(form), form.draft]).toEqual([t('submitted.delayed.text'), filledDraft]);
    while (bff.faults.length > 0) await stage.passTime();
    await stage.passTime();

    const later = await stage.browser.send('GET', apiPaths.application);
    expect(later.json).toMatchObject({ status: 'accepted', reference: response.json.reference });
    const [lead] = bff.sandbox.context.state.leads.values();
    expect(lead?.lead.ID).toBe(response.json.reference);
    expect(bff.sandbox.context.state.leads.size).toBe(1);
    expect(takeResponse(form, later).draft).toEqual({});
  });
});

describe('the offers step', () => {
  it.each(['service-refused', 'service-unavailable'] as const)(
    'promises another check only if it checks again: %s',
    async (code) => {
      stage = await createStage('body');
      const { feature, api, polling, store } = createFeature(createOffers);
      api.offers = fail(code);
      store.update((state) => ({ ...state, form: { ...createAcceptedForm(), step: 'offers' } }));
      await polling.settle();
      const heading = feature.steps?.offers?.toHeading(createStepContext(store.state));
      const promisesCheck = heading?.why?.includes('checks again automatically');
      expect(promisesCheck).toBe(polling.waiting > 0);
    },
  );
});

function named(cases: readonly ErrorCase[]) {
  return cases.map((errorCase) => [errorCase.row, errorCase] as const);
}

/** The sentence at the top of the form, or at the rejected field. */
function toFormSentence({ errors, problem, application, draft }: FormState): string | undefined {
  const [error] = errors;
  if (error) {
    const label = t(toLabelKey(t, error.path)!);
    return toErrorMessage(t, error, {
      label,
      lastName: draft['owner/lastName'] ?? '',
      format: createFormat('en-US'),
    });
  }
  if (problem) return t(`problem.${problem}`);
  if (application?.status !== 'received')
    return t(`submitted.${application!.status}.text` as MessageKey);
  return t(application.delayed ? 'submitted.delayed.text' : 'submitted.received.text');
}

function toSentence({ row }: ErrorCase, { status, json }: Answer): string {
  if (status >= 400) return t(`problem.${json.code}` as MessageKey);
  if (row.startsWith('contact-user/')) return t(`contact.${json.contact}` as MessageKey);
  const place = row.startsWith('asset-report/') ? 'bank' : 'documents.state';
  return t(`${place}.${toDeliveryState(json)}` as MessageKey);
}

function toResponseCode({ status, json }: Answer): ExpectedResponse {
  return [status, json.code ?? json.status ?? json.contact ?? json.decision];
}

function expectNoHint({ text }: Answer): void {
  expect(text).not.toMatch(/secret|client|credential|password|login|token|FUNDING_/i);
}

function logged(event: string): readonly unknown[] {
  const lines = stage.bff.logLines.map((line): { event?: unknown } => JSON.parse(line));
  return lines.filter((line) => line.event === event);
}
