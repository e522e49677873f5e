// What the component schemas say beyond the zod schemas: values that refer to a shared list, formats, and descriptions.

import { contactConsentId } from '../../shared/application/consent.ts';
import { documentCategoryIds } from '../../shared/application/document-categories.ts';
import { fieldPatterns } from '../../shared/application/fields.ts';
import type { JsonSchema, ToReference } from './schemas.ts';

const moment = { format: 'date-time' };
const url = { format: 'uri' };

/** By path. A `$ref` replaces the schema at the path; anything else is added to it. `[]` stands for the items of an array. */
export function listAdditions(toReference: ToReference): Readonly<Record<string, JsonSchema>> {
  return {
    'Configuration/environment': {
      description: 'In `sandbox` nothing is lent. Use no personal data outside of `production`.',
    },
    'Configuration/locales': { description: 'The languages of the form, the default first.' },
    'Configuration/locales[]': toReference('Locale'),
    'Configuration/locale': toReference('Locale'),
    'Configuration/fundingReasons[]/value': toReference('FundingReason'),
    'Configuration/businessTypes[]/value': toReference('BusinessType'),
    'Configuration/creditScores[]/value': toReference('CreditScore'),
    'Configuration/requiredFields': {
      description: 'Optional fields of an application that this partner requires.',
    },
    'Configuration/documents/maxBytes': { description: 'Maximum size of one document in bytes.' },
    'Configuration/documents/maxFiles': {
      description: 'Maximum number of documents of one application.',
    },
    'Configuration/documents/maxTotalBytes': {
      description: 'Maximum size of all documents of one application in bytes.',
    },
    'Configuration/documents/extensions[]': toReference('DocumentExtension'),
    'Configuration/documents/categories[]/id': toReference('DocumentCategory'),
    'Configuration/documents/checklist': {
      description:
        'The documents that the lender asks for first. A line is complete with `count` documents of its `categories`.',
    },
    'Configuration/documents/checklist[]/categories[]': toReference('DocumentCategory'),
    'Configuration/bankConnection': {
      description:
        '`off`: submit no asset report. `demonstration`: the widget submits invented ones. `host`: the host page submits the reports of its own aggregator.',
    },
    'Configuration/challenge': {
      description:
        'The bot check to solve before an application is submitted; its token goes into the header `X-Funding-Challenge`. `null`: none.',
    },
    'Configuration/offers/notQualifiedNotice': {
      description:
        'The notice to show with the decision `not-qualified` (12 CFR 1002.9). Empty: none.',
    },
    'Consent/id': toReference('ConsentId'),
    'Consent/version': {
      description: 'Changes with every change of a text. Send it back with the consent.',
    },
    'Consent/required': { description: 'Whether an application needs this consent.' },
    'SessionRequest/transport': {
      description:
        '`handle`: carry the session in the header `Authorization` instead of a cookie. It has no effect on a session that exists.',
    },
    'Session/expiresAt': {
      ...moment,
      description: 'The session ends at this time unless a request uses it before.',
    },
    'Session/isProven': {
      description:
        'Whether this request carried the session. `false` after the request that began the session.',
    },
    'Session/handle': {
      description:
        'The session token to send as `Authorization: Funding <token>`. Only in the answer that began a session with the transport `handle`. Keep it in memory only.',
    },
    'Session/application': { description: '`null` before an application is submitted.' },
    'Session/assetReport': {
      description: 'The latest asset report. `null` before one is submitted.',
    },
    'Session/contact': { description: 'The latest contact request. `null` before there is one.' },
    'Address/state': toReference('State'),
    'Address/zip': {
      pattern: fieldPatterns.zip.source,
      description: 'Five digits, or nine as in `12345-6789`.',
    },
    'Application/fundingNeed/amount': { description: 'Whole US dollars.' },
    'Application/fundingNeed/reason': toReference('FundingReason'),
    'Application/business/type': toReference('BusinessType'),
    'Application/business/industry': toReference('Industry'),
    'Application/business/annualRevenue': { description: 'Whole US dollars.' },
    'Application/business/foundedDay': { description: 'A day of the founding month, if known.' },
    'Application/business/foundedYear': {
      description: 'Together with `foundedMonth` not in the future.',
    },
    'Application/business/taxId': {
      pattern: fieldPatterns.ein.source,
      description: 'Employer Identification Number: nine digits.',
    },
    'Application/owner/firstName': { description: 'Contains at least one letter.' },
    'Application/owner/lastName': { description: 'Contains at least one letter.' },
    'Application/owner/phone': {
      pattern: fieldPatterns.phone.source,
      description: 'A North American number: ten digits.',
    },
    'Application/owner/birthDate': {
      format: 'date',
      description: '`YYYY-MM-DD`. The owner is at least 18 years old.',
    },
    'Application/owner/ssn': {
      pattern: fieldPatterns.ssn.source,
      description: 'Social Security number: nine digits.',
    },
    'Application/owner/creditScore': toReference('CreditScore'),
    'Application/consents': {
      description:
        'The consents that the applicant gave. Every `required` consent of the configuration must be among them.',
    },
    'Application/consents[]/id': toReference('ConsentId'),
    'Application/consents[]/version': {
      description: 'The `version` of the consent in the configuration.',
    },
    'Application/consents[]/locale': toReference('Locale'),
    'Application/signature/name': { description: "Contains a word of the owner's last name." },
    'Application/campaignId': { description: 'A campaign id that the operator allows.' },
    'ApplicationStatus/status': {
      description:
        '`received`: stored, not accepted yet. `confirming`: the funding service may have it; its answer was lost. `accepted`: the funding service has it. `rejected`: see `errors`; another application may be submitted.',
    },
    'ApplicationStatus/reference': {
      description: 'The reference that an applicant can quote.',
    },
    'ApplicationStatus/receivedAt': moment,
    'ApplicationStatus/delayed': { description: 'Whether delivery takes longer than usual.' },
    'ApplicationStatus/trackingUrl': {
      ...url,
      description: 'A page of the funding service that shows the progress.',
    },
    'ApplicationStatus/errors': {
      description: 'The fields that the funding service rejected, as far as it names them.',
    },
    'Offers/decision': {
      description: '`pending`: qualified, and no offer has been made yet. Ask again.',
    },
    'Offers/offers': { description: 'In the order of the funding service.' },
    'Offers/checkedAt': { ...moment, description: 'When the funding service was last asked.' },
    'Offers/trackingUrl': url,
    ...listOfferAdditions(),
    'ContactRequest/consent/id': {
      const: contactConsentId,
      description: 'The contact consent of the configuration.',
    },
    'ContactRequest/consent/version': {
      description: 'The `version` of the contact consent in the configuration.',
    },
    'ContactRequest/consent/locale': toReference('Locale'),
    'ContactAnswer/contact': {
      description: '`received`: stored, not delivered yet. `enabled`: contact is allowed again.',
    },
    'ContactStatus/status': {
      description: '`received`: stored, not delivered yet. `enabled`: contact is allowed again.',
    },
    'DocumentStatus/number': { description: 'Counts up from 1 within the application.' },
    'DocumentStatus/name': {
      description: 'File name with its extension. Absent once the BFF has erased it.',
    },
    'DocumentStatus/category': { enum: documentCategoryIds },
    'DocumentStatus/status': {
      description:
        '`received`: stored, not delivered yet. `delivered`: the funding service has it. `rejected`: the funding service or the virus scanner refused it.',
    },
    'DocumentStatus/delayed': { description: 'Whether delivery takes longer than usual.' },
    'DocumentStatus/problem': {
      description: 'Why it was rejected, unless the funding service rejected it.',
    },
    AssetReport: {
      description:
        'The report exactly as the aggregation provider returns it. Only these members are checked; all others are delivered unchanged.',
    },
    'AssetReportStatus/status': {
      description:
        '`received`: stored, not delivered yet. `delivered`: the funding service has it. `rejected`: the funding service refused it.',
    },
    'AssetReportStatus/delayed': { description: 'Whether delivery takes longer than usual.' },
    'FieldError/pointer': {
      format: 'json-pointer',
      description: 'JSON Pointer (RFC 6901) into the request body.',
    },
    'Problem/type': { ...url, description: '`urn:funding-application:problem:` and the code.' },
    'Problem/title': { description: 'For developers. Show applicants a text of your own.' },
    'Problem/requestId': { description: 'The same as the header `X-Request-Id`.' },
    'Problem/errors': { description: 'The fields that the problem is about.' },
  };
}

/** Every figure of an offer may be `null`, which means that the funding service did not give it. */
function listOfferAdditions(): Readonly<Record<string, JsonSchema>> {
  const descriptions = {
    amount: 'US dollars.',
    termMonths: 'Estimated term in months.',
    paymentAmount: 'US dollars for each payment.',
    monthlyRate: 'Percent a month.',
    aprLow: 'Annual percentage rate, lower bound, in percent.',
    aprHigh: 'Annual percentage rate, upper bound, in percent.',
    feeLow: 'US dollars.',
    feeHigh: 'US dollars.',
    disclosures: 'Show the whole text with the offer.',
    totalCost: 'US dollars: principal plus interest, without fees.',
    centsOnTheDollar: 'Cost for each dollar borrowed.',
    totalInterest: 'US dollars over the term.',
  };
  return Object.fromEntries(
    Object.entries(descriptions).map(([name, description]) => [
      `Offer/${name}`,
      { description: `${description} \`null\`: not given.` },
    ]),
  );
}
