import { beforeEach, describe, expect, it } from 'vitest';
import { leastBytesPerSecond } from '../../../bff/documents/incoming-chunks.ts';
import {
  createUploadPlaces,
  leastBytesPerSecondWhenFull,
  placesOfProcess,
  placesOfSession,
  type UploadPlaces,
} from '../../../bff/documents/upload-places.ts';

describe('places for uploads', () => {
  let places: UploadPlaces;

  beforeEach(() => {
    places = createUploadPlaces();
  });

  it('are few for one session, and none of them is another one’s', () => {
    const own = takeAll('a', placesOfSession);
    expect(places.take('a')).toBe('session-full');
    takeAll('b', placesOfSession);
    own[0]?.();
    takeAll('a', 1);
    expect(places.take('a')).toBe('session-full');
  });

  it('are limited in all', () => {
    const [leave] = takeOfMany(placesOfProcess);
    expect(places.take('last')).toBe('process-full');
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

  function takeAll(sessionId: string, count: number): (() => void)[] {
    return Array.from({ length: count }, () => {
      const place = places.take(sessionId);
      if (typeof place === 'string') throw new Error(`Refused: ${place}`);
      return place;
    });
  }
});
