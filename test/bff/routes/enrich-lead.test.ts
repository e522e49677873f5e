// The partner's `enrichLead` hook: its fields are delivered, and its failures do not block an application.

import { afterEach, describe, expect, it } from 'vitest';
import { startBff, type TestBff, type TestBffOptions } from '../../support/bff.ts';
import { until } from '../../support/manual-time.ts';

type Hook = NonNullable<TestBffOptions['enrichLead']>;

describe('the enrichLead hook', () => {
  let bff: TestBff;

  afterEach(() => bff.close());

  it('adds fields to the lead', async () => {
    const lead = await apply(({ business }) => ({ IndustryNaics: `N ${business.type}` }));
    expect(lead.IndustryNaics).toBe('N LLC');
    expect(findFailures()).toEqual([]);
  });

  it('cannot change the fields of the applicant', async () => {
    const lead = await apply((application) => {
      Object.assign(application.business, { name: 'Another' });
      return { Company: 'Another', OutcomeID: 'o1' };
    });
    expect(lead).toMatchObject({ Company: 'Harbor Bakery LLC', OutcomeID: 'o1' });
  });

  it.each<[string, Hook]>([
    ['throws', () => fail()],
    ['rejects', async () => fail()],
  ])('does not block the application if it %s', async (_how, enrichLead) => {
    const lead = await apply(enrichLead);
    expect(lead.Company).toBe('Harbor Bakery LLC');
    const [failure] = findFailures();
    expect(failure).toMatchObject({ level: 50, reason: 'threw', reference: lead.ID });
    expect(JSON.stringify(failure)).not.toContain('canary');
  });

  it('is aborted after three seconds', async () => {
    let given: AbortSignal | undefined;
    bff = await startBff({
      enrichLead: (_application, signal) => {
        given = signal;
        return new Promise(() => undefined);
      },
    });
    const filed = bff.openBrowser().apply();
    await until(() => given !== undefined);
    bff.time.advance(3_000);
    expect((await filed).status).toBe(201);
    expect(given?.aborted).toBe(true);
    expect(findFailures()).toMatchObject([{ reason: 'unanswered' }]);
  });

  it('adds its valid fields, and the log names the others', async () => {
    const answer = { OutcomeID: 'o1', NumberOfOffers: 7, Files: ['a', 1], CampaignID: null };
    const lead = await apply(() => answer as never);
    expect(lead.OutcomeID).toBe('o1');
    expect(Object.keys(lead)).not.toContain('NumberOfOffers');
    expect(findFailures()).toMatchObject([
      { reason: 'unusable', fields: ['NumberOfOffers', 'Files'] },
    ]);
  });

  it('has each field read once', async () => {
    const values: unknown[] = ['o1', 'o2', 3];
    const answer = {
      get OutcomeID() {
        return values.shift();
      },
    };
    expect((await apply(() => answer as never)).OutcomeID).toBe('o1');
    expect(findFailures()).toEqual([]);
  });

  it('may throw an error that is its own cause', async () => {
    const error = new Error('canary');
    error.cause = error;
    await apply(() => {
      throw error;
    });
    expect(findFailures()).toMatchObject([{ reason: 'threw' }]);
  });

  it('may return nothing', async () => {
    await apply(() => undefined as never);
    expect(findFailures()).toEqual([]);
  });

  async function apply(enrichLead: Hook) {
    bff = await startBff({ enrichLead });
    expect((await bff.openBrowser().apply()).status).toBe(201);
    const [stored] = bff.sandbox.context.state.leads.values();
    return stored!.lead;
  }

  function findFailures() {
    return bff.logLines
      .map((line) => JSON.parse(line))
      .filter(({ event }) => event === 'enrichment-failed');
  }
});

function fail(): never {
  throw new Error('canary');
}
