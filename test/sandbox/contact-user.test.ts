import { describe, expect, it } from 'vitest';
import { openSandbox } from './sandbox-client.ts';

describe('contact user', () => {
  it('lifts a Do-Not-Contact mark and reassigns the lead', async () => {
    const client = await openSandbox();
    const id = await client.openApplication();
    const marked = (await client.control(`/leads/${id}/do-not-contact`)).body;
    expect(marked.contactPreference).toBe('do-not-contact');

    const { status, body } = await client.contactUser(id);

    expect(status).toBe(200);
    expect(body).toEqual({ IsSuccessful: true, ResponseText: 'Application was updated.' });
    const after = (await client.look(`/leads/${id}`)).body;
    expect(after.contactPreference).toBe('contact-allowed');
    expect(after.owner).not.toBe(marked.owner);
  });

  it('answers the same and changes nothing when it is repeated', async () => {
    const client = await openSandbox();
    const id = await client.openApplication({ Company: 'Harbor Bakery [do not contact]' });
    expect((await client.look(`/leads/${id}`)).body.contactPreference).toBe('do-not-contact');

    const first = await client.contactUser(id);
    const before = (await client.look(`/leads/${id}`)).body;
    const second = await client.contactUser(id);
    const after = (await client.look(`/leads/${id}`)).body;

    expect(second.body).toEqual(first.body);
    expect(after.owner).toBe(before.owner);
    expect(after.contactPreference).toBe('contact-allowed');
  });

  it('leaves the owner of a lead that was never marked', async () => {
    const client = await openSandbox();
    const id = await client.openApplication();
    await client.contactUser(id);
    expect((await client.look(`/leads/${id}`)).body.owner).toBe('New applications');
  });

  it('lifts a second mark too', async () => {
    const client = await openSandbox();
    const id = await client.openApplication();
    await client.control(`/leads/${id}/do-not-contact`);
    await client.contactUser(id);
    await client.control(`/leads/${id}/do-not-contact`);
    await client.contactUser(id);
    const { body } = await client.look(`/leads/${id}`);
    expect(body.contactPreference).toBe('contact-allowed');
    expect(body.history).toHaveLength(5);
  });
});
