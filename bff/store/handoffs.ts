// Handoffs: a phone that may upload documents for an application of another device.

import { type HandoffState, handoffLifetime } from '../../shared/api/handoff.ts';
import { type Database, sql, type Statement, type Transaction } from './database.ts';
import { isOpenApplication, toApplicationLock } from './application-lock.ts';
import { parseFirst } from './rows.ts';
import { type HandoffRow, handoffSchema, type HandoffStore } from './store.ts';

const pairingMs = handoffLifetime.pairingSeconds * 1000;
const idleMs = handoffLifetime.idleSeconds * 1000;
const maxMs = handoffLifetime.maxSeconds * 1000;
/** A request extends a connected handoff at most this often, so that most requests write nothing. */
const extendAfterMs = 60_000;

const isActive = sql`state in ('waiting', 'claimed', 'connected')`;

/** The state at a time: a stored state that is over has become `expired` or `ended`. */
export function toHandoffState(
  { state, expiresAt }: HandoffRow,
  at: number,
): Exclude<HandoffState, 'none'> {
  if (state === 'connected') return at < expiresAt ? state : 'ended';
  if (state === 'waiting' || state === 'claimed') return at < expiresAt ? state : 'expired';
  return state;
}

export function createHandoffStore(database: Database): HandoffStore {
  return {
    addHandoff(handoff, at) {
      const { id, applicationId, sessionId, number, choices } = handoff;
      const expiresAt = Math.min(at + pairingMs, handoff.endsAt);
      return database.transaction(
        function* () {
          if (!(yield* isOpenApplication(applicationId))) return undefined;
          yield sql`
            update handoff set state = 'revoked'
            where application_id = ${applicationId} and ${isActive}`;
          const rows = yield sql`
            insert into handoff (id, application_id, session_id, token_hash, code_hash, number, choices,
              created_at, expires_at, ends_at)
            values (${id}, ${applicationId}, ${sessionId}, ${handoff.tokenHash}, ${handoff.codeHash},
              ${number}, ${JSON.stringify(choices)}, ${at}, ${expiresAt}, ${handoff.endsAt})
            returning *`;
          return parseFirst(handoffSchema, rows);
        },
        // The erasure of the application and other handoffs of it have to wait.
        [toApplicationLock(applicationId)],
      );
    },

    async findLatestHandoff(applicationId) {
      const rows = await database.all(sql`
        select * from handoff where application_id = ${applicationId} order by seq desc limit 1`);
      return parseFirst(handoffSchema, rows);
    },

    async findPhoneHandoff(phoneSessionId) {
      const rows = await database.all(sql`
        select * from handoff where phone_session_id = ${phoneSessionId}`);
      return parseFirst(handoffSchema, rows);
    },

    claimHandoff(secret, { id, origin, createdAt: at }) {
      const hasSecret =
        'tokenHash' in secret
          ? sql`token_hash = ${secret.tokenHash}`
          : sql`code_hash = ${secret.codeHash}`;
      return database.transaction(function* () {
        const handoff = yield* lockHandoff(hasSecret);
        if (!handoff || toHandoffState(handoff, at) !== 'waiting') {
          return { isClaimed: false, handoff };
        }
        yield sql`
          insert into session (id, origin, created_at, scope)
          values (${id}, ${origin}, ${at}, 'upload')`;
        const endsAt = Math.min(handoff.endsAt, at + maxMs);
        const claimed = yield* changeHandoff(
          handoff.id,
          sql`state = 'claimed', phone_session_id = ${id}, ends_at = ${endsAt},
            expires_at = ${Math.min(at + pairingMs, endsAt)}`,
        );
        return { isClaimed: true, handoff: claimed };
      });
    },

    confirmHandoff(id, number, at) {
      return database.transaction(function* () {
        const handoff = yield* lockHandoff(sql`id = ${id}`);
        if (!handoff || toHandoffState(handoff, at) !== 'claimed') return handoff;
        return yield* changeHandoff(
          id,
          handoff.number === number
            ? sql`state = 'connected', expires_at = ${Math.min(at + idleMs, handoff.endsAt)}`
            : sql`state = 'wrong-number'`,
        );
      });
    },

    async extendHandoff(handoff, at) {
      const expiresAt = Math.min(at + idleMs, handoff.endsAt);
      if (expiresAt < handoff.expiresAt + extendAfterMs) return handoff;
      const rows = await database.all(sql`
        update handoff set expires_at = ${expiresAt}
        where id = ${handoff.id} and state = 'connected' returning *`);
      return parseFirst(handoffSchema, rows) ?? handoff;
    },

    async endHandoff(id, state) {
      const rows = await database.all(sql`
        update handoff set state = ${state} where id = ${id} and ${isActive} returning *`);
      return parseFirst(handoffSchema, rows) !== undefined;
    },
  };
}

/** For the end of a desktop's session. */
export function revokeHandoffsOf(sessionId: string): Statement {
  return sql`update handoff set state = 'revoked' where session_id = ${sessionId} and ${isActive}`;
}

/** Two phones that claim at the same time run one after the other. */
function* lockHandoff(condition: Statement): Transaction<HandoffRow | undefined> {
  const rows = yield sql`select * from handoff where ${condition} for update`;
  return parseFirst(handoffSchema, rows);
}

function* changeHandoff(id: string, changes: Statement): Transaction<HandoffRow | undefined> {
  const rows = yield sql`update handoff set ${changes} where id = ${id} returning *`;
  return parseFirst(handoffSchema, rows);
}
