// `resolve`: records that the funding service has an application, after it has confirmed the ApplicationID, or an attachment.

import { createFundingService } from '../funding-service/client.ts';
import { verifyReference, type ReferenceCheck } from '../funding-service/funding-service.ts';
import type { ApplicationRow, AttachmentKind, AttachmentRow } from '../store/store.ts';
import {
  type Call,
  type Command,
  CommandError,
  type CommandReport,
  findApplication,
  onApplication,
  readReference,
  type StoreContext,
  UsageError,
} from './command.ts';
import { kindNames } from './format.ts';

/** The options that name an attachment, each with the name of its id. The funding service has none for a contact request. */
const attachments: readonly {
  readonly option: string;
  readonly kind: AttachmentKind;
  readonly id?: string;
}[] = [
  { option: 'document', kind: 'document', id: 'DocumentId' },
  { option: 'bank-report', kind: 'bank-report', id: 'assetReportId' },
  { option: 'contact', kind: 'contact' },
];

export const resolve: Command = {
  name: 'resolve',
  parameters:
    '<reference> <ApplicationID> | <reference> --document <number> [<DocumentId>] | <reference> --bank-report <number> [<assetReportId>] | <reference> --contact <number>',
  summary: 'records what the funding service told you that it has',
  about: [
    'For an application that is unconfirmed, held, or waiting although the funding service has it: ask the support of the funding service for the ApplicationID of the reference. The command asks the funding service whether this ApplicationID belongs to the reference. It then marks the application as accepted, and the BFF sends its documents, bank reports, and contact requests.',
    'With an option, it marks an attachment that is held or waiting as accepted, erases its content, and ends its alarm. Nothing can verify that: ask the support of the funding service first.',
  ],
  options: {
    document: {
      type: 'string',
      about:
        'the document with this number in `show`. Add the DocumentId if you know it: your systems get it with the event.',
    },
    'bank-report': {
      type: 'string',
      about: 'the bank report with this number. Add the assetReportId if you know it.',
    },
    contact: { type: 'string', about: 'the contact request with this number.' },
  },
  guide: 'operate/applications.md',
  async run(call, io) {
    const given = attachments.filter(({ option }) => call.options[option] !== undefined);
    const [attachment, ...others] = given;
    if (others.length > 0) {
      throw new UsageError('Use one of --document, --bank-report, and --contact.');
    }
    if (attachment === undefined) {
      const reference = readReference(call, 'ApplicationID');
      const applicationId = readId(call, 'ApplicationID');
      return onApplication(reference, io, (application, context) =>
        resolveApplication(application, applicationId, context),
      );
    }
    const { option, kind, id } = attachment;
    const number = readNumber(option, call);
    const hasId = call.positionals.length > 1 && id !== undefined;
    const reference = readReference(call, ...(hasId ? [id] : []));
    const serviceId = hasId ? readId(call, id) : '';
    return onApplication(reference, io, (application, context) =>
      resolveAttachment(application, { kind, number, serviceId }, context),
    );
  },
};

function readNumber(option: string, { options }: Call): number {
  const text = String(options[option]);
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new UsageError(
    `--${option} is not the number of an attachment. Use one that "show" lists.`,
  );
}

/** The format of an id is not documented. An ApplicationID has to fit into an HTTP header. */
function readId({ positionals }: Call, name: string): string {
  const id = positionals[1]?.trim() ?? '';
  if (/^[\x21-\x7e]{1,100}$/.test(id)) return id;
  throw new UsageError(
    `<${name}> is not valid. Use 1 to 100 letters, digits, and signs, without spaces.`,
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

interface FoundAttachment {
  readonly kind: AttachmentKind;
  readonly number: number;
  /** Empty if it is unknown. */
  readonly serviceId: string;
}

async function resolveAttachment(
  { id: reference }: ApplicationRow,
  { kind, number, serviceId }: FoundAttachment,
  { store }: StoreContext,
): Promise<CommandReport> {
  if (!(await store.resolveAttachment(reference, kind, number, serviceId))) {
    const rows = await store.listAttachments(reference, kind);
    const row = rows.find((each) => each.number === number);
    const name = `${kindNames[kind]} ${number}`;
    if (!row) {
      throw new CommandError('not-found', `${reference} has no ${name}. Run "show ${reference}".`);
    }
    throw toWrongState({ ...row, id: `${name} of ${reference}` });
  }
  const known = serviceId === '' ? '' : ` as ${serviceId}`;
  return {
    json: { reference, kind, number, serviceId: serviceId || undefined, state: 'accepted' },
    text: `${kindNames[kind]} ${number} of ${reference} is accepted${known}.`,
  };
}

/** States that soon change. */
const stateWords: Readonly<Partial<Record<(ApplicationRow | AttachmentRow)['state'], string>>> = {
  received: 'not sent yet',
  sending: 'being sent',
};

function toWrongState({
  id,
  state,
  serviceId = '',
}: Pick<ApplicationRow | AttachmentRow, 'id' | 'state' | 'serviceId'>): CommandError {
  const known = serviceId === '' ? '' : ` as ${serviceId}`;
  const fix = stateWords[state] === undefined ? '' : ' Run "status" again in a few minutes.';
  return new CommandError(
    'wrong-state',
    `${id} is ${stateWords[state] ?? state}${known}. There is nothing to resolve.${fix}`,
  );
}
