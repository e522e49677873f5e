// Why the journal cannot be opened, as a sentence for the operator; never with the address, nor with what the database said.

import { toEngineCode } from './journal/engine-code.ts';
import { isPostgresUrl } from './journal/open-journal.ts';

/** Names the variable, the code of what went wrong, and the mend. */
export function toJournalProblem(error: unknown, url: string): string {
  const code = toEngineCode(error);
  const anyMend = isPostgresUrl(url)
    ? 'Check that its host and port can be reached, its user and password, that it takes TLS where that is asked for, its options, and the log of the PostgreSQL.'
    : 'Check its path, its permissions and the disk.';
  return `JOURNAL_URL cannot be opened (${code}). ${mends[code] ?? anyMend}`;
}

const unreachable =
  'No PostgreSQL answers there. Check host and port, that it runs, and what stands between.';
const unknownHost = 'Its host has no address. Check the name.';
const untrusted =
  'The certificate of the PostgreSQL does not hold. Name the authority by sslrootcert=<path>, or mend the certificate.';
const busy = 'The PostgreSQL takes no connections just now. Start again in a moment.';
const unauthorized =
  'The PostgreSQL refuses the user or the password. Check both, and its pg_hba.conf.';

/** Codes of our own, of Node and OpenSSL, and of PostgreSQL (appendix A of its manual). */
const mends: Readonly<Record<string, string>> = {
  JOURNAL_IN_USE:
    'Another BFF is running on this file. End it first: one process a file; use PostgreSQL for several.',
  JOURNAL_NEWER: 'A later version has written it: run that one.',
  JOURNAL_BEHIND:
    'An earlier version has written it: run the commands of that one. The first start of this BFF, or check, brings it up to date, and the earlier one cannot start on it any more.',
  JOURNAL_OLDER:
    'A version before the first release has written it, and this one cannot read it. Name a new file.',
  JOURNAL_FULL: 'Its disk is nearly full. Make room.',
  SQLITE_FULL: 'Its disk is full. Make room.',
  SQLITE_NOTADB: 'It is no journal. Name another file.',
  SQLITE_CORRUPT: 'It is damaged. Restore it from a backup.',
  SQLITE_READONLY: 'It cannot be written. Mend the permissions of the file and its folder.',
  EACCES: 'This user may not read and write it. Mend the permissions of the file and its folder.',
  EROFS: 'It lies on a disk that cannot be written. Name a path on another.',
  ENOSPC: 'Its disk is full. Make room.',
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
