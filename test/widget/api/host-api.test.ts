// The code that protects the form from a host page's own `api` loads with the first request.

import { describe, expect, it } from 'vitest';
import { createHostApi } from '../../../widget/api/host-api.ts';
import * as safeApi from '../../../widget/api/safe-api.ts';
import { fail, FakeFundingApi, ok } from '../../support/fake-funding-api.ts';
import { createConfiguration } from '../../support/configuration.ts';

const options = {
  report: () => undefined,
  setTimeout: () => 0,
  clearTimeout: () => undefined,
};

function createApi() {
  const hostApi = new FakeFundingApi();
  hostApi.configuration = ok(createConfiguration());
  return hostApi;
}

describe("a host page's own api", () => {
  it('returns the configuration', async () => {
    const api = createHostApi(createApi(), options);

    expect(await api.getConfiguration('en')).toEqual(ok(createConfiguration()));
  });

  it('has the other methods after the first request', async () => {
    const hostApi = createApi();
    const api = createHostApi(hostApi, options);
    await api.openSession();
    hostApi.status = fail('internal');

    expect(await api.getApplication()).toEqual(fail('internal'));
  });

  it('answers the first request of a phone', async () => {
    const hostApi = createApi();
    const api = createHostApi(hostApi, options);

    expect(await api.getHandoff?.()).toEqual(await hostApi.getHandoff());
  });

  it('lacks the optional methods that the host page lacks', async () => {
    const { getPlace: _getPlace, ...methods } = safeApi.createSafeApi(createApi(), options);
    const api = createHostApi(methods, options);
    await api.openSession();

    expect(api.getPlace).toBeUndefined();
    expect(api.getDraftKey).toBeDefined();
  });

  it('cannot be reached if the code does not load', async () => {
    const api = createHostApi(createApi(), options, () => Promise.reject(new TypeError()));

    expect(await api.getConfiguration()).toEqual(fail('network'));
  });

  it('can be reached when the code loads later', async () => {
    let isOffline = true;
    const api = createHostApi(createApi(), options, async () => {
      if (isOffline) throw new TypeError();
      return safeApi;
    });
    await api.getConfiguration();
    isOffline = false;

    expect(await api.getConfiguration()).toMatchObject({ ok: true });
  });
});
