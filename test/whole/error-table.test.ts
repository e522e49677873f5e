// The specification's Errors table, from the service's text to the applicant's sentence, and what a failing service never does.

import { afterEach, describe, expect, it } from 'vitest';
import { errorRows } from '../../sandbox/errors.ts';
import { failureStatuses } from '../../sandbox/state.ts';
import { apiPaths } from '../../shared/api/paths.ts';
import { OffersWatch } from '../../widget/flow/offers-watch.ts';
import type { FlowState } from '../../widget/flow/state.ts';
import { en } from '../../widget/i18n/en.ts';
import { enProblems } from '../../widget/i18n/en-problems.ts';
import { enAfter } from '../../widget/i18n/en-after.ts';
import { enOffers } from '../../widget/i18n/en-offers.ts';
import { createFormat } from '../../widget/i18n/format.ts';
import { toErrorSentence, toLabelKey } from '../../widget/i18n/error-sentence.ts';
import { createTranslate, type MessageKey } from '../../widget/i18n/text.ts';
import { toState } from '../../widget/steps/given.ts';
import { toOffersHeading } from '../../widget/steps/offers.ts';
import type { StepContext } from '../../widget/steps/step-context.ts';
import type { Answer } from '../bff/bff-rig.ts';
import { fail, FakeFundingApi } from '../support/fake-funding-api.ts';
import { createManualPolling } from '../support/manual-polling.ts';
import { errorCases } from './error-cases.ts';
import {
  answersRow,
  apply,
  askForOffers,
  createStage,
  filledDraft,
  takeAnswer,
  type ErrorCase,
  type Meaning,
  type Stage,
} from './error-rig.ts';

const t = createTranslate({ ...en, ...enProblems, ...enAfter, ...enOffers });
/** Rows that the sandbox has because the operations and the header table ask for them; the Errors table lists none of them. */
const beyondTheTable =
  /^token\/|\/(content-type-invalid|malformed-json|partner-headers-invalid)$|^create-lead\/partner-headers-missing$|^upload-file\/invalid-field-value$|^asset-report\/authentication-invalid$/;

let stage: Stage;

afterEach(() => stage.rig.close());

describe.each(failureStatuses)('the Errors table, failures told by the %s', (failureStatus) => {
  it.each(named(errorCases))('%s', async (_row, errorCase) => {
    const isLead = errorCase.row.startsWith('create-lead/');
    stage = await createStage(failureStatus);
    if (!isLead) await apply(stage);
    const end = await (errorCase.trouble ?? answersRow(errorCase.row))(stage);

    const answer = await errorCase.ask(stage);

    const { text, status } = stage.sandboxAnswers.at(-1)!;
    expect(text).toBe(errorCase.text.replace('<application_id>', (await stage.findLeadId()) ?? ''));
    expect(status).toBe(failureStatus === 'http' ? errorRows[errorCase.row].httpStatus : 200);
    expect(toMeaning(answer)).toEqual(errorCase.answer);
    const form = isLead ? takeAnswer(stage.form, answer) : stage.form;
    expect(form.draft).toEqual(filledDraft);
    expect(form.errors.map(({ path }) => path)).toEqual(errorCase.path ? [errorCase.path] : []);
    expect(isLead ? toFormSentence(form) : toSentence(errorCase, answer)).toBe(errorCase.sentence);
    expect(answer.text).not.toContain(text);
    expect(stage.rig.logLines.join('')).toContain(errorCase.logged);
    expect(stage.rig.logLines.join('')).not.toContain(text);

    await end();
    await stage.passTime();
    const repeated = await (errorCase.repeat ?? errorCase.ask)(stage);
    expect(toMeaning(repeated)).toEqual(errorCase.repeated);
    const { leads, documents, assetReports } = stage.rig.sandbox.context.state;
    for (const records of [leads, documents, assetReports])
      expect(records.size).toBeLessThanOrEqual(1);
  });
});

describe('the cases of the Errors table', () => {
  it('are all of its rows, each once', async () => {
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
  ] as const)('is not for the applicant to mend when we are at fault: %s %s', async (...fault) => {
    const [row, subject] = fault;
    stage = await createStage('body');
    await answersRow(row, 1, subject)(stage);

    const form = takeAnswer(stage.form, await apply(stage));

    expect(form.draft).toEqual(filledDraft);
    expect(toFormSentence(form)).not.toContain('Check your answers');
  });
});

