import { beforeEach, describe, expect, it } from 'vitest';
import { leastBytesPerSecond } from '../../../bff/documents/read-upload.ts';
import {
  createUploadPlaces,
  leastBytesPerSecondWhenFull,
  placesOfAddress,
  placesOfProcess,
  placesOfSession,
  type Uploader,
  type UploadPlaces,
} from '../../../bff/documents/upload-semaphore.ts';

describe('places for uploads', () => {
  let places: UploadPlaces;

  beforeEach(() => {
    places = createUploadPlaces();
  });

  it('are few for one session, and none of them is another one’s', () => {
    const own = takeAll('a', placesOfSession);
    expect(places.take(of('a'))).toBe('session-full');
    takeAll('b', placesOfSession);
    own[0]?.();
    takeAll('a', 1);
    expect(places.take(of('a'))).toBe('session-full');
  });

  it('are limited for one address, whoever is behind it, and none of them is another one’s', () => {
    const sessions = Array.from({ length: placesOfAddress }, (_none, index) => `s${index}`);
    const [leave] = sessions.flatMap((session) => takeAll(session, 1, '192.0.2.1'));
    expect(places.take(of('late', '192.0.2.1'))).toBe('address-full');
    takeAll('elsewhere', 1, '192.0.2.2');
    leave?.();
    takeAll('late', 1, '192.0.2.1');
  });

  it('are limited in all', () => {
    const [leave] = takeOfMany(placesOfProcess);
    expect(places.take(of('last'))).toBe('process-full');
    leave?.();
    takeAll('last', 1);
  });

  it('ask those who are slow to give way while more than half are taken', () => {
    const [leave] = takeOfMany(placesOfProcess / 2);
    expect(places.leastBytesPerSecond()).toBe(leastBytesPerSecond);
    takeAll('one more', 1);
    expect(places.leastBytesPerSecond()).toBe(leastBytesPerSecondWhenFull);
    leave?.();
    expect(places.leastBytesPerSecond()).toBe(leastBytesPerSecond);
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
