// The client over a scripted transport, with a call and a successful response for each operation.

import type { Config } from '../../../bff/config/config.ts';
import { defaultSettings, type Settings } from '../../../bff/config/settings.ts';
import { createFundingService } from '../../../bff/funding-service/client.ts';
import type { PartnerOperation } from '../../../shared/funding-service/operations.ts';
import type {
  FundingService,
  FundingServiceEvent,
  FileUpload,
} from '../../../bff/funding-service/funding-service.ts';
import type { TokenCache, TokenResult } from '../../../bff/funding-service/token.ts';
import type { TransportResult } from '../../../bff/funding-service/transport.ts';
import { createScriptedTransport } from '../../support/scripted-transport.ts';

export const leadId = 'a0B000000000001AAA';
export const id = '0199a0b1-0000-7000-8000-00000000000a';
const file: FileUpload = {
  name: 'statement',
  extension: 'pdf',
  category: 'Bank Statements - Mar',
  bytes: 4,
  content: async function* content() {
    yield Buffer.from('%PDF');
  },
};
export const partner = { PartnerId: 'P-7', PartnerName: 'Harbor Partners' };

export const calls: Readonly<
  Record<PartnerOperation, (service: FundingService) => Promise<unknown>>
> = {
  'create-lead': (service) => service.createLead('{"ID":"x"}', id),
  'pre-approval-offer': (service) => service.getPreApprovalOffer(leadId),
  'contact-user': (service) => service.contactUser(leadId),
  'asset-report': (service) => service.submitAssetReport(leadId, '{"report": {"n": 1.0}}'),
  'upload-file': (service) => service.uploadFile(leadId, file),
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

export const tokenA: TokenResult = { kind: 'token', token: 'A' };

export interface ClientSetUp {
  readonly answers: readonly TransportResult[];
  /** The results of `get` and `renew`. */
  readonly tokens?: readonly TokenResult[];
  readonly serviceTexts?: Settings['serviceTexts'];
}

export function createClientConfig(
  settings: Partial<Settings> = {},
  baseUrl = 'https://service.example/rest',
): Pick<Config, 'service' | 'settings'> {
  return {
    service: {
      authUrl: 'https://login.example',
      baseUrl,
      clientId: 'client-1',
      clientSecret: 'secret-1',
      username: 'partner@example.com',
      password: 'password-1',
      partnerId: partner.PartnerId,
      partnerName: partner.PartnerName,
    },
    settings: { ...defaultSettings(), aggregatorName: 'FinLink', ...settings },
  };
}

export function setUpClient({
  answers,
  tokens = [tokenA, { kind: 'token', token: 'B' }],
  serviceTexts = {},
}: ClientSetUp) {
  const renewed: string[] = [];
  const confirmed: string[] = [];
  const events: FundingServiceEvent[] = [];
  const tokenCache: TokenCache = {
    get: () => Promise.resolve(tokens[0]!),
    renew: (failed) => {
      renewed.push(failed);
      return Promise.resolve(tokens[1]!);
    },
    confirm: (taken) => void confirmed.push(taken),
    pausedUntil: () => 0,
  };
  const { transport, requests } = createScriptedTransport(...answers);
  const service = createFundingService({
    config: createClientConfig({ serviceTexts }),
    transport,
    tokens: tokenCache,
    clock: () => 0,
    onEvent: (event) => void events.push(event),
  });
  return { service, requests, renewed, confirmed, events };
}

export function failureOf(operation: PartnerOperation, text: string): object {
  if (operation === 'asset-report') {
    return { success: false, message: text, assetReportId: null };
  }
  const name = operation === 'upload-file' ? 'ResponseMessage' : 'ResponseText';
  return { IsSuccessful: false, [name]: text };
}
