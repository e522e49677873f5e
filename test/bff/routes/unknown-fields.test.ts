// Unknown fields in responses of the funding service never reach the browser.

import { beforeEach, describe, expect, it } from 'vitest';
import { applicationStatusSchema } from '../../../shared/api/application-status.ts';
import { offersSchema } from '../../../shared/api/offers.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import { sessionSchema } from '../../../shared/api/session.ts';
import { createResponse } from '../../support/scripted-transport.ts';
import type { Answer, Browser } from '../../support/applicant.ts';
import { startBff, type TestBff } from '../../support/bff.ts';

const mark = 'canary-of-the-service';
const script = `<script>alert("${mark}")</script>`;
const disclosures =
  '<script>alert(1)</script><img src=x onerror=alert(1)> & "quoted" javascript:alert(1)\n{{x}}';
const figures = ['Loan_Amount', 'Est_Term', 'APR_Range_Low', 'Total_Cost_of_Loan'];

/** Fifty names with values of every type. The spec has none of them. */
const oddFields: Readonly<Record<string, unknown>> = Object.fromEntries([
  ...['SSN', 'Ssn', 'TaxId', 'BirthDay', 'ContactEmail', 'access_token', 'password'].map((name) => [
    name,
    mark,
  ]),
  ...['html', 'script', 'onerror', 'innerHTML', 'href', 'srcdoc', 'style'].map((name) => [
    name,
    script,
  ]),
  ...['constructor', 'toString', 'toJSON', 'valueOf', 'then', 'length', 'status', 'code'].map(
    (name) => [name, { [mark]: mark }],
  ),
  ...Array.from({ length: 26 }, (_none, index) => [`Odd_${index}`, nest(index)]),
  ['Huge', mark.repeat(20_000)],
  [mark, mark],
]);

describe('a response with fifty unknown fields', () => {
  let bff: TestBff;
  let browser: Browser;

  beforeEach(async () => {
    bff = await startBff();
    browser = bff.openBrowser();
    await browser.send('POST', apiPaths.session);
    return () => bff.close();
  });

  it('has fifty unknown fields', () => {
    expect(Object.keys(oddFields).length).toBeGreaterThanOrEqual(50);
  });

  it('adds nothing to the status of an application', async () => {
    // The sandbox creates the lead. The test then adds fields to its response.
    bff.faults.push({ path: '/creditapp', isProcessed: true, result: odd({}) });
    const answer = await browser.apply();
    expect([answer.status, isClean(answer)]).toEqual([202, true]);
    bff.time.advance(60_000);
    const status = await browser.send('GET', apiPaths.application);
    expect(applicationStatusSchema.parse(status.json)).toEqual(status.json);
    expect(isClean(status)).toBe(true);
  });

  it('adds nothing to the offers, and keeps disclosures as text', async () => {
    await browser.apply();
    const [lead] = bff.sandbox.context.state.leads.values();
    const offer = { ...oddFields, OfferId: 'o-1', Funding_Disclosures: disclosures };
    const known = Object.fromEntries(figures.map((name) => [name, 1]));
    bff.faults.push({
      path: '/getPreApprovalOffer',
      result: odd({
        IsSuccessful: true,
        ReferenceID: lead?.referenceId,
        pURL: `javascript:alert("${mark}")`,
        PreApproval_Data: {
          ...oddFields,
          PreApproval_Status: 'Qualified',
          PreApproval_Offers: [
            { ...known, ...offer },
            { ...offer, Loan_Amount: { a: 1 } },
            mark,
            [mark],
          ],
        },
      }),
    });
    const answer = await browser.send('GET', apiPaths.offers);
    expect(answer.status).toBe(200);
    expect(offersSchema.parse(answer.json)).toEqual(answer.json);
    expect(isClean(answer)).toBe(true);
    expect(answer.json.offers).toMatchObject([
      { id: 'o-1', amount: 1, disclosures },
      { id: 'o-1', amount: null, disclosures },
    ]);
    expect(answer.json.trackingUrl).toBeUndefined();
  });

  it.each(['IsSuccessful', 'none'])('shows no text of a rejection (%s)', async (flag) => {
    const body = { [flag]: false, ResponseText: `${mark} ${script}`, ...oddFields };
    bff.faults.push({ path: '/creditapp', result: createResponse(400, body) });
    const answer = await browser.apply();
    expect(isClean(answer)).toBe(true);
    const session = await browser.send('GET', apiPaths.session);
    expect(sessionSchema.parse(session.json)).toEqual(session.json);
    expect(isClean(session)).toBe(true);
    expect(bff.logLines.join('')).not.toContain(mark);
  });
});

function odd(body: object) {
  return createResponse(
    200,
    { ...oddFields, ...body },
    { 'set-cookie': `a=${mark}`, 'x-odd': mark },
  );
}

/** Checks the body and the headers. */
function isClean({ text, headers }: Answer): boolean {
  return !text.includes(mark) && ![...headers].flat().join(' ').includes(mark);
}

function nest(depth: number): unknown {
  return depth === 0 ? mark : { inner: [nest(depth - 1), mark] };
}
