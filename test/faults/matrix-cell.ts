// One cell of the ambiguity matrix: an operation meets a fault once, then runs to its end.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Operation } from '../../shared/funding-service/operations.ts';
import type { Outcome } from '../../bff/funding-service/funding-service.ts';
import type { ApplicationRow, AttachmentKind } from '../../bff/store/store.ts';
import { createKey, type Applicant } from './applicant.ts';
import type { MatrixFault } from './matrix-faults.ts';
import type { World } from './world.ts';

export interface Cell {
  readonly operation: Operation;
  readonly fault: MatrixFault;
  readonly world: World;
  /** Used by this cell only. */
  readonly applicant: Applicant;
  /** `arm` prepares the fault for the next call of the operation. `disarm` removes it after that call. */
  arm(): Promise<void>;
  disarm(): Promise<void>;
}

/** Longer than the cache of any route, shorter than a session. */
const cacheExpiryMs = 60_000;
const tokenLifeMs = 2 * 60 * 60_000;

const attachmentKinds: Readonly<Partial<Record<Operation, AttachmentKind>>> = {
  'contact-user': 'contact',
  'asset-report': 'bank-report',
  'upload-file': 'document',
};

/** Returns a description of each unexpected result. */
export async function runCell(cell: Cell): Promise<readonly string[]> {
  const problems: string[] = [];
  const expect: Expect = (description, actual, wanted) => {
    if (actual !== wanted)
      problems.push(`${description} is ${String(actual)}, not ${String(wanted)}`);
  };
  await prepare(cell);
  await cell.arm();
  const eventsBefore = cell.world.events.length;
  await act(cell);
  await deliverOnce(cell);
  await cell.disarm();
  expect('the outcome', readOutcome(cell, eventsBefore), toExpectedOutcome(cell));
  await checkEnd(cell, expect);
  return problems;
}

type Expect = (description: string, actual: unknown, wanted: unknown) => void;

/** Creates the data that the operation requires, and a kept-alive connection if the fault closes one. */
async function prepare({ operation, fault, world, applicant }: Cell): Promise<void> {
  await applicant.begin();
  if (operation !== 'create-lead' && operation !== 'token') {
    await applicant.submit(createKey());
    await world.settle();
  }
  if (fault.end === 'reused') await keepConnection(world);
  if (operation !== 'token') return;
  world.time.advance(tokenLifeMs);
  await applicant.begin();
}

async function keepConnection(world: World): Promise<void> {
  const visitor = world.createApplicant(`Visitor at ${world.history.calls.length} LLC`);
  await visitor.begin();
  await visitor.submit(createKey());
  await world.settle();
  await visitor.offers();
  // undici returns a connection to its pool after it has reported the result.
  await nextTurn();
}

async function act({ operation, applicant }: Cell): Promise<unknown> {
  switch (operation) {
    case 'token':
    case 'create-lead':
      return applicant.submit(createKey());
    case 'pre-approval-offer':
      return applicant.offers();
    case 'contact-user':
      return applicant.contact();
    case 'asset-report':
      return applicant.report(1);
    case 'upload-file':
      return applicant.upload(1);
  }
}

async function deliverOnce({ world }: Cell): Promise<void> {
  for (const bff of world.bffs) await bff.delivery.runDue();
}

function readOutcome({ operation, world }: Cell, from: number): Outcome<never>['kind'] | undefined {
  // The first call that needs a token requests it.
  const logged = operation === 'token' ? 'create-lead' : operation;
  const event = world.events
    .slice(from)
    .find((event) => event.event === 'call-ended' && event.operation === logged);
  return event?.event === 'call-ended' ? event.outcome : undefined;
}

/** These operations open a new connection for each call, so no kept-alive connection can close. */
const ownConnection: ReadonlySet<Operation> = new Set<Operation>([
  'create-lead',
  'asset-report',
  'upload-file',
]);

function toExpectedOutcome({ operation, fault }: Cell): Outcome<never>['kind'] {
  const isToken = operation === 'token';
  switch (fault.end) {
    case 'not-sent':
      return 'not-sent';
    case 'unknown':
      // Without a token, the operation is not sent.
      return isToken ? 'not-sent' : 'unknown';
    case 'reused':
      if (ownConnection.has(operation)) return 'accepted';
      return isToken ? 'not-sent' : 'unknown';
    case 'renewed':
      return isToken ? 'authentication' : 'accepted';
  }
}

async function checkEnd(cell: Cell, expect: Expect): Promise<void> {
  const { operation, world, applicant } = cell;
  await world.settle();
  if (operation === 'pre-approval-offer') {
    world.time.advance(cacheExpiryMs);
    expect('the next answer with offers', await applicant.offers(), 200);
    return;
  }
  const application = await readApplication(cell);
  const kind = attachmentKinds[operation];
  if (kind) await checkAttachment(cell, application, kind, expect);
  else await checkApplication(cell, application, expect);
}

async function checkApplication(
  cell: Cell,
  application: ApplicationRow,
  expect: Expect,
): Promise<void> {
  const isUnknown = toExpectedOutcome(cell) === 'unknown';
  expect('the number of attempts in doubt', application.uncertainAttempts, Number(isUnknown));
  const isUnconfirmed = isUnknown && cell.fault.isProcessed;
  expect('the state', application.state, isUnconfirmed ? 'unconfirmed' : 'accepted');
  if (application.state === 'unconfirmed') await checkUnconfirmed(cell, application.id, expect);
}

/** The BFF accepts attachments of an unconfirmed application, and delivers them when the operator sets the ApplicationID. */
async function checkUnconfirmed(
  { world, applicant }: Cell,
  id: string,
  expect: Expect,
): Promise<void> {
  const { outcome } = await applicant.upload(1);
  await world.settle();
  const lead = world.service.readLedger().leads.find(({ reference }) => reference === id);
  const countCopies = () =>
    world.service
      .readLedger()
      .attachments.filter(({ applicationId }) => applicationId === lead?.applicationId).length;
  expect('the answer to an upload meanwhile', outcome, 'ok');
  expect('the number of copies before it is resolved', countCopies(), 0);
  await world.store.resolve(id, lead?.applicationId ?? '');
  await world.settle();
  expect('the number of copies once it is resolved', countCopies(), 1);
}

async function checkAttachment(
  cell: Cell,
  application: ApplicationRow,
  kind: AttachmentKind,
  expect: Expect,
): Promise<void> {
  const { world, fault } = cell;
  const [attachment] = await world.store.listAttachments(application.id, kind);
  const outcome = toExpectedOutcome(cell);
  expect('the state', attachment?.state, 'accepted');
  expect('the number of attempts', attachment?.attempts, outcome === 'accepted' ? 1 : 2);
  expect(
    'the number of attempts in doubt',
    attachment?.uncertainAttempts,
    Number(outcome === 'unknown'),
  );
  if (kind === 'contact') return;
  const copies = world.service
    .readLedger()
    .attachments.filter(({ applicationId }) => applicationId === application.serviceId).length;
  expect('the number of copies', copies, 1 + Number(fault.isProcessed));
}

async function readApplication({ world, applicant }: Cell): Promise<ApplicationRow> {
  const { reference } = await applicant.poll();
  const application = await world.store.findApplication(reference ?? '');
  if (!application) throw new Error(`${applicant.name} has no application`);
  return application;
}
