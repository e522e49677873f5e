// Who uploads, as the places for uploads count it.

import type { Context } from 'hono';
import type { Uploader } from '../documents/upload-places.ts';
import type { BffEnv } from '../gate/context.ts';
import type { RouteDependencies } from './dependencies.ts';

export function toUploader(
  c: Context<BffEnv>,
  { findCountedAddress }: Pick<RouteDependencies, 'findCountedAddress'>,
): Uploader {
  return { sessionId: c.get('session').row.id, address: findCountedAddress(c) };
}
