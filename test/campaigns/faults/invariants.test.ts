// The checker finds no violation in a recorded story, and each change of the records.

import { beforeAll, describe, expect, inject, it } from 'vitest';
import { hasPostgres } from '../../support/postgres.ts';
import { type Evidence, findViolations, type Invariant } from './invariants.ts';
import { runScenario } from './scenario.ts';
import { createStorage, engines, type Engine } from './storage.ts';
import { startSimulation } from './simulation.ts';

async function record(engine: Engine): Promise<Evidence> {
  const storage = await createStorage({ engine, postgresUrl: inject('postgresUrl') });
  const simulation = await startSimulation({ databaseUrl: storage.url });
  await runScenario(simulation);
  const evidence = await simulation.readEvidence();
  await simulation.close();
  await storage.remove();
  return evidence;
}

/** The lists of the records, to change them. */
type Records = ReturnType<typeof copyRecords>;

function copyRecords({ history, ledger, applications, transitions }: Evidence) {
  return {
    told: [...history.calls],
    sent: [...ledger.calls],
    leads: [...ledger.leads],
    copies: [...ledger.attachments],
    applications: [...applications],
    transitions: [...transitions],
    erasures: [...history.erasures],
  };
}

const changes: Readonly<Record<string, readonly [Invariant, (records: Records) => unknown]>> = {
  'a lead is lost': ['I1', ({ leads }) => leads.shift()],
  'a document is lost': ['I1', ({ copies }) => copies.shift()],
  'a lead is sent again under a new ID': [
    'I2',
    ({ leads }) => leads.push({ ...leads[0]!, reference: 'new', applicationId: 'new' }),
  ],
  'a lead is posted again with another body': [
    'I2',
    ({ sent, leads }) => {
      const call = sent.find(({ reference }) => reference === leads[0]!.reference)!;
      sent.push({ ...call, content: 'another' });
    },
  ],
  'an application at the service is rejected': [
    'I3',
    ({ applications, leads }) => {
      const index = applications.findIndex(({ id }) => id === leads[0]!.reference);
      applications[index] = { ...applications[index]!, state: 'rejected' };
    },
  ],
  'a document is there twice': [
    'I4',
    ({ copies }) => copies.push({ ...copies[0]!, serviceId: 'second' }),
  ],
  "a document is sent with another application's ApplicationID": [
    'I5',
    ({ sent, leads }) => {
      const upload = sent.find(({ operation }) => operation === 'upload-file')!;
      const otherLead = leads.find(({ applicationId }) => applicationId !== upload.applicationId)!;
      sent.push({ ...upload, applicationId: otherLead.applicationId });
    },
  ],
  'an erased application is sent': [
    'I6',
    ({ sent, erasures }) =>
      sent.push({ ...sent[0]!, reference: erasures[0]!.reference, at: Infinity }),
  ],
  'an accepted application returns to waiting': [
    'I7',
    ({ transitions }) => {
      const last = transitions.findLast(({ to }) => to === 'accepted')!;
      transitions.push({ ...last, from: 'accepted', to: 'waiting', fenceBefore: last.fence });
    },
  ],
  'a result is recorded under an expired claim': [
    'I7',
    ({ transitions }) => {
      const index = transitions.findIndex(({ to }) => to === 'accepted');
      transitions[index] = { ...transitions[index]!, fenceBefore: 0 };
    },
  ],
  'the same key gets different responses': [
    'I8',
    ({ told }) => {
      const submitted = told.find(({ action, outcome }) => action === 'submit' && outcome === 'ok');
      told.push({ ...submitted!, reference: 'another' });
    },
  ],
};

describe.each(engines)('the checker on %s', (engine) => {
  const isMissing = engine === 'PostgreSQL' && !hasPostgres();

  it.skipIf(isMissing)('finds no violation in a story', async () => {
    expect(findViolations(await record(engine))).toEqual([]);
  });
});

// The checker reads the same records on both engines.
describe('the checker', () => {
  let evidence: Evidence;

  beforeAll(async () => {
    evidence = await record('SQLite');
  });

  it.each(Object.entries(changes))('finds: %s', (_name, [invariant, change]) => {
    const records = copyRecords(evidence);
    change(records);
    const { told, sent, leads, copies, applications, transitions, erasures } = records;
    const changed = {
      ...evidence,
      applications,
      transitions,
      history: { calls: told, erasures },
      ledger: { calls: sent, leads, attachments: copies },
    };
    const violated = findViolations(changed).map((violation) => violation.invariant);
    expect(violated).toContain(invariant);
  });
});
