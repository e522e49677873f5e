// `resolve`: tells the store under which ApplicationID the funding service has a lead, once the service has proved it.

import { connectFundingService } from '../funding-service/client.ts';
import type { FundingServiceEvent, FundingSetting } from '../funding-service/funding-service.ts';
import { verifyReference, type ReferenceCheck } from '../funding-service/funding-service.ts';
import type { ApplicationRow, Store } from '../store/store.ts';
import {
  readArguments,
  readReference,
  toNotFound,
  UsageError,
  type Command,
  type CommandContext,
  type CommandFailure,
  type CommandResult,
} from './command.ts';

export const resolve: Command = {
  kind: 'store',
  name: 'resolve',
  parameters: '<reference> <ApplicationID>',
  summary: 'record the ApplicationID that the funding service told you',
  help: `For an application that is unconfirmed, held or waiting, and that the funding
service has: ask its support for the ApplicationID by the reference. Before it
is recorded, the service itself is asked whether that ApplicationID belongs to
the reference. The application is then accepted, and its documents and reports
are sent.`,
  prepare(call) {
    const [first, second] = readArguments(call, 'reference', 'ApplicationID');
    const reference = readReference(first);
    const applicationId = readApplicationId(second);
    return (context) => resolveApplication(reference, applicationId, context);
  },
};

/** It is sent as a header; beyond that the service's ids have no documented form. */
function readApplicationId(text: string | undefined): string {
  const id = text?.trim() ?? '';
  if (!/^[\x21-\x7e]{1,100}$/.test(id)) {
    throw new UsageError('<ApplicationID> is none: it holds letters and digits without blanks.');
  }
  return id;
}

async function resolveApplication(
  reference: string,
  applicationId: string,
  context: CommandContext,
): Promise<CommandResult> {
  const { store } = context;
  const application = await store.findApplication(reference);
  if (!application) return toNotFound(reference);
  if (!isResolvable(application)) return toWrongState(application);
  const { check, settings } = await verify(reference, applicationId, context);
  if (check === 'refuted') return toRefuted(reference, applicationId);
  if (check === 'unanswered') return toUnanswered(settings);
  if (!(await store.resolve(reference, applicationId))) {
    return toWrongStateNow(reference, store);
  }
  return {
    json: { reference, applicationId, state: 'accepted' },
    text: `${reference} is accepted as ${applicationId}.
Its documents and reports go out within a minute while a BFF runs.`,
  };
}

function isResolvable({ state }: ApplicationRow): boolean {
  return state === 'unconfirmed' || state === 'held' || state === 'waiting';
}

async function verify(
  reference: string,
  applicationId: string,
  { config, clock, withTransport }: CommandContext,
): Promise<{ readonly check: ReferenceCheck; readonly settings: readonly FundingSetting[] }> {
  const settings = new Set<FundingSetting>();
  const onEvent = (event: FundingServiceEvent) => {
    if ('settings' in event) for (const name of event.settings) settings.add(name);
  };
  const check = await withTransport((transport) =>
    verifyReference(
      connectFundingService({ config, transport, clock, onEvent }),
      applicationId,
      reference,
    ),
  );
  return { check, settings: [...settings] };
}

function toRefuted(reference: string, applicationId: string): CommandFailure {
  const message = `${applicationId} does not belong to ${reference}, says the funding service. Nothing was changed.`;
  return { error: 'refuted', message };
}

function toUnanswered(settings: readonly FundingSetting[]): CommandFailure {
  const mend =
    settings.length > 0
      ? `Look at ${settings.join(', ')}.`
      : 'Look at FUNDING_AUTH_URL and FUNDING_BASE_URL, and whether it can be reached.';
  const message = `The funding service could not be asked, so nothing was changed. ${mend} Try again.`;
  return { error: 'unanswered', message };
}

/** It was delivered or erased while the service was asked. */
async function toWrongStateNow(reference: string, store: Store): Promise<CommandFailure> {
  const application = await store.findApplication(reference);
  return application ? toWrongState(application) : toNotFound(reference);
}

function toWrongState({ id, state, serviceId }: ApplicationRow): CommandFailure {
  const known = serviceId === undefined ? '' : ` as ${serviceId}`;
  const mend =
    state === 'received' || state === 'sending' ? ' Try again in a few minutes, if need be.' : '';
  const message = `${id} is ${stateWords[state]}${known}, so there is nothing to resolve.${mend}`;
  return { error: 'wrong-state', message };
}

const stateWords: Readonly<Record<ApplicationRow['state'], string>> = {
  received: 'received and not tried yet',
  sending: 'being sent just now',
  waiting: 'waiting to be sent again',
  accepted: 'accepted',
  rejected: 'rejected',
  unconfirmed: 'unconfirmed',
  held: 'held',
  erased: 'erased',
};
