import { describe, expect, it } from 'vitest';
import { credentials, openSandbox, startedAt } from './sandbox-client.ts';

const twoHoursMs = 7_200_000;

describe('get access token', () => {
  it('answers all six fields', async () => {
    const { body, status } = await (await openSandbox()).requestToken();

    expect(status).toBe(200);
    expect(Object.keys(body).toSorted()).toEqual(
      ['access_token', 'id', 'instance_url', 'issued_at', 'signature', 'token_type'].toSorted(),
    );
    expect(body.access_token).toMatch(/^00D\w{12}!\w{96}$/);
    expect(body.instance_url).toBe('http://localhost');
    expect(body.id).toMatch(/^http:\/\/localhost\/id\/00D\w{15}\/005\w{15}$/);
    expect(body.token_type).toBe('Bearer');
    expect(body.issued_at).toBe(String(startedAt));
    expect(body.signature).toMatch(/^[\w+/]{43}=$/);
  });

  it.each(Object.keys(credentials))('names %s when it is missing', async (name) => {
    const client = await openSandbox();
    const { [name as keyof typeof credentials]: _left, ...rest } = credentials;

    const { status, body } = await client.requestToken(rest);

    expect(status).toBe(400);
    expect(body).toEqual({
      error: 'invalid_request',
      error_description: `missing required parameter: ${name}`,
    });
  });

  it('names every missing parameter at once', async () => {
    const { body } = await (await openSandbox()).requestToken({ grant_type: 'password' });
    expect(body.error_description).toBe(
      'missing required parameter: client_id, client_secret, username, password',
    );
  });

  it.each([
    ['grant_type', 'client_credentials', 'unsupported_grant_type', 'grant type not supported'],
    ['client_id', 'other', 'invalid_client_id', 'client identifier invalid'],
    ['client_secret', 'other', 'invalid_client', 'invalid client credentials'],
    ['username', 'other', 'invalid_grant', 'authentication failure'],
    ['password', 'other', 'invalid_grant', 'authentication failure'],
  ])('refuses a wrong %s', async (name, value, error, error_description) => {
    const client = await openSandbox();
    const { status, body } = await client.requestToken({ ...credentials, [name]: value });
    expect(status).toBe(400);
    expect(body).toEqual({ error, error_description });
  });

  it('takes a form only', async () => {
    const { app } = await openSandbox();
    const response = await app.request('/services/oauth2/token', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(credentials),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: 'invalid_request',
      error_description: 'Content-Type must be application/x-www-form-urlencoded',
    });
  });

  it('issues tokens that live for two hours of the sandbox’s clock', async () => {
    const client = await openSandbox();
    const id = await client.openApplication();

    await client.control('/clock', { advanceMs: twoHoursMs - 1 });
    expect((await client.getOffers(id)).body.IsSuccessful).toBe(true);

    await client.control('/clock', { advanceMs: 1 });
    expect((await client.getOffers(id)).body.ResponseText).toBe('Invalid username and password');
    expect((await client.contactUser(id)).body.ResponseText).toBe('Invalid username and password');
    expect((await client.createLead()).body.IsSuccessful).toBe(false);
    expect((await client.upload({})).body.IsSuccessful).toBe(false);
    expect((await client.submitReport({})).body.success).toBe(false);
  });

  it('keeps earlier tokens alive when a new one is issued', async () => {
    const client = await openSandbox();
    await client.requestToken();
    expect((await client.createLead()).body.IsSuccessful).toBe(true);
  });
});
