// Probes of Create Lead: the lead that the BFF sends, missing and invalid fields, and values that the specification does not show.

import type { ChoiceSetting, Settings } from '../../bff/config/settings.ts';
import { readText } from '../../bff/funding-service/responses.ts';
import { leadAddressSchema } from '../../shared/funding-service/lead.ts';
import { createId } from '../../bff/runtime/ids.ts';
import { type Answer, describeAnswer, isAccepted, responseShapes, shorten } from '../answer.ts';
import { type Finding, NotTestable, type Probe, type SettingChange } from '../probe.ts';
import type { Session } from '../session.ts';
import {
  addressFields,
  createFullLead,
  createMinimalLead,
  omit,
  requiredLeadFields,
  testMark,
  type TestLead,
} from '../test-data.ts';
import { findNamedField, refusal, toSignature, treat } from './refusals.ts';

const section = 'Endpoints, 2. Create Lead';
const wrongText = 'conformance-test-wrong';

type ChoiceField = 'BusinessType' | 'CreditScore' | 'LoanReason';

const choiceSettings: Readonly<
  Record<ChoiceField, 'businessTypes' | 'creditScores' | 'fundingReasons'>
> = { BusinessType: 'businessTypes', CreditScore: 'creditScores', LoanReason: 'fundingReasons' };

const monthFormats = ['number', 'two-digit', 'name', 'short-name'] as const;
const ageFormats = ['years', 'months', 'years-and-months'] as const;
const unshownFields = ['BusinessType', 'CreditScore', 'LoanReason', 'FoundedMonth', 'BusinessAge'];
/** A list of choices in the text of a refusal is tried up to this length. */
const maxListedValues = 20;

