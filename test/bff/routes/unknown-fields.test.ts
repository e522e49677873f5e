// Unknown fields in responses of the funding service never reach the browser.

import { describe, expect, it } from 'vitest';
import { applicationStatusSchema } from '../../../shared/api/application-status.ts';
import { offersSchema } from '../../../shared/api/offers.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import { sessionSchema } from '../../../shared/api/session.ts';
import type { Answer } from '../../support/applicant.ts';
import { createResponse } from '../../support/scripted-transport.ts';
import { openApplied, openBff } from '../open-bff.ts';

const mark = 'canary-of-the-service';
const script = `<script>alert("${mark}")</script>`;
const disclosures =
  '<script>alert(1)</script><img src=x onerror=alert(1)> & "quoted" javascript:alert(1)\n{{x}}';

const withValue = (names: string, value: unknown) => names.split(' ').map((name) => [name, value]);
/** Names with values of every type. The spec has none of them. */
const oddFields: Readonly<Record<string, unknown>> = Object.fromEntries([
  ...withValue('SSN Ssn TaxId BirthDay ContactEmail access_token password', mark),
  ...withValue('html script onerror innerHTML href srcdoc style', script),
  ...withValue('constructor toString toJSON valueOf then length status code', { [mark]: mark }),
  ...Array.from({ length: 26 }, (_none, index) => [`Odd_${index}`, nest(index)]),
  ['Huge', mark.repeat(20_000)],
  [mark, mark],
]);

describe('a response with fifty unknown fields', () => {
  it('adds nothing to the status of an application', async () => {
    const { browser, faults, time } = await openBff();
    // The sandbox creates the lead. The test then adds fields to its response.
    faults.push({ path: '/creditapp', isProcessed: true, result: odd({}) });
    const answer = await browser.apply();
    expect([answer.status, isClean(answer)]).toEqual([202, true]);
    time.advance(60_000);
    const status = await browser.send('GET', apiPaths.application);
    expect(applicationStatusSchema.parse(status.json)).toEqual(status.json);
    expect(isClean(status)).toBe(true);
  });

  it('adds nothing to the offers, and keeps disclosures as text', async () => {
    const { browser, sandbox, faults } = await openApplied();
    const [lead] = sandbox.context.state.leads.values();
    const figures = { Loan_Amount: 1, Est_Term: 1, APR_Range_Low: 1, Total_Cost_of_Loan: 1 };
    const offer = { ...oddFields, OfferId: 'o-1', Funding_Disclosures: disclosures };
    const PreApproval_Data = {
      ...oddFields,
      PreApproval_Status: 'Qualified',
      PreApproval_Offers: [
        { ...figures, ...offer },
        { ...offer, Loan_Amount: { a: 1 } },
        mark,
        [mark],
      ],
    };
    const pURL = `javascript:alert("${mark}")`;
    const body = { IsSuccessful: true, ReferenceID: lead?.referenceId, pURL, PreApproval_Data };
    faults.push({ path: '/getPreApprovalOffer', result: odd(body) });
    const answer = await browser.send('GET', apiPaths.offers);
    expect(offersSchema.parse(answer.json)).toEqual(answer.json);
    expect(isClean(answer)).toBe(true);
    expect(answer.json.offers).toMatchObject([
      { id: 'o-1', amount: 1, disclosures },
      { id: 'o-1', amount: null, disclosures },
    ]);
    expect(answer.json.trackingUrl).toBeUndefined();
  });

  it.each(['IsSuccessful', 'none'])('shows no text of a rejection (%s)', async (flag) => {
    const { browser, faults, logLines } = await openBff();
    const body = { [flag]: false, ResponseText: `${mark} ${script}`, ...oddFields };
    faults.push({ path: '/creditapp', result: createResponse(400, body) });
    expect(isClean(await browser.apply())).toBe(true);
    const session = await browser.send('GET', apiPaths.session);
    expect(sessionSchema.parse(session.json)).toEqual(session.json);
    expect(isClean(session)).toBe(true);
    expect(logLines.join('')).not.toContain(mark);
  });
});

function odd(body: object) {
  const headers = { 'set-cookie': `a=${mark}`, 'x-odd': mark };
  return createResponse(200, { ...oddFields, ...body }, headers);
}

/** Checks the body and the headers. */
function isClean({ text, headers }: Answer): boolean {
  return !text.includes(mark) && ![...headers].flat().join(' ').includes(mark);
}

function nest(depth: number): unknown {
  return depth === 0 ? mark : { inner: [nest(depth - 1), mark] };
}
