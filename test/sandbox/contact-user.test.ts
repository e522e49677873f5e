import { describe, expect, it } from 'vitest';
import { createSandboxClient } from './sandbox-client.ts';

describe('Contact User', () => {
  it('removes a Do Not Contact mark, reassigning the lead', async () => {
    const client = await createSandboxClient();
    const id = await client.submitApplication();
    const marked = (await client.postControl(`/leads/${id}/do-not-contact`)).body;
    expect(marked.contactPreference).toBe('do-not-contact');

    const { status, body } = await client.contactUser(id);

    expect(status).toBe(200);
    expect(body).toEqual({ IsSuccessful: true, ResponseText: 'Application was updated.' });
    const after = (await client.getControl(`/leads/${id}`)).body;
    expect(after.contactPreference).toBe('contact-allowed');
    expect(after.owner).not.toBe(marked.owner);
  });

  it('is idempotent', async () => {
    const client = await createSandboxClient();
    const id = await client.submitApplication({ Company: 'Harbor Bakery [do not contact]' });
    expect((await client.getControl(`/leads/${id}`)).body.contactPreference).toBe('do-not-contact');

    const first = await client.contactUser(id);
    const before = (await client.getControl(`/leads/${id}`)).body;
    const second = await client.contactUser(id);
    const after = (await client.getControl(`/leads/${id}`)).body;

    expect(second.body).toEqual(first.body);
    expect(after.owner).toBe(before.owner);
    expect(after.contactPreference).toBe('contact-allowed');
  });

  it('does not reassign a lead without the mark', async () => {
    const client = await createSandboxClient();
    const id = await client.submitApplication();
    await client.contactUser(id);
    expect((await client.getControl(`/leads/${id}`)).body.owner).toBe('New applications');
  });
});