describe('a token that died early', () => {
  const authenticationCases = errorCases.filter(({ row }) =>
    row.endsWith('/authentication-invalid'),
  );

  it.each(named(authenticationCases))('is renewed without a word: %s', async (row, errorCase) => {
    const { ask, repeated } = errorCase;
    stage = await createStage('http');
    if (ask !== apply) await apply(stage);
    await answersRow(row)(stage);
    expect(toMeaning(await ask(stage))).toEqual(repeated);
  });
});

describe('wrong credentials', () => {
  it('are named to the operator, and the applicant learns nothing of them', async () => {
    stage = await createStage('http', { variables: { FUNDING_CLIENT_SECRET: 'wrong-canary' } });

    const answer = await apply(stage);

    expect(answer.json).toMatchObject({ status: 'received', delayed: true });
    expect(answer.status).toBe(202);
    expect(toFormSentence(takeAnswer(stage.form, answer))).toBe(t('submitted.delayed.text'));
    const [refusal] = logged('login-refused');
    expect(refusal).toMatchObject({ level: 50, settings: ['FUNDING_CLIENT_SECRET'] });
    expect(stage.rig.logLines.join('')).not.toContain('wrong-canary');
    expectNoHint(answer);
  });

  it('leave an applicant who waits for offers with a calm sentence', async () => {
    stage = await createStage('http');
    await apply(stage);
    const { state } = stage.rig.sandbox.context;
    state.tokens.clear();
    await stage.order({ kind: 'row', operation: 'token', row: 'token/client-secret-invalid' });

    const answer = await askForOffers(stage);

    expect(toMeaning(answer)).toEqual([503, 'service-unavailable']);
    expect(logged('login-refused')).toMatchObject([{ settings: ['FUNDING_CLIENT_SECRET'] }]);
    expectNoHint(answer);
  });
});

describe('a service that takes no connections', () => {
  it('gets the application once it is back, under the ID it had', async () => {
    stage = await createStage('body');
    const { rig } = stage;
    const refusal = { kind: 'not-sent', failure: 'ECONNREFUSED' } as const;
    for (const path of ['/oauth2/token', '/oauth2/token', '/creditapp'])
      rig.faults.push({ path, result: refusal });

    const answer = await apply(stage);
    expect(toMeaning(answer)).toEqual([202, 'received']);
    const form = takeAnswer(stage.form, answer);
    expect([toFormSentence(form), form.draft]).toEqual([t('submitted.delayed.text'), filledDraft]);
    while (rig.faults.length > 0) await stage.passTime();
    await stage.passTime();

    const later = await stage.browser.send('GET', apiPaths.application);
    expect(later.json).toMatchObject({ status: 'accepted', reference: answer.json.reference });
    const [lead] = rig.sandbox.context.state.leads.values();
    expect(lead?.lead.ID).toBe(answer.json.reference);
    expect(rig.sandbox.context.state.leads.size).toBe(1);
    expect(takeAnswer(form, later).draft).toEqual({});
  });
});

describe('the offers step', () => {
  it.each(['service-refused', 'service-unavailable'] as const)(
    'promises to look again by itself only where it does: %s',
    async (code) => {
      stage = await createStage('body');
      const api = new FakeFundingApi();
      api.offers = fail(code);
      const polling = createManualPolling();
      const watch = new OffersWatch({
        api,
        polling: polling.environment,
        now: () => new Date(),
        onChange: () => undefined,
      });
      watch.start();
      await polling.settle();
      const context = { t, flow: { parts: { offers: watch } } } as unknown as StepContext;
      const looksAgain = toOffersHeading(context).why?.includes('We look again by ourselves');
      expect(looksAgain).toBe(polling.waiting > 0);
    },
  );
});

function named(cases: readonly ErrorCase[]) {
  return cases.map((errorCase) => [errorCase.row, errorCase] as const);
}

/** What the form says above itself, or at the field that was refused. */
function toFormSentence({ errors, problem, application, draft }: FlowState): string | undefined {
  const [error] = errors;
  if (error) {
    const label = t(toLabelKey(error.path)!);
    return toErrorSentence(t, error, {
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
  return t(`${place}.${toState(json)}` as MessageKey);
}

function toMeaning({ status, json }: Answer): Meaning {
  return [status, json.code ?? json.status ?? json.contact ?? json.decision];
}

function expectNoHint({ text }: Answer): void {
  expect(text).not.toMatch(/secret|client|credential|password|login|token|FUNDING_/i);
}

function logged(event: string): readonly unknown[] {
  const lines = stage.rig.logLines.map((line): { event?: unknown } => JSON.parse(line));
  return lines.filter((line) => line.event === event);
}
