// `resolve`: records the ApplicationID of an application after the funding service has confirmed it.

import { createFundingService } from '../funding-service/client.ts';
import {
  type FundingServiceEvent,
  type FundingSetting,
  type ReferenceCheck,
  verifyReference,
} from '../funding-service/funding-service.ts';
import type { ApplicationRow } from '../store/store.ts';
import {
  type Command,
  type CommandFailure,
  type CommandResult,
  onStore,
  readArguments,
  readReference,
  type StoreContext,
  toNotFound,
  UsageError,
} from './command.ts';

export const resolve: Command = {
  name: 'resolve',
  parameters: '<reference> <ApplicationID>',
  summary: 'records the ApplicationID that the funding service told you',
  help: `For an application that is unconfirmed, held, or waiting although the funding
service has it: ask the support of the funding service for the ApplicationID of
the reference. The command asks the funding service whether this ApplicationID
belongs to the reference. It then marks the application as accepted, and the BFF
sends its documents, bank reports, and contact requests.`,
  prepare(call) {
    const [first, second] = readArguments(call, 'reference', 'ApplicationID');
    const reference = readReference(first);
    const applicationId = readApplicationId(second);
    return onStore((context) => resolveApplication(reference, applicationId, context));
  },
};

/** The format of an ApplicationID is not documented. It has to fit into an HTTP header. */
function readApplicationId(text: string | undefined): string {
  const id = text?.trim() ?? '';
  if (!/^[\x21-\x7e]{1,100}$/.test(id)) {
    throw new UsageError(
      '<ApplicationID> is not valid. Use 1 to 100 letters, digits, and signs, without spaces.',
    );
  }
  return id;
}

async function resolveApplication(
  reference: string,
  applicationId: string,
  context: StoreContext,
): Promise<CommandResult> {
  const { store } = context;
  const application = await store.findApplication(reference);
  if (!application) return toNotFound(reference);
  if (!isResolvable(application)) return toWrongState(application);
  const { check, settings } = await verify(reference, applicationId, context);
  if (check === 'refuted') {
    const message = `The funding service does not have ${reference} under ${applicationId}. Nothing was changed. Check the ApplicationID.`;
    return { error: 'refuted', message };
  }
  if (check === 'unanswered') return toUnanswered(settings);
  if (!(await store.resolve(reference, applicationId))) {
    // The application was delivered or erased in the meantime.
    const current = await store.findApplication(reference);
    return current ? toWrongState(current) : toNotFound(reference);
  }
  return {
    json: { reference, applicationId, state: 'accepted' },
    text: `${reference} is accepted as ${applicationId}.
A running BFF sends its attachments within a minute.`,
  };
}

function isResolvable({ state }: ApplicationRow): boolean {
  return state === 'unconfirmed' || state === 'held' || state === 'waiting';
}

async function verify(
  reference: string,
  applicationId: string,
  { config, clock, createTransport }: StoreContext,
): Promise<{ readonly check: ReferenceCheck; readonly settings: readonly FundingSetting[] }> {
  const settings = new Set<FundingSetting>();
  const onEvent = (event: FundingServiceEvent) => {
    if ('settings' in event) for (const name of event.settings) settings.add(name);
  };
  const transport = createTransport();
  try {
    const service = createFundingService({ config, transport, clock, onEvent });
    const check = await verifyReference(service, applicationId, reference);
    return { check, settings: [...settings] };
  } finally {
    await transport.close();
  }
}

function toUnanswered(settings: readonly FundingSetting[]): CommandFailure {
  const fix =
    settings.length > 0
      ? `Check ${settings.join(', ')}`
      : 'Check FUNDING_AUTH_URL, FUNDING_BASE_URL, and the network';
  const message = `The funding service could not confirm the ApplicationID. Nothing was changed. ${fix}, then run the command again.`;
  return { error: 'unanswered', message };
}

const stateWords: Readonly<Record<ApplicationRow['state'], string>> = {
  received: 'not sent yet',
  sending: 'being sent',
  waiting: 'waiting to be sent again',
  accepted: 'accepted',
  rejected: 'rejected',
  unconfirmed: 'unconfirmed',
  held: 'held',
  erased: 'erased',
};

function toWrongState({ id, state, serviceId }: ApplicationRow): CommandFailure {
  const known = serviceId === undefined ? '' : ` as ${serviceId}`;
  const fix =
    state === 'received' || state === 'sending' ? ' Run "status" again in a few minutes.' : '';
  const message = `${id} is ${stateWords[state]}${known}. There is nothing to resolve.${fix}`;
  return { error: 'wrong-state', message };
}
