// Makes the client of the funding service from the configuration.

import type { After } from './after.ts';
import type { Config } from './config.ts';
import { createFundingService } from './funding-service/client.ts';
import type { OnFundingServiceEvent } from './funding-service/events.ts';
import type { FundingService } from './funding-service/funding-service.ts';
import { createPasswordGrant } from './funding-service/grant.ts';
import type { LoginStore } from './funding-service/login-pauses.ts';
import { createTextPatterns } from './funding-service/texts.ts';
import { createTokenCache } from './funding-service/token.ts';
import type { Transport } from './funding-service/transport.ts';
import { shareLogins } from './shared-logins.ts';

export interface ConnectOptions {
  readonly config: Pick<Config, 'service' | 'settings' | 'dataKeys'>;
  readonly transport: Transport;
  /** Where all who log in with these credentials agree on it. */
  readonly journal: LoginStore;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly onEvent: OnFundingServiceEvent;
  /** For a login's turn. Default: timers that do not keep the process alive. */
  readonly after?: After;
}

/** Nothing is sent before the first call. */
export function connectFundingService(options: ConnectOptions): FundingService {
  const { config, transport, clock, onEvent, after } = options;
  const { service, settings } = config;
  const grant = createPasswordGrant({ ...service, transport, clock, onEvent });
  return createFundingService({
    transport,
    token: createTokenCache({
      grant,
      clock,
      onEvent,
      pauses: shareLogins(options),
      ...(after ? { after } : {}),
    }),
    baseUrl: service.baseUrl,
    partnerId: service.partnerId,
    partnerName: service.partnerName,
    aggregatorName: settings.aggregatorName,
    texts: createTextPatterns(settings.serviceTexts),
    clock,
    onEvent,
  });
}
