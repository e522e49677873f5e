// Links to URLs that the configuration or the funding service supplies.

import { expect } from '@open-wc/testing';
import type { Configuration } from '../../../shared/api/configuration.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { acceptedStatus, ok, withApplication } from '../../support/fake-funding-api.ts';
import { type Mounted, mountWidget } from '../../support/mount-widget.ts';

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
const https = 'https://partner.example/1';
const http = 'http://localhost:8080/1';

/** The URLs of all links to other pages. */
function listLinks({ root }: Mounted): string[] {
  return [...root.querySelectorAll('a')]
    .map((link) => link.getAttribute('href') ?? '')
    .filter((href) => !/^(#|tel:|mailto:)/.test(href));
}

/** The review, with these links below the first consent. */
async function mountConsents(urls: readonly string[], environment: Configuration['environment']) {
  const links = urls.map((url) => ({ label: `Terms ${url}`, url }));
  const [terms] = createConfiguration().consents;
  const consents = [{ ...terms!, links }];
  const mounted = await mountWidget({
    configuration: ok(createConfiguration({ environment, consents, support: {} })),
  });
  await mounted.fillForm();
  return mounted;
}

/** The record, with this tracking link and this page of the support. */
async function mountRecord(url: string, environment: Configuration['environment']) {
  const configuration = ok(createConfiguration({ environment, support: { url } }));
  const application = withApplication({ ...acceptedStatus, trackingUrl: url });
  const mounted = await mountWidget({ configuration, ...application });
  await mounted.waitForRecord();
  return mounted;
}

describe('the links of a consent', () => {
  it('do not lead to harmful URLs, whose labels stay', async () => {
    const mounted = await mountConsents(harmful, 'sandbox');
    expect(listLinks(mounted)).to.deep.equal([]);
    const { textContent } = mounted.find('.consent ul');
    for (const url of harmful) expect(textContent).to.include(`Terms ${url}`);
  });

  it('lead to https, and to http only in the sandbox', async () => {
    const urls = [https, http];
    expect(listLinks(await mountConsents(urls, 'sandbox'))).to.deep.equal(urls);
    expect(listLinks(await mountConsents(urls, 'production'))).to.deep.equal([https]);
  });
});

describe('the tracking link and the page of the support', () => {
  // The links of a consent have the other harmful URLs.
  it('do not lead to a harmful URL', async () => {
    expect(listLinks(await mountRecord('javascript:alert(1)', 'sandbox'))).to.deep.equal([]);
  });

  it('lead to https, and the tracking link to http in the sandbox', async () => {
    expect(listLinks(await mountRecord(https, 'production'))).to.deep.equal([https, https]);
    expect(listLinks(await mountRecord(http, 'sandbox'))).to.deep.equal([http]);
    expect(listLinks(await mountRecord(http, 'production'))).to.deep.equal([]);
  });
});
