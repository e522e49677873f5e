// A host page's own `api` with errors.

import { beforeEach, describe, expect, it } from 'vitest';
import { requestTimeoutMs, type FundingApi } from '../../../widget/api/funding-api.ts';
import {
  activeUploadTimeoutMs,
  createSafeApi,
  silentUploadTimeoutMs,
} from '../../../widget/api/safe-api.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { createSession, fail, FakeFundingApi, ok } from '../../support/fake-funding-api.ts';

type Method = Exclude<keyof FundingApi, 'endsWithPage'>;

const cancel = new AbortController();
const upload = {
  file: new File(['a'], 'a.txt'),
  category: 'other',
  onProgress: () => undefined,
  signal: cancel.signal,
};
const calls: Readonly<Record<Method, (api: FundingApi) => Promise<unknown>>> = {
  getConfiguration: (api) => api.getConfiguration('es'),
  openSession: (api) => api.openSession(),
  getSession: (api) => api.getSession(),
  endSession: (api) => api.endSession(),
  submitApplication: (api) => api.submitApplication('{}', 'key', { isHoneypotFilled: false }),
  getApplication: (api) => api.getApplication(),
  getPlace: async (api) => api.getPlace?.('78701'),
  getOffers: (api) => api.getOffers(),
  enableContact: (api) => api.enableContact({ id: 'contact', version: '1' }),
  uploadDocument: (api) => api.uploadDocument(upload),
  changeDocumentCategory: (api) => api.changeDocumentCategory(1, 'other'),
  removeDocument: (api) => api.removeDocument(1),
  submitAssetReport: (api) => api.submitAssetReport({ report: {} }),
  getDraftKey: (api) => api.getDraftKey!(),
  createDraftKey: (api) => api.createDraftKey!(),
  endDraftKey: (api) => api.endDraftKey!(),
  createHandoff: (api) => api.createHandoff!(),
  getHandoff: (api) => api.getHandoff!(),
  endHandoff: (api) => api.endHandoff!(),
  claimHandoff: (api) => api.claimHandoff!({ code: '7K4M-92XQ' }),
  confirmHandoff: (api) => api.confirmHandoff!('42'),
  listDocuments: (api) => api.listDocuments!(),
};
const methods = Object.entries(calls) as [Method, (api: FundingApi) => Promise<unknown>][];

/** Values with required properties. */
const results: Readonly<Partial<Record<Method, unknown>>> = {
  getConfiguration: ok(createConfiguration()),
  openSession: ok(createSession()),
  getSession: ok(createSession()),
  getOffers: ok({ decision: 'pending', offers: [] }),
  endSession: ok(undefined),
  endDraftKey: ok(undefined),
  removeDocument: ok(undefined),
  endHandoff: ok(undefined),
  confirmHandoff: ok(undefined),
  listDocuments: ok({ documents: [] }),
};

let api: FakeFundingApi;
let reports: string[];
let timers: Map<number, { readonly callback: () => void; readonly ms: number }>;
let safe: FundingApi;

beforeEach(() => {
  api = new FakeFundingApi();
  reports = [];
  timers = new Map();
  let lastTimer = 0;
  safe = createSafeApi(api, {
    report: (sentence) => reports.push(sentence),
    setTimeout: (callback, ms) => {
      lastTimer += 1;
      timers.set(lastTimer, { callback, ms });
      return lastTimer;
    },
    clearTimeout: (timer) => timers.delete(timer),
  });
});

/** Replaces a method with one that may break the contract. */
function replace(method: Method, implementation: unknown): void {
  Reflect.set(api, method, implementation);
}

function listTimeouts(): number[] {
  return [...timers.values()].map(({ ms }) => ms);
}

function runTimers(): void {
  for (const { callback } of timers.values()) callback();
}

