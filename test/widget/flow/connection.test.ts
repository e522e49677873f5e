// Offline by the browser's own word, and back.

import { describe, expect, it } from 'vitest';
import { Connection } from '../../../widget/app/connection.ts';
import { createFakeConnection } from '../../support/fake-page.ts';

describe('a connection', () => {
  it('tells of both ways, once each', () => {
    const page = createFakeConnection();
    const told: boolean[] = [];
    const connection = new Connection(page.environment, (isOffline) => told.push(isOffline));
    connection.connect();
    page.setOffline(true);
    page.setOffline(true);
    page.setOffline(false);
    expect([told, connection.isOffline]).toEqual([[true, false], false]);
  });

  it('is looked at when the element comes onto the page, and followed no longer than it stands there', () => {
    const page = createFakeConnection();
    page.setOffline(true);
    const connection = new Connection(page.environment, () => undefined);
    connection.connect();
    connection.connect();
    expect([connection.isOffline, page.listeners]).toEqual([true, 1]);
    connection.disconnect();
    page.setOffline(false);
    expect([connection.isOffline, page.listeners]).toEqual([true, 0]);
  });
});
