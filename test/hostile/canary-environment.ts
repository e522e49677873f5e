// Two BFF processes and the services that echo applicant data. One BFF has hardly any limits, the other has strict ones.

import { canarySettings } from '../support/canary-applicant.ts';
import { unlimited } from '../support/unlimited.ts';
import {
  canaryOrigin,
  createCanaryBrowser,
  type CanaryAnswer,
  type CanaryBrowser,
} from './canary-browser.ts';
import { startCanaryServices, type CanaryServices } from './canary-services.ts';
import { startWatchedBff, type WatchedBff } from './watched-bff.ts';

export interface CanaryEnvironment {
  readonly services: CanaryServices;
  /** Has hardly any limits. */
  readonly open: WatchedBff;
  /** Has strict limits. */
  readonly strict: WatchedBff;
  /** The responses of all browsers. Callers may add their own. */
  readonly answers: CanaryAnswer[];
  /** Returns a browser without a session. */
  browse(bff?: WatchedBff): CanaryBrowser;
  /** Returns a browser with a session. */
  begin(): Promise<CanaryBrowser>;
  /** Returns a browser with an accepted application. */
  apply(): Promise<CanaryBrowser>;
  close(): Promise<void>;
}

export const challengeSecret = 'canary-challenge-secret-6d01';
export const maxDocumentBytes = 600_000;
export const maxTotalBytes = 700_000;
export const maxFiles = 3;

export async function startCanaryEnvironment(): Promise<CanaryEnvironment> {
  const services = await startCanaryServices();
  const answers: CanaryAnswer[] = [];
  const { serviceUrl, clamdUrl, verifyUrl } = services;
  const common = { serviceUrl, pageOrigin: canaryOrigin };
  const [open, strict] = await Promise.all([
    startWatchedBff({
      ...common,
      settings: {
        ...canarySettings,
        limits: { ...unlimited, requestsAtOnce: 2 },
        documents: { maxBytes: maxDocumentBytes, maxTotalBytes, maxFiles, scripts: 'refuse' },
      },
      variables: {
        CLAMD_URL: clamdUrl,
        CHALLENGE_PROVIDER: 'turnstile',
        CHALLENGE_SITE_KEY: 'site',
        CHALLENGE_SECRET: challengeSecret,
        CHALLENGE_VERIFY_URL: verifyUrl,
      },
    }),
    startWatchedBff({
      ...common,
      settings: {
        ...canarySettings,
        limits: { sessionsPerMinutePerAddress: 1, minimumFillSeconds: 60 },
      },
    }),
  ]);
  const environment: CanaryEnvironment = {
    services,
    open,
    strict,
    answers,
    browse: (bff = open) => createCanaryBrowser(bff.url, answers),
    async begin() {
      const browser = environment.browse();
      await browser.send('POST', '/v1/session');
      return browser;
    },
    async apply() {
      const browser = await environment.begin();
      const { status, text } = await browser.apply();
      if (status !== 201) throw new Error(`The application was refused: ${status} ${text}`);
      return browser;
    },
    async close() {
      await Promise.all([open.remove(), strict.remove()]);
      await services.close();
    },
  };
  return environment;
}
