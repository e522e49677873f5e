import * as oauth from 'oauth4webapi';
import { describe, expect, it } from 'vitest';
import { credentials, createSandboxClient, startTimeMs } from './sandbox-client.ts';

const twoHoursMs = 7_200_000;

describe('Get access token', () => {
  it('returns all six response fields', async () => {
    const { body, status } = await (await createSandboxClient()).requestToken();

    expect(status).toBe(200);
    expect(Object.keys(body).toSorted()).toEqual(
      ['access_token', 'id', 'instance_url', 'issued_at', 'signature', 'token_type'].toSorted(),
    );
    expect(body.access_token).toMatch(/^00D\w{12}!\w{96}$/);
    expect(body.instance_url).toBe('http://localhost');
    expect(body.id).toMatch(/^http:\/\/localhost\/id\/00D\w{15}\/005\w{15}$/);
    expect(body.token_type).toBe('Bearer');
    expect(body.issued_at).toBe(String(startTimeMs));
    expect(body.signature).toMatch(/^[\w+/]{43}=$/);
  });

  it('names every missing parameter at once', async () => {
    const client = await createSandboxClient();
    const { status, body } = await client.requestToken({ username: '' });
    expect(status).toBe(400);
    expect(body).toEqual({
      error: 'invalid_request',
      error_description: `missing required parameter: ${Object.keys(credentials).join(', ')}`,
    });
  });

  it.each([
    ['grant_type', 'client_credentials', 'unsupported_grant_type', 'grant type not supported'],
    ['client_id', 'other', 'invalid_client_id', 'client identifier invalid'],
    ['client_secret', 'other', 'invalid_client', 'invalid client credentials'],
    ['username', 'other', 'invalid_grant', 'authentication failure'],
    ['password', 'other', 'invalid_grant', 'authentication failure'],
  ])('rejects a wrong %s', async (name, value, error, error_description) => {
    const client = await createSandboxClient();
    const { status, body } = await client.requestToken({ ...credentials, [name]: value });
    expect(status).toBe(400);
    expect(body).toEqual({ error, error_description });
  });

  it('accepts only a form-encoded body', async () => {
    const { app } = await createSandboxClient();
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

  it('issues tokens that expire after two hours on the sandbox’s clock', async () => {
    const client = await createSandboxClient();
    const id = await client.submitApplication();

    await client.postControl('/clock', { advanceMs: twoHoursMs - 1 });
    expect((await client.getOffers(id)).body.IsSuccessful).toBe(true);

    await client.postControl('/clock', { advanceMs: 1 });
    expect((await client.getOffers(id)).body.ResponseText).toBe('Invalid username and password');
    expect((await client.contactUser(id)).body.ResponseText).toBe('Invalid username and password');
    expect((await client.createLead()).body.IsSuccessful).toBe(false);
    expect((await client.upload({})).body.IsSuccessful).toBe(false);
    expect((await client.submitReport({})).body.success).toBe(false);
  });

  it('does not invalidate earlier tokens', async () => {
    const client = await createSandboxClient();
    await client.requestToken();
    expect((await client.createLead()).body.IsSuccessful).toBe(true);
  });

  it('returns the same identity URL for every token', async () => {
    const clients = [await createSandboxClient(), await createSandboxClient()];
    const answers = await Promise.all(
      [...clients, ...clients].map(async (client) => (await client.requestToken()).body),
    );
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(new Set(answers.map((answer) => answer.access_token)).size).toBe(4);
    const organization = /\/id\/(00D\w{12})/.exec(answers[0].id)?.[1] ?? '';
    for (const answer of answers) expect(answer.access_token).toMatch(`${organization}!`);
  });

  it.each([
    ['a token', credentials],
    ['an error', { ...credentials, password: 'other' }],
  ])('forbids caching of %s', async (_name, form) => {
    // RFC 6749, sections 5.1 and 5.2.
    const { headers } = await (await createSandboxClient()).requestToken(form);
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(headers.get('Pragma')).toBe('no-cache');
    expect(headers.get('Content-Type')).toMatch(/^application\/json/);
  });

  it('works with a strict OAuth 2.0 client', async () => {
    const answer = await login(credentials.client_secret);
    expect(answer.token_type).toBe('bearer');
    expect(answer.access_token).toMatch(/^00D/);
  });

  it('returns errors that a strict OAuth 2.0 client understands', async () => {
    await expect(login('other')).rejects.toMatchObject({
      error: 'invalid_client',
      error_description: 'invalid client credentials',
      status: 400,
    });
  });
});

async function login(secret: string): Promise<oauth.TokenEndpointResponse> {
  const { app } = await createSandboxClient();
  const server = {
    issuer: 'http://localhost',
    token_endpoint: 'http://localhost/services/oauth2/token',
  };
  const client = { client_id: credentials.client_id };
  const { username, password } = credentials;
  const response = await oauth.genericTokenEndpointRequest(
    server,
    client,
    oauth.ClientSecretPost(secret),
    'password',
    { username, password },
    {
      [oauth.allowInsecureRequests]: true,
      [oauth.customFetch]: async (url, { body, headers, method }) =>
        app.request(url, { body, headers, method }),
    },
  );
  return oauth.processGenericTokenEndpointResponse(server, client, response);
}
