// `doctor`: whether the form can appear on its pages, seen from outside as browsers see it.

import {
  readArguments,
  UsageError,
  type Call,
  type CommandResult,
  type OutsideCommand,
} from './command.ts';
import { examineAddress, type PublicSite } from './doctor/address.ts';
import { examineAnswers } from './doctor/answers.ts';
import { createBrowser } from './doctor/browser.ts';
import {
  examineListing,
  examineProxies,
  readEnvironment,
  toListingMend,
  toMode,
  type DoctorEnvironment,
} from './doctor/environment.ts';
import { toText, type Finding, type Findings } from './doctor/finding.ts';
import { examinePage } from './doctor/page.ts';
import { createPatience } from './doctor/patience.ts';
import { examineScript } from './doctor/script.ts';
import { examineSessions } from './doctor/sessions.ts';
import { examineTraffic } from './doctor/traffic.ts';
import { toCount, toDuration } from './format.ts';

export const doctor: OutsideCommand = {
  kind: 'outside',
  name: 'doctor',
  parameters: '[--origin <origin>] [--page <address>]',
  summary: 'why the form does not appear: asks as a browser would',
  help: `Asks the running BFF at PUBLIC_URL as a browser on your pages would, through
whatever stands before it, and names the line to change: address, certificate,
clock, script, preflight, cookie, gate, limits of the proxy. It looks at every
origin of ALLOWED_ORIGINS and CROSS_SITE_ORIGINS, or at one:

--origin  for example https://www.partner.example
--page    the address of a page with the form; its script tag and its
          Content-Security-Policy are looked at as well

It needs PUBLIC_URL alone; where it has the BFF's environment it also compares
that. It begins two sessions an origin and ends them, and files nothing. Where
the limits of the BFF are reached it waits, five minutes at most.`,
  valueOptions: ['origin', 'page'],
  prepare(call) {
    readArguments(call);
    const page = readPage(call);
    const origin = readOrigin(call) ?? page?.origin;
    if (page && page.origin !== origin) {
      throw new UsageError('--origin is not the origin of --page; give one of them.');
    }
    return async (outside) => {
      const environment = readEnvironment(outside);
      if ('problems' in environment) {
        const lines = environment.problems.map((problem) => `\n  ${problem}`).join('');
        const message = `The environment cannot be used:${lines}`;
        return { error: 'configuration', message };
      }
      const { publicOrigin } = environment;
      const patience = createPatience({
        visit: outside.visit,
        startTimer: outside.startTimer,
        onWait: (ms) =>
          outside.printError(`The limits of the BFF are reached: waiting ${toDuration(ms)}.\n`),
      });
      const site = { publicOrigin, visit: patience.visit, clock: outside.clock };
      const findings: Finding[] = [];
      for await (const finding of examine(site, environment, { origin, page })) {
        findings.push(patience.excuse(finding));
      }
      return toResult(publicOrigin, findings);
    };
  },
};

function readOrigin({ values }: Call): string | undefined {
  const text = values.get('origin');
  if (text === undefined) return undefined;
  const url = toWebUrl(text);
  if (url?.origin !== text.replace(/\/$/, '')) {
    throw new UsageError('--origin is no origin. It looks like https://www.partner.example.');
  }
  return url.origin;
}

function readPage({ values }: Call): URL | undefined {
  const text = values.get('page');
  if (text === undefined) return undefined;
  const url = toWebUrl(text);
  if (!url || url.username !== '' || url.password !== '') {
    const example = 'https://www.partner.example/funding';
    throw new UsageError(`--page is no address of a page. It looks like ${example}.`);
  }
  return url;
}

function toWebUrl(text: string): URL | undefined {
  return /^https?:\/\//.test(text) && URL.canParse(text) ? new URL(text) : undefined;
}

interface Asked {
  /** `undefined`: every origin that is listed. */
  readonly origin: string | undefined;
  readonly page: URL | undefined;
}

async function* examine(
  site: PublicSite,
  environment: DoctorEnvironment,
  { origin, page }: Asked,
): Findings {
  if (!(yield* examineAddress(site))) return;
  const widget = yield* examineScript(site);
  const proxies = examineProxies(environment);
  if (proxies) yield proxies;
  let isTrafficKnown = false;
  for (const asked of origin === undefined ? listOrigins(environment) : [origin]) {
    const findings = examineOrigin(site, environment, asked, isTrafficKnown);
    isTrafficKnown = (yield* withOrigin(asked, findings)) || isTrafficKnown;
  }
  if (page) yield* withOrigin(page.origin, examinePage(site, page, widget));
}

function listOrigins(environment: DoctorEnvironment): readonly string[] {
  const { publicOrigin, allowedOrigins, crossSiteOrigins } = environment;
  const listed = [...new Set([...allowedOrigins, ...crossSiteOrigins])];
  return listed.length > 0 ? listed : [publicOrigin];
}

/** @returns whether the way of long requests was looked at, which is the same for all origins. */
async function* examineOrigin(
  { visit, publicOrigin }: PublicSite,
  environment: DoctorEnvironment,
  origin: string,
  isTrafficKnown: boolean,
): Findings<boolean> {
  const browser = createBrowser(visit, publicOrigin, origin);
  const listingMend = toListingMend(environment, origin);
  const listing = examineListing(environment, origin);
  if (listing) yield listing;
  // All else would only be refused for the same reason.
  if (listing?.result === 'wrong') return false;
  const configuration = yield* examineAnswers(browser, listingMend);
  if (!configuration) return false;
  yield* examineSessions(browser, {
    mode: toMode(environment, origin),
    isSecure: publicOrigin.startsWith('https:'),
    listingMend,
  });
  if (!isTrafficKnown) yield* examineTraffic(browser, configuration.documents.maxBytes);
  return true;
}

async function* withOrigin<Outcome>(
  origin: string,
  findings: Findings<Outcome>,
): Findings<Outcome> {
  for (;;) {
    const step = await findings.next();
    if (step.done) return step.value;
    yield { ...step.value, origin };
  }
}

function toResult(publicOrigin: string, findings: readonly Finding[]): CommandResult {
  const faults = findings.filter(({ result }) => result === 'wrong').length;
  const end =
    faults === 0 ? 'Nothing is wrong.' : `${toCount(faults, 'thing is', 'things are')} wrong.`;
  return {
    exitCode: faults === 0 ? 0 : 1,
    json: { publicUrl: publicOrigin, faults, checks: findings },
    text: `${toText(findings)}\n\n${end}`,
  };
}
