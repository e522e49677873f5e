// What the BFF says was given to an application: all there is of it until the parts that follow it up are loaded.

import type { Session } from '../../shared/api/session.ts';

/** The application and what has been given to it so far. */
export type Given = Pick<Session, 'application' | 'documents' | 'assetReport' | 'contact'>;

export const nothingGiven: Given = {
  application: null,
  documents: [],
  assetReport: null,
  contact: null,
};

/** What was given to a refused application was refused with it, and is no part of the next one. */
export function toGiven(session: Given | undefined): Given {
  return !session || session.application?.status === 'rejected' ? nothingGiven : session;
}

/** False for the session of another application, which another tab may have begun. */
export function isGivenTo(application: Given['application'] | undefined, given: Given): boolean {
  return given.application?.reference === application?.reference;
}
