// `/v1/draft-key`: creates, gives back, and ends the key of the answers that an applicant keeps on a device. It needs no session.

import { Hono } from 'hono';
import { describeRoute } from 'hono-openapi';
import {
  draftKeyResponseSchema,
  draftKeySchema,
  type DraftKeyResponse,
} from '../../shared/api/draft-key.ts';
import type { BffEnv } from '../middleware/context.ts';
import type { DraftKeys } from '../middleware/draft-keys.ts';
import { describeSchema, json } from './openapi.ts';

export function draftKeyRoutes(draftKeys: DraftKeys): Hono<BffEnv> {
  return new Hono<BffEnv>()
    .get('/', describeRead, (c) => {
      const response: DraftKeyResponse = { draftKey: draftKeys.find(c) ?? null };
      return c.json(response);
    })
    .post('/', describeCreate, async (c) => {
      const response: DraftKeyResponse = { draftKey: await draftKeys.create(c) };
      return c.json(response);
    })
    .delete('/', describeEnd, (c) => {
      draftKeys.remove(c);
      return c.body(null, 204);
    });
}

describeSchema('DraftKey', draftKeySchema, {
  key: 'Encrypts the draft in the browser with AES-256-GCM: 32 bytes in Base64url. Keep it in memory only.',
  expiresAt: {
    format: 'date-time',
    description: 'From then on, the BFF does not give the key back. Nothing extends it.',
  },
});
describeSchema('DraftKeyResponse', draftKeyResponseSchema, {
  draftKey: '`null` if this browser has no key, or an expired one.',
});

const describeRead = describeRoute({
  summary: 'Read the draft key',
  description: 'The key of this browser. Reading it does not extend it.',
  security: [],
  responses: { 200: { description: 'The key.', ...json(draftKeyResponseSchema) } },
});

const describeCreate = describeRoute({
  summary: 'Create a draft key',
  description:
    'Sets a cookie of 7 days, from which the BFF derives the key. It stores neither. An existing key stays the same. Send no body. Read the key afterwards, because a browser may refuse the cookie.',
  security: [],
  responses: { 200: { description: 'The key.', ...json(draftKeyResponseSchema) } },
});

const describeEnd = describeRoute({
  summary: 'End the draft key',
  description: 'Removes the cookie. Nobody can decrypt the draft any more.',
  security: [],
  responses: { 204: { description: 'This browser has no key.' } },
});