export const createLeadProbes: readonly Probe[] = [
  {
    id: 'create-lead/accepted',
    title: 'A lead with the required fields',
    section,
    says: 'IsSuccessful true, an ApplicationID, ReferenceID with the submitted ID, and a pURL.',
    run: findAcceptedLead,
  },
  {
    id: 'create-lead/all-fields',
    title: 'The lead that the BFF sends, with every optional field but Files',
    section: 'Resources, Lead',
    says: 'Accepted: all these fields are listed.',
    async run(session) {
      session.requireLead();
      session.reserveLead();
      const lead = createFullLead(session.toLeadOptions());
      const id = String(lead['ID']);
      const answer = await session.callWithClient('create-lead', lead, async (client) =>
        client.createLead(JSON.stringify(lead), id),
      );
      return toAcceptance(answer, session);
    },
  },
  {
    id: 'create-lead/files',
    title: 'A lead with a URL in Files',
    section: 'Resources, Lead',
    says: 'Accepted. Allowed values of the items of Files: not shown.',
    async run(session) {
      session.requireLead();
      const lead = createMinimalLead(session.toLeadOptions());
      const answer = await session.sendLead({
        ...lead,
        Files: ['https://example.com/conformance-test.pdf'],
      });
      return toAcceptance(answer, session);
    },
  },
  refusal({
    id: 'create-lead/duplicate-id',
    title: 'The same lead again',
    section: 'Errors',
    isRefusalSpecified: true,
    need: { kind: 'refused', reasons: ['duplicate-id'], list: 'duplicate' },
    async send(session) {
      const { id } = session.requireLead();
      return session.sendLead({ ...createMinimalLead(session.toLeadOptions()), ID: id });
    },
  }),
  {
    id: 'create-lead/duplicate-id-answer',
    title: 'The ApplicationID of the first lead in the answer to the second',
    section: 'Errors',
    says: 'Not shown.',
    async run(session) {
      const { id, applicationId } = session.requireLead();
      const lead = { ...createMinimalLead(session.toLeadOptions()), ID: id };
      const answer = await session.sendLead(lead);
      return answer.response.text.includes(applicationId)
        ? {
            verdict: 'known-now',
            did: 'It contains the ApplicationID',
            advice: 'After a lost answer, the BFF can find the lead by itself.',
          }
        : {
            verdict: 'known-now',
            did: 'It does not contain the ApplicationID',
            advice:
              'After a lost answer, an operator has to ask the funding service for the ApplicationID (command `resolve`).',
          };
    },
  },
  ...requiredLeadFields.map((field) => missingField(field)),
  ...addressFields.flatMap((field) =>
    Object.keys(leadAddressSchema.shape).map((part) => missingField(`${field}.${part}`)),
  ),
  invalidField('AnnualRevenue', 'a text', 'plenty', true),
  invalidField('LoanAmount', 'a text', 'plenty', true),
  invalidField('Industry', 'a value that is not in the list', wrongText, true),
  invalidField('BirthDay', 'another format of date', '01/31/1980', true),
  invalidField('CreatedAt', 'a text that is no timestamp', 'yesterday', true),
  invalidField('ContactEmail', 'a text without an at sign', 'conformance-test', false),
  invalidField('ContactPhone', 'letters', 'conformance', false),
  invalidField('Ssn', 'five digits', '98765', false),
  {
    ...refusal({
      id: 'create-lead/invalid-State',
      title: 'BusinessAddress.State with the name of a state',
      section: 'Errors',
      isRefusalSpecified: true,
      need: {
        kind: 'refused',
        reasons: ['invalid-field'],
        field: 'BusinessAddress.State',
        list: 'invalidField',
      },
      send: async (session) =>
        sendChanged(session, (lead) => ({
          ...lead,
          BusinessAddress: { ...(lead['BusinessAddress'] as object), State: 'Maine' },
        })),
    }),
  },
  bound('LoanAmount', '0', 0),
  bound('AnnualRevenue', 'a negative number', -1),
  bound('OwnershipPct', '101', 101),
  bound('Company', '300 characters', `${testMark} `.padEnd(300, 'x')),
  choices('BusinessType'),
  choices('CreditScore'),
  choices('LoanReason'),
  formats('FoundedMonth', 'foundedMonthFormat', monthFormats, 'Smarch'),
  formats('BusinessAge', 'businessAgeFormat', ageFormats, wrongText),
  refusal({
    id: 'create-lead/authentication-invalid',
    title: 'Create Lead with an invalid token',
    section: 'Errors',
    isRefusalSpecified: true,
    need: { kind: 'authentication', list: 'invalidToken' },
    send: async (session) =>
      sendChanged(session, (lead) => lead, { Authorization: `Bearer ${wrongText}` }),
  }),
  refusal({
    id: 'create-lead/partner-headers-missing',
    title: 'Create Lead without PartnerId and PartnerName',
    section: 'Common headers',
    send: async (session) =>
      sendChanged(session, (lead) => lead, { PartnerId: undefined, PartnerName: undefined }),
  }),
  refusal({
    id: 'create-lead/partner-headers-invalid',
    title: 'Create Lead with an unknown PartnerId',
    section: 'Authentication, 5',
    says: 'The headers must be valid. The failure is not shown.',
    send: async (session) => sendChanged(session, (lead) => lead, { PartnerId: wrongText }),
  }),
  refusal({
    id: 'create-lead/content-type-invalid',
    title: 'Create Lead as text/plain',
    section: 'Common headers',
    send: async (session) => sendChanged(session, (lead) => lead, { 'Content-Type': 'text/plain' }),
  }),
  refusal({
    id: 'create-lead/malformed-json',
    title: 'Create Lead with half of its JSON',
    section: 'Errors',
    async send(session) {
      const text = JSON.stringify(createMinimalLead(session.toLeadOptions()));
      return session.sendLead(text.slice(0, text.length / 2));
    },
  }),
];

/** Combinations of two faults. They follow the probes of each fault alone. */
export const orderProbes: readonly Probe[] = [
  order({
    id: 'order/token-or-headers',
    title: 'Create Lead with an invalid token, without partner headers',
    first: 'create-lead/authentication-invalid',
    second: 'create-lead/partner-headers-missing',
    send: async (session) =>
      sendChanged(session, (lead) => lead, {
        Authorization: `Bearer ${wrongText}`,
        PartnerId: undefined,
        PartnerName: undefined,
      }),
  }),
  order({
    id: 'order/headers-or-fields',
    title: 'Create Lead without partner headers and without Company',
    first: 'create-lead/partner-headers-missing',
    second: 'create-lead/missing-Company',
    send: async (session) =>
      sendChanged(session, (lead) => omit(lead, 'Company'), {
        PartnerId: undefined,
        PartnerName: undefined,
      }),
  }),
  order({
    id: 'order/missing-or-invalid',
    title: 'Create Lead without Company, and with a text in AnnualRevenue',
    first: 'create-lead/missing-Company',
    second: 'create-lead/invalid-AnnualRevenue',
    send: async (session) =>
      sendChanged(session, (lead) => ({ ...omit(lead, 'Company'), AnnualRevenue: 'plenty' })),
  }),
  order({
    id: 'order/duplicate-or-missing',
    title: 'Create Lead with a used ID, without Company',
    first: 'create-lead/duplicate-id',
    second: 'create-lead/missing-Company',
    send: async (session) => {
      const { id } = session.requireLead();
      return sendChanged(session, (lead) => ({ ...omit(lead, 'Company'), ID: id }));
    },
  }),
];

