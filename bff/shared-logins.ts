// Shares through the journal who may log in at the funding service, and goes on alone while the journal is away.

import { createHmac } from 'node:crypto';
import type { Config, ServiceConfig } from './config.ts';
import { deriveKey } from './derive-key.ts';
import type { OnFundingServiceEvent } from './funding-service/events.ts';
import {
  createLoginPauses,
  createOwnLoginStore,
  type LoginPauses,
  type LoginStore,
} from './funding-service/login-pauses.ts';
import { JournalError } from './journal/database.ts';

export interface SharedLoginsOptions {
  readonly config: Pick<Config, 'service' | 'dataKeys'>;
  readonly journal: LoginStore;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly onEvent: OnFundingServiceEvent;
}

/** The pauses of everybody with the same credentials; an operator who has changed them waits for none. */
export function shareLogins({ config, journal, clock, onEvent }: SharedLoginsOptions): LoginPauses {
  const store = withFallback(journal, createOwnLoginStore(clock), onEvent);
  return createLoginPauses(store, toCredentialsMark(config));
}

function withFallback(
  journal: LoginStore,
  own: LoginStore,
  onEvent: OnFundingServiceEvent,
): LoginStore {
  let isAway = false;
  return {
    async changeLogin(credentials, change) {
      try {
        const answer = await journal.changeLogin(credentials, change);
        isAway = false;
        return answer;
      } catch (error) {
        if (!(error instanceof JournalError)) throw error;
        if (!isAway) onEvent({ event: 'login-pause-unshared' });
        isAway = true;
        return own.changeLogin(credentials, change);
      }
    },
  };
}

/**
 * The same for the same credentials, and no help in guessing a password: its key is made of the data key, which does not lie in
 * the journal.
 */
export function toCredentialsMark(config: Pick<Config, 'service' | 'dataKeys'>): string {
  return createHmac('sha256', deriveKey(config, 'login'))
    .update(JSON.stringify(listCredentials(config.service)))
    .digest('base64url');
}

function listCredentials(service: ServiceConfig): readonly string[] {
  const { authUrl, clientId, clientSecret, username, password } = service;
  return [authUrl, clientId, clientSecret, username, password];
}
