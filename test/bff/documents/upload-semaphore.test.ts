import { beforeEach, describe, expect, it } from 'vitest';
import { minBytesPerSecond } from '../../../bff/documents/read-upload.ts';
import {
  createUploadSemaphore,
  minBytesPerSecondUnderLoad,
  maxUploadsPerAddress,
  maxUploadsPerProcess,
  maxUploadsPerSession,
  type Uploader,
  type UploadSemaphore,
} from '../../../bff/documents/upload-semaphore.ts';

describe('places for uploads', () => {
  let places: UploadSemaphore;

  beforeEach(() => {
    places = createUploadSemaphore();
  });

  it('are few for one session, and none of them is another one’s', () => {
    const own = takeAll('a', maxUploadsPerSession);
    expect(places.take(of('a'))).toBe('session-full');
    takeAll('b', maxUploadsPerSession);
    own[0]?.();
    takeAll('a', 1);
    expect(places.take(of('a'))).toBe('session-full');
  });

  it('are limited for one address, whoever is behind it, and none of them is another one’s', () => {
    const sessions = Array.from({ length: maxUploadsPerAddress }, (_none, index) => `s${index}`);
    const [leave] = sessions.flatMap((session) => takeAll(session, 1, '192.0.2.1'));
    expect(places.take(of('late', '192.0.2.1'))).toBe('address-full');
    takeAll('elsewhere', 1, '192.0.2.2');
    leave?.();
    takeAll('late', 1, '192.0.2.1');
  });

  it('are limited in all', () => {
    const [leave] = takeOfMany(maxUploadsPerProcess);
    expect(places.take(of('last'))).toBe('process-full');
    leave?.();
    takeAll('last', 1);
  });

  it('ask those who are slow to give way while more than half are taken', () => {
    const [leave] = takeOfMany(maxUploadsPerProcess / 2);
    expect(places.minBytesPerSecond()).toBe(minBytesPerSecond);
    takeAll('one more', 1);
    expect(places.minBytesPerSecond()).toBe(minBytesPerSecondUnderLoad);
    leave?.();
    expect(places.minBytesPerSecond()).toBe(minBytesPerSecond);
  });

  function takeOfMany(count: number): (() => void)[] {
    return Array.from({ length: count }, (_none, index) => takeAll(`s${index}`, 1)).flat();
  }

  function takeAll(sessionId: string, count: number, address?: string): (() => void)[] {
    return Array.from({ length: count }, () => {
      const place = places.take(of(sessionId, address));
      if (typeof place === 'string') throw new Error(`Refused: ${place}`);
      return place;
    });
  }
});

function of(sessionId: string, address?: string): Uploader {
  return { sessionId, address };
}