function missingField(path: string): Probe {
  return refusal({
    id: `create-lead/missing-${path}`,
    title: `A lead without ${path}`,
    section: 'Errors',
    text: `Missing required field: ${path}`,
    // The specification does not say how it names a part of an address.
    ...(path.includes('.')
      ? {
          text: undefined,
          isRefusalSpecified: true,
          says: 'Fails: the part of an address is required. How the text names it is not shown.',
        }
      : {}),
    need: { kind: 'refused', reasons: ['missing-field'] },
    send: async (session) => sendChanged(session, (lead) => omit(lead, path)),
  });
}

function invalidField(field: string, description: string, value: unknown, isSpecified: boolean) {
  return refusal({
    id: `create-lead/invalid-${field}`,
    title: `${field} with ${description}`,
    section: 'Errors',
    isRefusalSpecified: isSpecified,
    need: { kind: 'refused', reasons: ['invalid-field'], field, list: 'invalidField' },
    send: async (session) => sendChanged(session, (lead) => ({ ...lead, [field]: value })),
  });
}

function bound(field: string, description: string, value: unknown): Probe {
  return refusal({
    id: `create-lead/bounds-${field}`,
    title: `${field} with ${description}`,
    section: 'Limits',
    says: 'Numeric bounds and lengths of fields: not shown.',
    need: { kind: 'refused', reasons: ['invalid-field'], field, list: 'invalidField' },
    send: async (session) => sendChanged(session, (lead) => ({ ...lead, [field]: value })),
  });
}

async function sendChanged(
  session: Session,
  change: (lead: TestLead) => TestLead,
  headers: Readonly<Record<string, string | undefined>> = {},
): Promise<Answer> {
  session.requireLead();
  return session.sendLead(change(createMinimalLead(session.toLeadOptions())), { headers });
}

/** The documented fields of a success. */
function toAcceptance(answer: Answer, session: Session): Finding {
  const did = describeAnswer(answer, session.mask.secrets);
  const missing = responseShapes['create-lead'].fields.filter(
    (name) => name !== 'IsSuccessful' && readText(answer.body[name]) === undefined,
  );
  if (answer.outcome.kind !== 'accepted') {
    const claims = isAccepted(answer)
      ? ' It claims success without an ApplicationID and our ID.'
      : '';
    return { verdict: 'differs', did: did + claims, bff: 'not-handled' };
  }
  const others = answer.flag === true ? missing : ['IsSuccessful', ...missing];
  return others.length === 0
    ? { verdict: 'as-specified', did, bff: 'handled' }
    : { verdict: 'differs', did: `${did} (without ${others.join(', ')})`, bff: 'handled' };
}

/** Sends the lead of the settings. If a value is refused that the specification does not show, tries the other values. */
async function findAcceptedLead(session: Session): Promise<Finding> {
  const { facts } = session;
  const refusals: string[] = [];
  for (;;) {
    const lead = createMinimalLead(session.toLeadOptions());
    const answer = await session.sendLead(lead);
    if (isAccepted(answer)) {
      const finding = toAcceptance(answer, session);
      const changes = [...listFormatChanges(session), ...findTrackingHost(answer, session)];
      const did = [...refusals, finding.did].join(' Then: ');
      return { ...finding, did, ...(changes.length > 0 ? { settings: changes } : {}) };
    }
    const description = describeAnswer(answer, session.mask.secrets);
    const field = findNamedField(answer, unshownFields);
    if (field === undefined || !tryNextValue(field, String(lead[field]), answer, session)) {
      return {
        verdict: 'differs',
        did: [...refusals, description].join(' Then: '),
        advice:
          field === undefined
            ? 'Most other requests need a lead. Ask the funding service what is wrong with this one.'
            : `Set ${field in choiceSettings ? choiceSettings[field as ChoiceField] : 'lead'} in FUNDING_SETTINGS to values that the funding service accepts for ${field}, and run the command again.`,
      };
    }
    if (refusals.length === 0) refusals.push(description);
    if ((facts.refused[field]?.length ?? 0) > maxListedValues + 10) {
      throw new NotTestable(`The service refuses every value of ${field}.`);
    }
  }
}

