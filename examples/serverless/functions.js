// Two functions: one answers requests, and one delivers on a schedule.
// Both use PostgreSQL, because functions share no disk.

import { createHash, timingSafeEqual } from 'node:crypto';
import { createBff } from 'funding-application-bff';

// Created once for each instance of a function, at its first call.
// After a failure, the next call tries again.
let creating;
function getBff() {
  creating ??= createBff({ basePath: '/funding', serverless: true }).catch((error) => {
    creating = undefined;
    throw error;
  });
  return creating;
}

/**
 * Answers requests below /funding.
 *
 * @param {Request} request
 * @param {{ peerAddress?: string, waitUntil?: (work: Promise<unknown>) => void }} platform
 *   the address of the client as the platform reports it, not from a header of clients;
 *   and the way of the platform to finish work after the response
 */
export async function handleRequest(request, platform) {
  const bff = await getBff();
  return bff.fetch(request, platform);
}

/**
 * Delivers what is due, and erases what has passed its retention. Schedule it every minute.
 *
 * @param {Request} request with `Authorization: Bearer <CRON_SECRET>`
 */
export async function handleSchedule(request) {
  if (!isScheduler(request)) return new Response('Unauthorized', { status: 401 });
  const bff = await getBff();
  const { hasMore } = await bff.deliver({ maxMs: 20_000 });
  return Response.json({ hasMore });
}

function isScheduler(request) {
  const secret = process.env.CRON_SECRET;
  if (!secret) return false;
  const hash = (text) => createHash('sha256').update(text).digest();
  // The time of the comparison reveals nothing about the secret.
  return timingSafeEqual(
    hash(request.headers.get('authorization') ?? ''),
    hash(`Bearer ${secret}`),
  );
}
