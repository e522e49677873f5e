import { beforeEach, describe, expect, it } from 'vitest';
import {
  createUploadSemaphore,
  maxUploadsPerAddress,
  maxUploadsPerProcess,
  maxUploadsPerSession,
  minBytesPerSecond,
  minBytesPerSecondUnderLoad,
  type Uploader,
  type UploadSemaphore,
} from '../../../bff/documents/upload-semaphore.ts';

describe('createUploadSemaphore', () => {
  let semaphore: UploadSemaphore;

  beforeEach(() => {
    semaphore = createUploadSemaphore();
  });

  it('limits the uploads of a session', () => {
    const [release] = acquire('a', maxUploadsPerSession);
    expect(semaphore.acquire(toUploader('a'))).toBe('session');
    acquire('b', maxUploadsPerSession);
    release?.();
    acquire('a', 1);
    expect(semaphore.acquire(toUploader('a'))).toBe('session');
  });

  it('limits the uploads of an address', () => {
    const sessions = Array.from({ length: maxUploadsPerAddress }, (_none, index) => `s${index}`);
    const [release] = sessions.flatMap((session) => acquire(session, 1, '192.0.2.1'));
    expect(semaphore.acquire(toUploader('other', '192.0.2.1'))).toBe('address');
    acquire('elsewhere', 1, '192.0.2.2');
    release?.();
    acquire('other', 1, '192.0.2.1');
  });

  it('limits the uploads of the process', () => {
    const [release] = acquireInSessions(maxUploadsPerProcess);
    expect(semaphore.acquire(toUploader('last'))).toBe('process');
    release?.();
    acquire('last', 1);
  });

  it('raises the minimum rate while more than half of the permits are taken', () => {
    const [release] = acquireInSessions(maxUploadsPerProcess / 2);
    expect(semaphore.minBytesPerSecond()).toBe(minBytesPerSecond);
    acquire('one more', 1);
    expect(semaphore.minBytesPerSecond()).toBe(minBytesPerSecondUnderLoad);
    release?.();
    expect(semaphore.minBytesPerSecond()).toBe(minBytesPerSecond);
  });

  function acquireInSessions(count: number): (() => void)[] {
    return Array.from({ length: count }, (_none, index) => acquire(`s${index}`, 1)).flat();
  }

  function acquire(sessionId: string, count: number, address?: string): (() => void)[] {
    return Array.from({ length: count }, () => {
      const permit = semaphore.acquire(toUploader(sessionId, address));
      if (typeof permit === 'string') throw new Error(`The limit of the ${permit} is reached`);
      return permit;
    });
  }
});

function toUploader(sessionId: string, address?: string): Uploader {
  return { sessionId, address };
}
