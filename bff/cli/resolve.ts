// `resolve`: records the ApplicationID of an application after the funding service has confirmed it.

import { createFundingService } from '../funding-service/client.ts';
import { verifyReference, type ReferenceCheck } from '../funding-service/funding-service.ts';
import type { ApplicationRow } from '../store/store.ts';
import {
  type Command,
  CommandError,
  type CommandReport,
  findApplication,
  onApplication,
  readReference,
  type StoreContext,
  UsageError,
} from './command.ts';

export const resolve: Command = {
  name: 'resolve',
  parameters: '<reference> <ApplicationID>',
  summary: 'records the ApplicationID that the funding service told you',
  about: [
    'For an application that is unconfirmed, held, or waiting although the funding service has it: ask the support of the funding service for the ApplicationID of the reference. The command asks the funding service whether this ApplicationID belongs to the reference. It then marks the application as accepted, and the BFF sends its documents, bank reports, and contact requests.',
  ],
  guide: 'operate/applications.md',
  async run(call, io) {
    const reference = readReference(call, 'ApplicationID');
    const applicationId = readApplicationId(call.positionals[1]);
    return onApplication(reference, io, (application, context) =>
      resolveApplication(application, applicationId, context),
    );
  },
};

/** The format of an ApplicationID is not documented. It has to fit into an HTTP header. */
function readApplicationId(text = ''): string {
  const id = text.trim();
  if (/^[\x21-\x7e]{1,100}$/.test(id)) return id;
  throw new UsageError(
    '<ApplicationID> is not valid. Use 1 to 100 letters, digits, and signs, without spaces.',
  );
}

async function resolveApplication(
  application: ApplicationRow,
  applicationId: string,
  context: StoreContext,
): Promise<CommandReport> {
  const { store } = context;
  const { id: reference } = application;
  if (!resolvableStates.has(application.state)) throw toWrongState(application);
  await verify(reference, applicationId, context);
  if (!(await store.resolve(reference, applicationId))) {
    // The application was delivered or erased in the meantime.
    throw toWrongState(await findApplication(reference, store));
  }
  return {
    json: { reference, applicationId, state: 'accepted' },
    text: `${reference} is accepted as ${applicationId}.
A running BFF sends its attachments within a minute.`,
  };
}

const resolvableStates = new Set<ApplicationRow['state']>(['unconfirmed', 'held', 'waiting']);

/** Throws a `CommandError` unless the funding service has the reference under the ApplicationID. */
async function verify(
  reference: string,
  applicationId: string,
  { config, clock, createTransport }: StoreContext,
): Promise<void> {
  const settings = new Set<string>();
  const transport = createTransport();
  const service = createFundingService({
    config,
    transport,
    clock,
    onEvent: (event) => {
      if ('settings' in event) for (const name of event.settings) settings.add(name);
    },
  });
  let check: ReferenceCheck;
  try {
    check = await verifyReference(service, applicationId, reference);
  } finally {
    await transport.close();
  }
  if (check === 'refuted') {
    throw new CommandError(
      'refuted',
      `The funding service does not have ${reference} under ${applicationId}. Nothing was changed. Check the ApplicationID.`,
    );
  }
  if (check === 'unanswered') {
    const names = [...settings].join(', ') || 'FUNDING_AUTH_URL, FUNDING_BASE_URL, and the network';
    throw new CommandError(
      'unanswered',
      `The funding service could not confirm the ApplicationID. Nothing was changed. Check ${names}, then run the command again.`,
    );
  }
}

/** States that soon change. */
const stateWords: Readonly<Partial<Record<ApplicationRow['state'], string>>> = {
  received: 'not sent yet',
  sending: 'being sent',
};

function toWrongState({ id, state, serviceId }: ApplicationRow): CommandError {
  const known = serviceId === undefined ? '' : ` as ${serviceId}`;
  const fix = stateWords[state] === undefined ? '' : ' Run "status" again in a few minutes.';
  return new CommandError(
    'wrong-state',
    `${id} is ${stateWords[state] ?? state}${known}. There is nothing to resolve.${fix}`,
  );
}