describe.each(methods)('%s of a host page', (method, call) => {
  const internal = { ok: false, code: 'internal', errors: [] };

  it.each([
    ['result', results[method] ?? ok({ status: 'received' })],
    ['failure', { ...fail('too-busy', [{ pointer: '/a', code: 'required' }]), retryAfterMs: 5 }],
  ])('passes its %s through', async (_kind, result) => {
    replace(method, async () => result);
    expect(await call(safe)).toEqual(result);
    expect(reports).toEqual([]);
  });

  it.each<readonly [string, unknown]>([
    [
      'throws',
      () => {
        throw new Error('secret');
      },
    ],
    ['rejects', async () => Promise.reject(new Error('secret'))],
    ['is missing', undefined],
    ['returns nothing', () => undefined],
    ['resolves to null', async () => null],
    ['resolves to a text', async () => 'secret'],
    ['resolves to a value without ok', async () => ({ value: 'secret' })],
    ['resolves to another ok', async () => ({ ok: 'yes', value: {} })],
  ])('is an internal failure if it %s', async (_name, implementation) => {
    replace(method, implementation);
    expect(await call(safe)).toEqual(internal);
    expect(reports).toHaveLength(1);
    expect(reports[0]).toContain(`"api.${method}"`);
    expect(reports[0]).not.toContain('secret');
    expect(timers.size).toBe(0);
  });

  it('is an internal failure with an unknown code', async () => {
    replace(method, async () => ({ ok: false, code: 'unknown', errors: 'none' }));
    expect(await call(safe)).toEqual(internal);
  });

  it('is a network failure if it never settles', async () => {
    replace(method, () => new Promise(() => undefined));
    const calling = call(safe);
    const timeout = method === 'uploadDocument' ? silentUploadTimeoutMs : requestTimeoutMs;
    expect(listTimeouts()).toEqual([timeout]);
    runTimers();
    expect(await calling).toEqual({ ok: false, code: 'network', errors: [] });
    expect(reports).toEqual([`"api.${method}" timed out.`]);
  });
});

describe.each(methods.filter(([method]) => method !== 'uploadDocument'))(
  'the arguments of %s',
  (method, call) => {
    it('reach the host page', async () => {
      const passed: unknown[][] = [];
      replace(method, async (...parameters: unknown[]) => passed.push(parameters));
      await call(api);
      await call(safe);
      expect(passed).toHaveLength(2);
      expect(passed[1]).toEqual(passed[0]);
    });
  },
);

describe.each<readonly [Method, unknown]>([
  ['getConfiguration', {}],
  ['getConfiguration', { ...createConfiguration(), consents: null }],
  ['getConfiguration', { ...createConfiguration(), documents: { extensions: [] } }],
  ['getConfiguration', { ...createConfiguration(), support: undefined }],
  ['openSession', { ...createSession(), documents: undefined }],
  ['getSession', {}],
  ['getOffers', { decision: 'qualified' }],
  ['getApplication', 'accepted'],
  ['submitApplication', undefined],
])('an incomplete value of %s', (method, value) => {
  it('is an internal failure', async () => {
    replace(method, async () => ({ ok: true, value }));
    expect(await calls[method](safe)).toEqual({ ok: false, code: 'internal', errors: [] });
    expect(reports).toHaveLength(1);
  });
});

describe('an upload of a host page', () => {
  it('has time for its response after each progress', async () => {
    const shares: number[] = [];
    api.handleUpload = ({ onProgress }) => {
      onProgress(0.5);
      return new Promise(() => undefined);
    };
    void safe.uploadDocument({ ...upload, onProgress: (share) => shares.push(share) });
    expect(listTimeouts()).toEqual([activeUploadTimeoutMs]);
    expect(shares).toEqual([0.5]);
  });

  it('is aborted after the timeout', async () => {
    api.handleUpload = () => new Promise(() => undefined);
    const uploading = safe.uploadDocument(upload);
    runTimers();
    await uploading;
    expect(api.uploads[0]!.signal.aborted).toBe(true);
  });

  it('ends at once when it is canceled', async () => {
    const abort = new AbortController();
    api.handleUpload = () => new Promise(() => undefined);
    const uploading = safe.uploadDocument({ ...upload, signal: abort.signal });
    abort.abort();
    expect(await uploading).toMatchObject({ code: 'network' });
    expect(api.uploads[0]!.signal.aborted).toBe(true);
    expect(reports).toEqual([]);
  });

  it('reports no progress after its end', async () => {
    const shares: number[] = [];
    api.handleUpload = () => new Promise(() => undefined);
    const uploading = safe.uploadDocument({ ...upload, onProgress: (share) => shares.push(share) });
    runTimers();
    await uploading;
    api.uploads[0]!.onProgress(1);
    expect(shares).toEqual([]);
    expect(timers.size).toBe(0);
  });
});

describe('endsWithPage of a host page', () => {
  it('has the value of the host page', () => {
    expect(safe.endsWithPage).toBe(false);
    api.endsWithPage = true;
    expect(safe.endsWithPage).toBe(true);
  });

  it('is false if the host page throws', () => {
    Object.defineProperty(api, 'endsWithPage', {
      get: () => {
        throw new Error('broken');
      },
    });
    expect(safe.endsWithPage).toBe(false);
  });
});
