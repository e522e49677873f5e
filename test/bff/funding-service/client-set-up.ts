// The client over a scripted transport, with a call and a successful response for each operation.

import type { Config } from '../../../bff/config/config.ts';
import { defaultSettings, type Settings } from '../../../bff/config/settings.ts';
import { createFundingService } from '../../../bff/funding-service/client.ts';
import type {
  FundingService,
  FundingServiceEvent,
} from '../../../bff/funding-service/funding-service.ts';
import { createTokenCache, type TokenResult } from '../../../bff/funding-service/token.ts';
import type { TransportResult } from '../../../bff/funding-service/transport.ts';
import type { PartnerOperation } from '../../../shared/funding-service/operations.ts';
import { createManualTime } from '../../support/manual-time.ts';
import { createScriptedTransport } from '../../support/scripted-transport.ts';

export const leadId = 'a0B000000000001AAA';
const id = '0199a0b1-0000-7000-8000-00000000000a';

export const calls: Readonly<
  Record<PartnerOperation, (service: FundingService) => Promise<{ readonly kind: string }>>
> = {
  // Another layout than that of `JSON.stringify`: these texts are sent as they are.
  'create-lead': (service) => service.createLead('{ "Company" : "Ü", "AnnualRevenue":1.0 }', id),
  'pre-approval-offer': (service) => service.getPreApprovalOffer(leadId),
  'contact-user': (service) => service.contactUser(leadId),
  'asset-report': (service) => service.submitAssetReport(leadId, '{"report": {"n": 1.0}}'),
  'upload-file': (service) =>
    service.uploadFile(leadId, {
      name: 'statement',
      extension: 'pdf',
      category: 'Bank Statements - Mar',
      bytes: 4,
      content: async function* content() {
        yield Buffer.from('%PDF');
      },
    }),
};

export const successes: Readonly<Record<PartnerOperation, object>> = {
  'create-lead': { IsSuccessful: true, ApplicationID: leadId, ReferenceID: id, pURL: null },
  'pre-approval-offer': {
    IsSuccessful: true,
    PreApproval_Data: { PreApproval_Status: 'Not Qualified', PreApproval_Offers: [] },
  },
  'contact-user': { IsSuccessful: true, ResponseText: 'Application updated.' },
  'asset-report': { success: true, message: '', assetReportId: 'r-1' },
  'upload-file': { IsSuccessful: true, DocumentId: 'd-1', ReferenceID: leadId },
};

export function createClientConfig(
  settings: Partial<Settings> = {},
): Pick<Config, 'service' | 'settings'> {
  return {
    service: {
      authUrl: 'https://login.example',
      baseUrl: 'https://service.example/rest',
      clientId: 'client-1',
      clientSecret: 's3cret&+=',
      username: 'partner@example.com',
      password: 'pässword 1',
      partnerId: 'P-7',
      partnerName: 'Harbor Partners',
    },
    settings: { ...defaultSettings(), aggregatorName: 'FinLink', ...settings },
  };
}

export const toToken = (token: string): TokenResult => ({ kind: 'token', token });

interface ClientSetUp {
  /** The responses to operations, in order; the last one repeats. */
  readonly answers: readonly TransportResult[];
  /** In order; the last one repeats. Default: the tokens `A`, `B`, and `C`. */
  readonly logins?: readonly TokenResult[];
  readonly settings?: Partial<Settings>;
}

export function setUpClient({
  answers,
  logins = ['A', 'B', 'C'].map(toToken),
  settings = {},
}: ClientSetUp) {
  const time = createManualTime();
  const events: FundingServiceEvent[] = [];
  const onEvent = (event: FundingServiceEvent) => void events.push(event);
  const { transport, requests } = createScriptedTransport(...answers);
  let count = 0;
  const requestToken = () => {
    count += 1;
    return Promise.resolve(logins[Math.min(count, logins.length) - 1]!);
  };
  const service = createFundingService({
    config: createClientConfig(settings),
    transport,
    tokens: createTokenCache(requestToken, { clock: time.clock, onEvent }),
    clock: time.clock,
    onEvent,
  });
  return { service, requests, events, time };
}
