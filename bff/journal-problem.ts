// Turns a failure to open the store into a message for the operator: the variable, the error's code, and the fix.

import { toEngineCode } from './journal/engine-code.ts';
import { isPostgresUrl, toStorePlace } from './journal/open-journal.ts';

/** Holds no user, no password and no text of the database. A store that opens gives no reason to hide its place. */
export function toJournalProblem(error: unknown, url: string): string {
  const code = toEngineCode(error);
  const storeProblem = storeProblems[code];
  if (storeProblem) return storeProblem(toStorePlace(url));
  const generalFix = isPostgresUrl(url)
    ? 'Check that its host and port can be reached, its user and password, that it takes TLS where that is asked for, its options, and the log of the PostgreSQL.'
    : 'Check its path, its permissions and the disk.';
  return `JOURNAL_URL cannot be opened (${code}). ${fixes[code] ?? generalFix}`;
}

/** The store can be reached and is not the one that the operator expects. */
const storeProblems: Readonly<Record<string, (place: string) => string>> = {
  JOURNAL_NEW: (place) =>
    `JOURNAL_URL leads to no store (JOURNAL_NEW): ${place}. If a store should be there, mount its disk or correct JOURNAL_URL. If this is the first start, create the store with "check --new-store".`,
  JOURNAL_OTHER: (place) =>
    `STORE_ID is not the id of the store in JOURNAL_URL (JOURNAL_OTHER): ${place}. Mount the disk of the expected store, or correct JOURNAL_URL. If you replaced the store on purpose, unset STORE_ID, and set it to the id that "check" then prints.`,
  JOURNAL_LOG_MISSING: (place) =>
    `JOURNAL_URL leads to a store whose write-ahead log is missing (JOURNAL_LOG_MISSING): ${place}-wal. The last applications may be in that file, so put it back. If it is lost, or if you restored a backup, stop the BFF and run "check --accept-missing-log".`,
};

const unreachable =
  'No PostgreSQL answers there. Check host and port, that it runs, and what stands between.';
const unknownHost = 'Its host has no address. Check the name.';
const untrusted =
  'The certificate of the PostgreSQL does not hold. Name the authority by sslrootcert=<path>, or mend the certificate.';
const damaged = 'The store is damaged. Restore it from a backup.';
const busy = 'The PostgreSQL takes no connections just now. Start again in a moment.';
const unauthorized =
  'The PostgreSQL refuses the user or the password. Check both, and its pg_hba.conf.';

/** Codes of our own, of Node and OpenSSL, and of PostgreSQL (appendix A of its manual). */
const fixes: Readonly<Record<string, string>> = {
  JOURNAL_DAMAGED: damaged,
  JOURNAL_FOREIGN: 'The file is a database of another program. Name another file.',
  JOURNAL_NOT_A_FILE: 'The path is a folder or a device. Name a file.',
  JOURNAL_IN_USE:
    'Another BFF is running on this file. End it first: one process a file; use PostgreSQL for several.',
  JOURNAL_NEWER: 'A later version has written it: run that one.',
  JOURNAL_BEHIND:
    'An earlier version has written it: run the commands of that one. The first start of this BFF, or check, brings it up to date, and the earlier one cannot start on it any more.',
  JOURNAL_OLDER:
    'A version before the first release has written it, and this one cannot read it. Name a new file.',
  JOURNAL_FULL: 'Its disk is nearly full. Make room.',
  SQLITE_FULL: 'Its disk is full. Make room.',
  SQLITE_NOTADB: 'The file is not a database. Name another file.',
  SQLITE_CANTOPEN:
    'The file, or the log and the lock beside it, cannot be opened for writing. Check the permissions of the folder, and that the file system is not read-only.',
  SQLITE_CORRUPT: damaged,
  SQLITE_READONLY: 'The store is read-only. Correct the permissions of the file and its folder.',
  EACCES:
    'This user cannot read and write the store. Correct the permissions of the file and its folder.',
  EROFS:
    'The file system is read-only. Name a path on another disk, or mount this one for writing.',
  ENOSPC: 'The disk is full. Make room.',
  ECONNREFUSED: unreachable,
  ECONNRESET: unreachable,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ETIMEDOUT: unreachable,
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  CERT_HAS_EXPIRED: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: untrusted,
  '28P01': unauthorized,
  '28000': unauthorized,
  '3D000': 'The PostgreSQL has no database of that name. Create it, or name another.',
  '42501':
    'The user may not make tables there. Grant it usage and create on the schema, or make it the owner of the database.',
  '25006': 'The PostgreSQL only reads, as a standby does. Name the primary.',
  '53300': busy,
  '55P03':
    'Something else holds its tables, a backup for example, and they cannot be brought up to date meanwhile. Start again when that has ended.',
  '57P03': busy,
};
