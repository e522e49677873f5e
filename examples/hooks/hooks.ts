// An example of a hook module: it adds the NAICS code to the lead. Use it with `BFF_HOOKS=examples/hooks/hooks.ts`.

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
