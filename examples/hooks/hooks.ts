// An example of a hook module: it adds the NAICS code to the lead, and tells a CRM what becomes of an application. Use it with
// `BFF_HOOKS=examples/hooks/hooks.ts` and `CRM_URL`.

import type { Hooks } from '../../bff/config/hooks.ts';

/** NAICS 2022 codes of those industries in the form that match exactly one code. */
const naicsByIndustry: Readonly<Record<string, string>> = {
  Breweries: '312120',
  'Car Wash': '811192',
  Dentist: '621210',
  Electrician: '238210',
  HVAC: '238220',
  Roofing: '238160',
  Veterinary: '541940',
};

export const enrichLead: Hooks['enrichLead'] = ({ business }) => {
  const naics = naicsByIndustry[business.industry];
  return naics === undefined ? {} : { IndustryNaics: naics };
};

/**
 * Stores the state of the application in the CRM, under the reference that the host page got from `funding-submitted`. The BFF may
 * call the function again with an older state; the CRM ignores a state whose `sequence` is not higher than the stored one. If the
 * CRM fails, the function throws, and the BFF calls it again later.
 */
export const onStatus: Hooks['onStatus'] = async ({ type, data }, signal) => {
  const crmUrl = process.env['CRM_URL'];
  if (crmUrl === undefined || !type.startsWith('application.')) return;
  const { reference, sequence, status, applicationId } = data;
  const response = await fetch(`${crmUrl}/deals/${reference}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ status, sequence, lenderId: applicationId }),
    signal,
  });
  if (!response.ok) throw new Error(`The CRM answered ${response.status}`);
};
