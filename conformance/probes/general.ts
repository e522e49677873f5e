// Rows about all operations. They send nothing: they summarize the answers of the run, or say why no request can show a fact.

import { NotTestable, type Probe } from '../probe.ts';
import type { CallFact, Session } from '../session.ts';

export const generalProbes: readonly Probe[] = [
  {
    id: 'general/failure-status',
    title: 'The HTTP status of failures',
    section: 'Errors',
    says: 'Not shown.',
    run: async (session) => ({
      verdict: 'known-now',
      did: count(requireFailures(session), ({ status }) => String(status)),
    }),
  },
  {
    id: 'general/failure-form',
    title: 'The body of failures',
    section: 'Errors',
    says: 'IsSuccessful (or success) set to false, and a message.',
    async run(session) {
      const failures = requireFailures(session);
      const isObject = failures.every(({ form }) => form === 'object');
      const names = {
        object: 'JSON object',
        list: 'JSON list',
        html: 'HTML',
        text: 'text',
        empty: 'no content',
      };
      return {
        verdict: isObject ? 'as-specified' : 'differs',
        did: count(failures, ({ form }) => names[form]),
      };
    },
  },
  {
    id: 'general/response-time',
    title: 'The time of an answer',
    section: 'Limits',
    says: 'Not shown.',
    async run({ facts }) {
      const times = facts.calls.map(({ durationMs }) => durationMs).toSorted((a, b) => a - b);
      if (times.length === 0) throw new NotTestable('There was no answer.');
      const median = times[Math.floor(times.length / 2)] ?? 0;
      const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
      return {
        verdict: 'known-now',
        did: `Median ${seconds(median)}, longest ${seconds(times.at(-1) ?? 0)}, ${times.length} calls`,
      };
    },
  },
  headers('general/limit-headers', 'Response headers about limits', 'Limits', /limit|quota|retry/i),
  headers(
    'general/version-headers',
    'Response headers about versions',
    'Versioning',
    /version|deprecation|sunset/i,
  ),
  untestable('limits/rate', 'Rate limits', 'Limits', 'It would take a flood of requests.'),
  untestable('token/lifetime', 'A token after 2 hours', 'Authentication', 'It would take 2 hours.'),
  untestable(
    'leads/do-not-contact',
    'Contact User for a lead with the mark Do Not Contact',
    'States',
    'No operation sets the mark. Ask the funding service to mark a test lead.',
  ),
  untestable(
    'leads/states',
    'Other states of a lead, and transitions of PreApproval_Status',
    'States',
    'They depend on the work of the lender’s staff.',
  ),
  untestable('events/callbacks', 'Events and callbacks', 'Events', 'No operation registers one.'),
  untestable(
    'asset-report/size-limit',
    'The size limit of asset reports',
    'Limits',
    'Reports of real banks are needed. The BFF accepts 8 MiB.',
  ),
];

function requireFailures({ facts }: Session): readonly CallFact[] {
  const failures = facts.calls.filter(({ isFailure }) => isFailure);
  if (failures.length === 0) throw new NotTestable('There was no failure.');
  return failures;
}

/** For example `200 (12), 401 (5)`. */
function count(calls: readonly CallFact[], toKey: (call: CallFact) => string): string {
  const counts = new Map<string, number>();
  for (const call of calls) counts.set(toKey(call), (counts.get(toKey(call)) ?? 0) + 1);
  return [...counts].map(([key, times]) => `${key} (${times})`).join(', ');
}

function headers(id: string, title: string, section: string, pattern: RegExp): Probe {
  return {
    id,
    title,
    section,
    says: 'Not shown.',
    async run({ facts }) {
      const names = new Set(facts.calls.flatMap((call) => call.headers));
      const matching = [...names].filter((name) => pattern.test(name));
      return { verdict: 'known-now', did: matching.length === 0 ? 'None' : matching.join(', ') };
    },
  };
}

function untestable(id: string, title: string, section: string, reason: string): Probe {
  return {
    id,
    title,
    section,
    says: 'Not shown.',
    run: async () => {
      throw new NotTestable(reason);
    },
  };
}
