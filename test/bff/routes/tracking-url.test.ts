import { describe, expect, it } from 'vitest';
import { toSafeTrackingUrl } from '../../../bff/routes/application.ts';
import { createTestConfig } from '../../support/bff.ts';

const config = {
  ...createTestConfig(),
  environment: 'production',
  service: { ...createTestConfig().service, baseUrl: 'https://service.example/rest' },
} as const;

describe('toSafeTrackingUrl', () => {
  it.each([
    ['https://service.example/a?b=c#d', 'https://service.example/a?b=c#d'],
    [' HTTPS://SERVICE.example/a ', 'https://service.example/a'],
    // Browsers parse these as URLs of the same host. The result is the parsed URL.
    ['https:\\\\service.example\\a', 'https://service.example/a'],
    ['https://serv\tice.example/\na', 'https://service.example/a'],
    ['https://service.example/<script>"', 'https://service.example/%3Cscript%3E%22'],
  ])('accepts %j', (text, expected) => {
    expect(toSafeTrackingUrl(text, config)).toBe(expected);
  });

  it.each([
    ['a script', 'javascript:alert(1)'],
    ['a script with the host in a comment', 'javascript://service.example/%0aalert(1)'],
    ['a script with white space', ' JaVa\tScRiPt:alert(1)//https://service.example'],
    ['a data URL', 'data:text/html,<script>alert(1)</script>'],
    ['a blob URL', 'blob:https://service.example/0199'],
    ['a file URL', 'file:///etc/passwd'],
    ['http', 'http://service.example/a'],
    ['another host', 'https://evil.example/a'],
    ['a subdomain', 'https://a.service.example/a'],
    ['a host that starts with the host', 'https://service.example.evil.example/a'],
    ['a host that ends with the host', 'https://evilservice.example/a'],
    ['another port', 'https://service.example:8443/a'],
    ['a dot after the host', 'https://service.example./a'],
    ['a user name', 'https://user@service.example/a'],
    ['a password', 'https://:word@service.example/a'],
    ['the host as a user name', 'https://service.example@evil.example/a'],
    ['the host as a user name after a backslash', 'https://evil.example\\@service.example/a'],
    ['a look-alike letter', 'https://s\u0435rvice.example/a'],
    ['a look-alike in Punycode', 'https://xn--srvice-8of.example/a'],
    ['a dotless letter', 'https://serv\u0131ce.example/a'],
    ['a URL without a scheme', 'service.example/a'],
    ['a relative URL', '//service.example/a'],
    ['an empty text', ''],
    ['a very long URL', `https://service.example/${'a'.repeat(3_000)}`],
  ])('rejects %s', (_name, text) => {
    expect(toSafeTrackingUrl(text, config)).toBeUndefined();
  });

  it('accepts http in the sandbox, and only the configured hosts', () => {
    const sandbox = { ...config, environment: 'sandbox' } as const;
    expect(toSafeTrackingUrl('http://service.example/a', sandbox)).toBe('http://service.example/a');
    const settings = { ...config.settings, trackingHosts: ['apply.example'] };
    expect(toSafeTrackingUrl('https://service.example/a', { ...config, settings })).toBeUndefined();
    expect(toSafeTrackingUrl('https://apply.example/a', { ...config, settings })).toBeDefined();
  });
});
