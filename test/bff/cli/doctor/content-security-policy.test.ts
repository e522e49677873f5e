// What a Content-Security-Policy allows the widget, by the examples of the standard and of everyday pages.

import { describe, expect, it } from 'vitest';
import {
  allowsConnection,
  allowsScript,
  allowsTrustedTypes,
  parsePolicies,
  type Policy,
} from '../../../../bff/cli/doctor/content-security-policy.ts';

const page = 'https://www.partner.example';
const bff = 'https://apply.partner.example';
const script = {
  urls: [`${bff}/widget/funding-application.js`, `${bff}/widget/chunks/a-1.js`],
  nonce: '',
  integrity: '',
};

const only = (text: string): Policy => parsePolicies(text)[0]!;

describe('parsePolicies', () => {
  it('reads several policies, names in any case, and of a directive that stands twice the first', () => {
    const [first, second, ...more] = parsePolicies(
      "default-src 'self';; SCRIPT-SRC  a.example\tb.example; script-src c.example , img-src *,",
    );
    expect([...first!]).toEqual([
      ['default-src', ["'self'"]],
      ['script-src', ['a.example', 'b.example']],
    ]);
    expect([...second!]).toEqual([['img-src', ['*']]]);
    expect(more).toEqual([]);
  });
});

describe('allowsConnection', () => {
  it.each([
    ['img-src x', true],
    ["default-src 'none'", false],
    ['default-src', false],
    ["default-src 'none'; connect-src https://apply.partner.example", true],
    ['default-src *; connect-src other.example', false],
    ['connect-src *', true],
    ["connect-src 'self'", false],
    ["connect-src 'none'", false],
    ['connect-src https:', true],
    ['connect-src wss:', false],
    ['connect-src http:', true],
    ['connect-src apply.partner.example', true],
    ['connect-src APPLY.partner.example', true],
    ['connect-src http://apply.partner.example', true],
    ['connect-src *.partner.example', true],
    ['connect-src *.apply.partner.example', false],
    ['connect-src partner.example', false],
    ['connect-src https://*', true],
    ['connect-src apply.partner.example:443', true],
    ['connect-src apply.partner.example:80', true],
    ['connect-src apply.partner.example:*', true],
    ['connect-src apply.partner.example:8443', false],
    ['connect-src apply.partner.example/v1/', true],
    ['connect-src apply.partner.example/v1', false],
    ['connect-src apply.partner.example/other/', false],
    ['connect-src apply-partner.example', false],
  ])('%s: %s', (text, isAllowed) => {
    expect(allowsConnection(only(text), `${bff}/v1/session`, page)).toBe(isAllowed);
  });

  it("takes 'self' for the page's own host, also when it is reached over https", () => {
    const policy = only("connect-src 'self'");
    expect(allowsConnection(policy, `${page}/v1/session`, page)).toBe(true);
    expect(allowsConnection(policy, `${page}/v1/session`, 'http://www.partner.example')).toBe(true);
    expect(allowsConnection(policy, 'http://www.partner.example/v1', page)).toBe(false);
  });

  it('asks for the port where the address has one', () => {
    const url = 'http://localhost:8081/v1/session';
    expect(allowsConnection(only('connect-src localhost'), url, 'http://localhost:8080')).toBe(
      false,
    );
    expect(allowsConnection(only('connect-src localhost:8081'), url, 'http://localhost:8080')).toBe(
      true,
    );
  });
});

describe('allowsScript', () => {
  it.each([
    ['script-src https://apply.partner.example', true],
    ['script-src https://apply.partner.example/widget/', true],
    ['script-src https://apply.partner.example/widget/funding-application.js', false],
    ["script-src *; script-src-elem 'self'", false],
    ["default-src 'self'; script-src-elem https:", true],
    ["script-src 'unsafe-inline' 'unsafe-eval'", false],
    ["script-src 'strict-dynamic' https:", false],
    ["script-src 'STRICT-DYNAMIC' https:", false],
  ])('%s: %s', (text, isAllowed) => {
    expect(allowsScript(only(text), script, page)).toBe(isAllowed);
  });

  it('goes by the nonce of the tag, which also holds for what is loaded later', () => {
    const policy = only("script-src 'nonce-abc' 'strict-dynamic'");
    expect(allowsScript(policy, { ...script, nonce: 'abc' }, page)).toBe(true);
    expect(allowsScript(policy, { ...script, nonce: 'ABC' }, page)).toBe(false);
    expect(allowsScript(only("script-src 'nonce-abc'"), { ...script, nonce: 'abc' }, page)).toBe(
      true,
    );
  });

  it('goes by a hash only where later files are trusted with it', () => {
    const integrity = 'sha384-x';
    const policy = only("script-src 'strict-dynamic' 'sha384-x'");
    expect(allowsScript(policy, { ...script, integrity }, page)).toBe(true);
    expect(allowsScript(only("script-src 'sha384-x'"), { ...script, integrity }, page)).toBe(false);
  });
});

describe('allowsTrustedTypes', () => {
  it.each([
    ["require-trusted-types-for 'script'", true],
    ["require-trusted-types-for 'script'; trusted-types lit-html", true],
    ['trusted-types other lit-html', true],
    ['trusted-types *', true],
    ['trusted-types other', false],
    ["trusted-types 'none'", false],
    ['trusted-types', false],
  ])('%s: %s', (text, isAllowed) => {
    expect(allowsTrustedTypes(only(text), 'lit-html')).toBe(isAllowed);
  });
});
