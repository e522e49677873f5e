// `doctor --page`: the tag, the element and the Content-Security-Policy of a partner's page.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createDoctorRig,
  publicUrl,
  samePage,
  toAnswer,
  toPage,
  type DoctorRig,
} from './doctor-rig.ts';

const address = `${samePage}/funding?from=menu`;
const source = `${publicUrl}/widget/funding-application.js`;
const tag = `<script type="module" src="${source}"></script>`;

describe('doctor --page', () => {
  let rig: DoctorRig;

  beforeAll(async () => {
    rig = await createDoctorRig();
  });

  afterAll(() => rig.close());

  async function runOn(page: typeof rig.page) {
    rig.page = page;
    const { code, checks, wrong } = await rig.run('--page', address, '--json');
    const find = (name: string) => checks.find(({ check }) => check === name);
    return { code, wrong, find };
  }

  it('finds nothing wrong with a page that has tag and element, and goes by its origin', async () => {
    const { code, wrong, find } = await runOn(toPage(tag));
    expect({ code, wrong }).toEqual({ code: 0, wrong: [] });
    expect(find('listing')!.origin).toBe(samePage);
    for (const name of ['embedding', 'script-src', 'connect-src', 'trusted-types']) {
      expect(find(name)).toMatchObject({ result: 'ok', origin: samePage });
    }
  });

  it.each([
    [
      'in a policy that allows the BFF and nothing else',
      `default-src 'none'; script-src ${publicUrl}; connect-src ${publicUrl}; require-trusted-types-for 'script'; trusted-types lit-html`,
      tag,
    ],
    [
      'with the nonce of its policy',
      `script-src 'nonce-a1b2' 'strict-dynamic'`,
      tag.replace('>', ' nonce=a1b2>'),
    ],
    ['written in other ways', '', `<SCRIPT\n async TYPE='module' SRC=${source}></SCRIPT>`],
    [
      'from a server of its own, and says where the BFF is',
      '',
      `<script type="module" src="/own/funding-application.js"></script><funding-application bff-url="${publicUrl}/">`,
    ],
  ])('finds nothing wrong with a tag %s', async (_what, policy, head) => {
    expect((await runOn(toPage(head, policy))).wrong).toEqual([]);
  });

  it.each([
    ['is not there', '', "The page's HTML has no script tag"],
    ['is in a comment only', `<!-- ${tag} -->`, "The page's HTML has no script tag"],
    ['leads elsewhere', tag.replace('apply.', 'aply.'), 'leads to another BFF'],
    ['has a query', tag.replace('.js', '.js?v=1'), 'has a query'],
    ['is no module', tag.replace(' type="module"', ''), 'is a module'],
    [
      'has the integrity of another file',
      tag.replace('>', ' integrity="sha384-AAAA">'),
      'another version',
    ],
    [
      'is overruled by bff-url',
      `${tag}<funding-application bff-url="https://other.example">`,
      'leads to another BFF',
    ],
  ])('says that the script tag %s', async (_what, head, sentence) => {
    const { code, wrong, find } = await runOn(toPage(head));
    expect({ code, wrong }).toEqual({ code: 1, wrong: ['embedding'] });
    expect(find('embedding')!.message).toContain(sentence);
    expect(find('embedding')!.mend).toContain(publicUrl);
  });

  it('takes a pinned version for right, and hints where a release would break the pin', async () => {
    const pinned = tag.replace('></', ` integrity="${rig.integrity}"></`);
    expect((await runOn(toPage(pinned))).find('embedding')).toMatchObject({
      result: 'hint',
      mend: `<script type="module" src="${publicUrl}/widget/1.2.3/funding-application.js" integrity="${rig.integrity}"></script>`,
    });
    const versioned = pinned.replace('/widget/', '/widget/1.2.3/');
    expect((await runOn(toPage(versioned))).find('embedding')!.result).toBe('ok');
  });

  it('says that the element is not there', async () => {
    const { find } = await runOn({ ...toPage(''), body: tag });
    expect(find('embedding')!.message).toBe("The page's HTML has no <funding-application>.");
  });

  it.each([
    ['script-src', `script-src 'self'`, `script-src ${publicUrl}`],
    ['script-src', `script-src ${source}`, `script-src ${publicUrl}`],
    ['connect-src', `connect-src 'self'`, `connect-src ${publicUrl}`],
    ['trusted-types', 'trusted-types other', 'trusted-types lit-html'],
  ])(
    'names what is missing in %s, be it in a header or in the page',
    async (check, policy, mend) => {
      const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
      for (const page of [
        toPage(tag, policy),
        toPage(meta + tag),
        toPage(tag, `img-src *, ${policy}`),
      ]) {
        const { wrong, find } = await runOn(page);
        expect(wrong).toEqual([check]);
        expect(find(check)!.mend).toContain(mend);
      }
    },
  );

  it.each([
    ['a redirect', toAnswer(302, { location: '/login' })],
    ['a refusal', toAnswer(403)],
    ['no page', toAnswer(200, { 'content-type': 'application/pdf' })],
  ])('says that %s cannot be looked at', async (_what, page) => {
    expect((await runOn(page)).wrong).toEqual(['page']);
  });
});
