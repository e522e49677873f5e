// Where each sealed value of the journal lives; a value opens only with the place it was sealed for.

import type { Place } from './sealing.ts';

export function leadPlace(applicationId: string): Place {
  return { table: 'application', id: applicationId, column: 'sealed_lead' };
}

export function trackingUrlPlace(applicationId: string): Place {
  return { table: 'application', id: applicationId, column: 'sealed_tracking_url' };
}

export function namePlace(childId: string): Place {
  return { table: 'child', id: childId, column: 'sealed_name' };
}

export function chunkPlace(childId: string, number: number): Place {
  return { table: 'chunk', id: `${childId}/${number}`, column: 'sealed' };
}

export function addressPlace(consentId: string): Place {
  return { table: 'consent', id: consentId, column: 'sealed_address' };
}