/** Notes the refused value, and chooses the next one. Returns false if there is none. */
function tryNextValue(field: string, value: string, answer: Answer, session: Session): boolean {
  const { facts, settings } = session;
  const refused = (facts.refused[field] ??= []);
  if (!refused.includes(value)) refused.push(value);
  if (field === 'FoundedMonth' || field === 'BusinessAge') {
    const name = field === 'FoundedMonth' ? 'foundedMonthFormat' : 'businessAgeFormat';
    const formats: readonly string[] = field === 'FoundedMonth' ? monthFormats : ageFormats;
    const current = facts.values[name] ?? settings.lead[name];
    const tried = (facts.refused[name] ??= []);
    if (!tried.includes(current)) tried.push(current);
    const next = formats.find((format) => !tried.includes(format));
    if (next === undefined) return false;
    Object.assign(facts.values, { [name]: next });
    return true;
  }
  const choice = field as ChoiceField;
  const next = listCandidates(choice, answer, session).find((text) => !refused.includes(text));
  if (next === undefined) return false;
  facts.values[choice] = next;
  return true;
}

/** The values of the settings, and the values that the text of a refusal lists: `Allowed values: A, B, C`. */
function listCandidates(field: ChoiceField, answer: Answer, session: Session): readonly string[] {
  const configured = session.settings[choiceSettings[field]].map(({ value }) => value);
  const [, list = ''] =
    /^.*\b(?:allowed|valid|accepted|permitted|possible|supported|one of|choose from)\b[^:[({]*[:[({]\s*(.+)$/i.exec(
      answer.message,
    ) ?? [];
  const listed = list
    .replace(/[\])}.]+$/, '')
    .split(/\s*[;,|]\s*(?:and |or )?/)
    .map((text) => text.trim().replace(/^["'“‘](.*)["'”’]$/, '$1'))
    .filter((text) => text !== '' && text.length <= 100);
  return [...new Set([...configured, ...listed.slice(0, maxListedValues)])];
}

function listFormatChanges({ facts, settings }: Session): readonly SettingChange[] {
  return (['foundedMonthFormat', 'businessAgeFormat'] as const).flatMap((name) => {
    const value = facts.values[name];
    return value === undefined || value === settings.lead[name]
      ? []
      : [{ path: `lead.${name}`, value }];
  });
}

/** The BFF shows a tracking URL only if its host is listed. */
function findTrackingHost(answer: Answer, session: Session): readonly SettingChange[] {
  const host = URL.parse(readText(answer.body['pURL']) ?? '')?.host;
  const { trackingHosts = [new URL(session.service.baseUrl).host] } = session.settings;
  if (host === undefined || trackingHosts.includes(host)) return [];
  return [{ path: 'trackingHosts', value: [...trackingHosts, host] }];
}

function choices(field: ChoiceField): Probe {
  const setting = choiceSettings[field];
  return {
    id: `create-lead/choices-${field}`,
    title: `${field} with values of the setting ${setting}, and with none of them`,
    section,
    says: `Allowed values of ${field}: not shown.`,
    async run(session) {
      const answer = await sendChanged(session, (lead) => ({ ...lead, [field]: wrongText }));
      if (isAccepted(answer)) {
        return {
          verdict: 'known-now',
          did: 'Any text is accepted, also the choices of the settings',
        };
      }
      const need = {
        kind: 'refused',
        reasons: ['invalid-field'],
        field,
        list: 'invalidField',
      } as const;
      const treatment = treat(answer, need, session);
      const accepted: string[] = [];
      const refused = [...(session.facts.refused[field] ?? [])];
      const known = String(createMinimalLead(session.toLeadOptions())[field]);
      for (const value of listCandidates(field, answer, session)) {
        if (refused.includes(value) || value === wrongText) continue;
        const isKnown = value === known;
        const next = isKnown
          ? undefined
          : await sendChanged(session, (lead) => ({ ...lead, [field]: value }));
        (next === undefined || isAccepted(next) ? accepted : refused).push(value);
      }
      session.facts.refused[field] = refused;
      return toChoiceFinding(field, accepted, refused, { ...treatment, answer, session });
    },
  };
}

function toChoiceFinding(
  field: ChoiceField,
  accepted: readonly string[],
  refused: readonly string[],
  {
    answer,
    session,
    settings = [],
    ...treatment
  }: Pick<Finding, 'bff' | 'settings' | 'advice'> & {
    readonly answer: Answer;
    readonly session: Session;
  },
): Finding {
  const path = choiceSettings[field];
  const configured = session.settings[path];
  const kept = configured.filter(({ value }) => accepted.includes(value));
  const added = accepted
    .filter((value) => configured.every((choice) => choice.value !== value))
    .map((value): ChoiceSetting => ({ value, label: { en: value } }));
  const isChanged = kept.length < configured.length || added.length > 0;
  const list = (values: readonly string[]) => (values.length === 0 ? 'none' : values.join('; '));
  const did = `A list is checked: ${describeAnswer(answer, session.mask.secrets)}. Accepted: ${list(accepted)}. Refused: ${list(refused)}`;
  const advice =
    accepted.length === 0
      ? `Ask the funding service for the allowed values of ${field}.`
      : (treatment.advice ??
        `There may be more values. Ask the funding service for the list of ${field}.`);
  const changes =
    isChanged && accepted.length > 0
      ? [...settings, { path, value: [...kept, ...added] }]
      : settings;
  return {
    verdict: 'known-now',
    did: session.mask.secrets(did),
    ...treatment,
    advice,
    ...(changes.length > 0 ? { settings: changes } : {}),
  };
}

function formats<Name extends 'foundedMonthFormat' | 'businessAgeFormat'>(
  field: 'FoundedMonth' | 'BusinessAge',
  name: Name,
  all: readonly Settings['lead'][Name][],
  nonsense: string,
): Probe {
  return {
    id: `create-lead/format-${field}`,
    title: `${field} in the formats of the setting lead.${name}, and with a text`,
    section,
    says: `Allowed values of ${field}: not shown.`,
    async run(session) {
      const answer = await sendChanged(session, (lead) => ({ ...lead, [field]: nonsense }));
      if (isAccepted(answer)) {
        return {
          verdict: 'known-now',
          did: 'Any text is accepted',
          advice: `The service does not check ${field}. Ask which form its staff expect, and set lead.${name}.`,
        };
      }
      const options = session.toLeadOptions();
      const current = options.settings[name];
      const accepted: string[] = [];
      for (const format of all) {
        const lead = createMinimalLead({
          ...options,
          id: createId(session.clock()),
          settings: { ...options.settings, [name]: format },
        });
        const isRefused = session.facts.refused[name]?.includes(format);
        if (isRefused) continue;
        if (format === current || isAccepted(await session.sendLead(lead))) accepted.push(format);
      }
      const need = {
        kind: 'refused',
        reasons: ['invalid-field'],
        field,
        list: 'invalidField',
      } as const;
      const { settings = [], ...treatment } = treat(answer, need, session);
      const isChanged = current !== session.settings.lead[name];
      const changes = isChanged
        ? [...settings, { path: `lead.${name}`, value: current }]
        : settings;
      return {
        verdict: 'known-now',
        did: `Accepted formats: ${accepted.join(', ')}. Otherwise: ${describeAnswer(answer, session.mask.secrets)}`,
        ...treatment,
        ...(accepted.length > 1
          ? { advice: `Several formats of ${field} are accepted. Ask which one its staff expect.` }
          : {}),
        ...(changes.length > 0 ? { settings: changes } : {}),
      };
    },
  };
}

interface OrderProbe {
  readonly id: string;
  readonly title: string;
  readonly first: string;
  readonly second: string;
  readonly send: (session: Session) => Promise<Answer>;
}

function order({ id, title, first, second, send }: OrderProbe): Probe {
  return {
    id,
    title,
    section: 'Errors',
    says: 'The order of the checks: not shown.',
    async run(session) {
      const answer = await send(session);
      if (isAccepted(answer)) {
        return { verdict: 'known-now', did: 'Accepted: the service checks neither' };
      }
      const { messages } = session.facts;
      const signature = toSignature(answer, session);
      const isFirst = messages[first] === signature;
      const isSecond = messages[second] === signature;
      const name = isFirst && !isSecond ? first : isSecond && !isFirst ? second : undefined;
      const did =
        name === undefined
          ? `Neither alone has this answer: ${shorten(describeAnswer(answer, session.mask.secrets), 200)}`
          : `The answer of ${name}`;
      return { verdict: 'known-now', did };
    },
  };
}
