// The tables and triggers of the events for the partner's systems (docs/decisions/0082-status-events.md).

import type { SqlDialect } from './schema.ts';

/**
 * Events for the partner's systems. Triggers record them, in the transaction of the change and for all its callers, and record
 * nothing while there is no consumer.
 */
export function createEventTables({
  integer,
  tableOptions,
  eventTriggers,
}: Pick<SqlDialect, 'integer' | 'tableOptions' | 'eventTriggers'>): readonly string[] {
  return [
    // A receiver of all events: the webhook, or the hook.
    `create table event_consumer (
      name text primary key,
      target text not null,
      seen_at ${integer} not null,
      stopped_target text,
      stopped_at ${integer}
    ) ${tableOptions}`,
    // How far a consumer is with one application. `next_at` is null when it has all events.
    `create table event_stream (
      application_id text not null references application (id) on delete cascade,
      consumer text not null,
      last_sequence ${integer} not null,
      next_sequence ${integer} not null default 1,
      next_at ${integer},
      pending_since ${integer},
      is_sending ${integer} not null default 0,
      fence ${integer} not null default 0,
      attempts ${integer} not null default 0,
      first_attempt_at ${integer},
      last_outcome text,
      primary key (application_id, consumer)
    ) ${tableOptions}`,
    `create index event_stream_next on event_stream (consumer, next_at, application_id)
      where next_at is not null`,
    `create index event_stream_pending on event_stream (consumer, pending_since)
      where next_at is not null`,
    `create table event (
      application_id text not null,
      consumer text not null,
      sequence ${integer} not null,
      id text not null,
      kind text not null,
      status text not null,
      reason text,
      errors text,
      service_id text,
      number ${integer} not null,
      category text not null,
      happened_at ${integer} not null,
      given_up_at ${integer},
      dismissed_at ${integer},
      primary key (application_id, consumer, sequence),
      foreign key (application_id, consumer)
        references event_stream (application_id, consumer) on delete cascade
    ) ${tableOptions}`,
    `create index event_given_up on event (consumer, given_up_at) where given_up_at is not null`,
    `create index event_dismissed on event (consumer, dismissed_at)
      where dismissed_at is not null`,
    `create index event_happened on event (consumer, happened_at)`,
    ...eventTriggers,
  ];
}

/** The changes that are events: not those of the delivery in progress, nor those that follow from another event. */
const applicationEventChange = `(
  (old.state <> new.state and new.state in ('accepted', 'rejected', 'unconfirmed', 'held'))
  or (old.erased_at is null and new.erased_at is not null))`;
const attachmentEventChange = `(old.state <> new.state and (
  new.state in ('accepted', 'held')
  or (new.state = 'rejected' and old.state <> 'received')
  or (new.state = 'erased' and old.state = 'held')))`;

const isConsumed = 'exists (select 1 from event_consumer)';
/** A held attachment that is erased with its application has no event of its own. */
const isAttachmentConsumed = `${isConsumed} and not (new.state = 'erased' and exists (
  select 1 from application where id = new.application_id and erased_at is not null))`;

/** The reason of a held row, or the code of a rejection. */
const eventReason = `case new.state when 'held' then new.held_reason
  when 'rejected' then new.last_outcome end`;

/** Columns of `event` with their values for a changed row. */
const applicationEvent = {
  kind: `'application'`,
  reason: eventReason,
  errors: `case new.state when 'rejected' then new.errors end`,
  service_id: 'new.service_id',
  number: '0',
  category: `''`,
};
const attachmentEvent = {
  kind: 'new.kind',
  reason: eventReason,
  errors: 'null',
  service_id: 'new.service_id',
  number: 'new.number',
  category: 'new.category',
};
const erasedOrState = `case when old.erased_at is null and new.erased_at is not null
  then 'erased' else new.state end`;

/** The statements of a trigger. The first one locks the stream, so that events of an application are committed in their order. */
function toEventStatements(
  application: string,
  values: Readonly<Record<string, string>>,
  { id, now }: { readonly id: string; readonly now: string },
): string {
  const names = Object.keys(values).join(', ');
  return `
    insert into event_stream (consumer, application_id, last_sequence, next_at, pending_since)
    select name, ${application}, 1, 0, ${now} from event_consumer where true order by name
    on conflict (application_id, consumer) do update set
      last_sequence = event_stream.last_sequence + 1,
      next_at = coalesce(event_stream.next_at, 0),
      pending_since = coalesce(event_stream.pending_since, ${now});
    insert into event (consumer, application_id, sequence, id, happened_at, ${names})
    select consumer, application_id, last_sequence, ${id}, ${now}, ${Object.values(values).join(', ')}
    from event_stream where application_id = ${application}
      and consumer in (select name from event_consumer)
    on conflict do nothing;`;
}

const sqliteWords = {
  id: 'lower(hex(randomblob(16)))',
  now: `cast(unixepoch('subsec') * 1000 as integer)`,
};

export function listSqliteEventTriggers(): readonly string[] {
  const ofApplication = (status: string) =>
    toEventStatements('new.id', { ...applicationEvent, status }, sqliteWords);
  return [
    `create trigger application_received_event after insert on application when ${isConsumed}
      begin ${ofApplication(`'received'`)} end`,
    `create trigger application_changed_event after update of state, erased_at on application
      when ${applicationEventChange} and ${isConsumed}
      begin ${ofApplication(erasedOrState)} end`,
    `create trigger attachment_changed_event after update of state on attachment
      when ${attachmentEventChange} and ${isAttachmentConsumed}
      begin ${toAttachmentStatements(sqliteWords)} end`,
  ];
}

function toAttachmentStatements(words: typeof sqliteWords): string {
  const values = { ...attachmentEvent, status: 'new.state' };
  return toEventStatements('new.application_id', values, words);
}

const postgresWords = {
  id: `replace(gen_random_uuid()::text, '-', '')`,
  now: '(extract(epoch from statement_timestamp()) * 1000)::bigint',
};

export function listPostgresEventTriggers(): readonly string[] {
  const ofApplication = (status: string) =>
    toEventStatements('new.id', { ...applicationEvent, status }, postgresWords);
  return [
    createEventFunction('add_received_event', isConsumed, ofApplication(`'received'`)),
    createEventFunction('add_application_event', isConsumed, ofApplication(erasedOrState)),
    createEventFunction(
      'add_attachment_event',
      isAttachmentConsumed,
      toAttachmentStatements(postgresWords),
    ),
    `create trigger application_received_event after insert on application
      for each row execute function add_received_event()`,
    `create trigger application_changed_event after update of state, erased_at on application
      for each row when ${applicationEventChange} execute function add_application_event()`,
    `create trigger attachment_changed_event after update of state on attachment
      for each row when ${attachmentEventChange} execute function add_attachment_event()`,
  ];
}

function createEventFunction(name: string, condition: string, statements: string): string {
  return `create function ${name}() returns trigger language plpgsql as $$
      begin
        if ${condition} then ${statements}
        end if;
        return null;
      end
    $$`;
}
