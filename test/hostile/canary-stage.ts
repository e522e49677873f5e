// Two BFFs before services that repeat everything: one that takes what it is given, one with an operator's narrowest limits.

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

export interface CanaryStage {
  readonly services: CanaryServices;
  readonly open: WatchedBff;
  readonly narrow: WatchedBff;
  /** Of all browsers; others may add theirs. */
  readonly answers: CanaryAnswer[];
  /** A browser without a session yet. */
  browse(bff?: WatchedBff): CanaryBrowser;
  /** A browser with a session. */
  begin(): Promise<CanaryBrowser>;
  /** A browser whose application was accepted. */
  apply(): Promise<CanaryBrowser>;
  close(): Promise<void>;
}

export const challengeSecret = 'canary-challenge-secret-6d01';
export const maxDocumentBytes = 600_000;
export const maxTotalBytes = 700_000;
export const maxFiles = 3;

export async function startCanaryStage(): Promise<CanaryStage> {
  const services = await startCanaryServices();
  const answers: CanaryAnswer[] = [];
  const { serviceUrl, clamdUrl, verifyUrl } = services;
  const common = { serviceUrl, pageOrigin: canaryOrigin };
  const [open, narrow] = await Promise.all([
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
  const stage: CanaryStage = {
    services,
    open,
    narrow,
    answers,
    browse: (bff = open) => createCanaryBrowser(bff.url, answers),
    async begin() {
      const browser = stage.browse();
      await browser.send('POST', '/v1/session');
      return browser;
    },
    async apply() {
      const browser = await stage.begin();
      const { status, text } = await browser.apply();
      if (status !== 201) throw new Error(`No application was accepted: ${status} ${text}`);
      return browser;
    },
    async close() {
      await Promise.all([open.remove(), narrow.remove()]);
      await services.close();
    },
  };
  return stage;
}
