// Links to URLs that the configuration or the funding service supplies.

import { expect } from '@open-wc/testing';
import type { Configuration } from '../../../shared/api/configuration.ts';
import { createConfiguration } from '../../support/configuration.ts';
import {
  acceptedStatus,
  createSession,
  FakeFundingApi,
  ok,
} from '../../support/fake-funding-api.ts';
import { fillForm, mountWidget, type Mounted } from '../../support/mount-widget.ts';
import { waitUntil } from '../../support/wait-until.ts';

const harmful = [
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:a',
  'blob:https://bff.example/1',
  '//bff.example',
  'https:bff.example',
];

/** Returns the scheme and host of all links to other pages. */
function listLinks({ root }: Mounted): string[] {
  return [...root.querySelectorAll('a')]
    .map((link) => link.getAttribute('href') ?? '')
    .filter((href) => !/^(#|tel:|mailto:)/.test(href));
}

async function mountReview(url: string, environment: Configuration['environment']) {
  const api = new FakeFundingApi();
  const { consents } = createConfiguration();
  const links = [{ label: 'Terms of use', url }];
  api.configuration = ok(
    createConfiguration({
      environment,
      consents: consents.map((consent) => ({ ...consent, links })),
      support: { url },
    }),
  );
  const mounted = await mountWidget(api);
  await fillForm(mounted);
  return mounted;
}

async function mountSubmitted(trackingUrl: string, environment: Configuration['environment']) {
  const api = new FakeFundingApi();
  api.configuration = ok(createConfiguration({ environment, support: {} }));
  const application = { ...acceptedStatus, trackingUrl };
  api.session = ok(createSession({ application }));
  api.status = ok(application);
  const mounted = await mountWidget(api);
  await waitUntil(() => mounted.root.textContent?.includes(acceptedStatus.reference));
  return mounted;
}

describe('the links of the configuration', () => {
  for (const url of harmful) {
    it(`do not lead to ${url}`, async () => {
      const mounted = await mountReview(url, 'sandbox');
      expect(listLinks(mounted)).to.deep.equal([]);
      expect(mounted.root.querySelector('.links')?.textContent).to.include('Terms of use');
    });
  }

  it('lead to https', async () => {
    const url = 'https://partner.example/terms';
    const links = listLinks(await mountReview(url, 'production'));
    expect([...new Set(links)]).to.deep.equal([url]);
  });

  it('lead to http only in the sandbox', async () => {
    const url = 'http://localhost:8080/terms';
    expect(listLinks(await mountReview(url, 'sandbox'))).to.deep.equal([url, url]);
    expect(listLinks(await mountReview(url, 'production'))).to.deep.equal([]);
  });
});

describe('the tracking link', () => {
  for (const url of harmful) {
    it(`does not lead to ${url}`, async () => {
      expect(listLinks(await mountSubmitted(url, 'sandbox'))).to.deep.equal([]);
    });
  }

  it('leads to https', async () => {
    const url = 'https://service.example/t/1';
    expect(listLinks(await mountSubmitted(url, 'production'))).to.deep.equal([url]);
  });

  it('leads to http only in the sandbox', async () => {
    const url = 'http://localhost:8082/t/1';
    expect(listLinks(await mountSubmitted(url, 'sandbox'))).to.deep.equal([url]);
    expect(listLinks(await mountSubmitted(url, 'production'))).to.deep.equal([]);
  });
});
