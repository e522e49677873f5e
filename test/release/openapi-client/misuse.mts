// Mistakes that must not compile against the generated client. Each marked line is an error; the compiler reports a mark without one.

import * as api from './client.ts';

export async function misuse(
  application: api.Application,
  configuration: api.Configuration,
  body: Blob,
): Promise<void> {
  const common = { xFundingRequest: '1', origin: api.servers.server1 } as const;

  // @ts-expect-error -- the header X-Funding-Request is required
  await api.getSession({ origin: common.origin });
  // @ts-expect-error -- the header Origin is required
  await api.getSession({ xFundingRequest: '1' });
  // @ts-expect-error -- the header Idempotency-Key is required
  await api.postApplication({ ...common, application });
  // @ts-expect-error -- the header Content-Length is required
  await api.postDocuments({ ...common, xDocumentName: 'a.pdf', xDocumentCategory: 'other', body });

  // @ts-expect-error -- no funding reason of this partner
  application.fundingNeed.reason = 'Vacation';
  // @ts-expect-error -- a label is no value
  application.fundingNeed.reason = configuration.fundingReasons[0]?.label ?? '';
  // @ts-expect-error -- a value of another list
  application.business.type = configuration.creditScores[0]?.value ?? '720+';
  // @ts-expect-error -- a member that the contract does not know
  application.business.nickname = 'The Bakery';
  // @ts-expect-error -- the partner requires the social security number
  delete application.owner.ssn;

  const report: api.AssetReport = {
    // @ts-expect-error -- a report has items
    report: { asset_report_id: 'report-1' },
  };
  await api.postAssetReport({ ...common, contentLength: 1, assetReport: report });

  // @ts-expect-error -- only the contact consent allows contact
  const consent: api.ContactRequest['consent'] = { id: 'terms', version: '1' };
  await api.postContact({ ...common, contactRequest: { consent } });

  const answer = await api.getOffers(common);
  // @ts-expect-error -- a problem has no offers
  answer.data.offers.at(0);
  // @ts-expect-error -- no status of this operation
  if (answer.status === 201) return;
  // @ts-expect-error -- no code of this status
  if (answer.status === 401 && answer.data.code === 'too-busy') return;
}
