// Object streams anybody can read, in files that pretend to be encrypted: who believes that does not look into them.

import { constants, deflateSync } from 'node:zlib';
import type { HidingPlace } from './hiding-places.ts';
import { wear, type Disguise } from './object-stream-places.ts';
import { toEncryptingTrailer } from './pdf-encryption.ts';
import { addObjectStream, addObjects } from '../../support/file-writers/pdf-writer.ts';

const nothing32 = `<${'00'.repeat(32)}>`;
const encryptsNothing = `/ID[<00><00>]/Encrypt<</Filter/Standard/V 4/R 4/Length 128/P -4/CF<<>>/StmF/Identity/StrF/Identity/O${nothing32}/U${nothing32}>>`;

const deflated: Disguise = { name: 'deflated' };
const plain: Disguise = { name: 'plain', filter: '', encode: (data) => data };
/** Not the last block, and then no block: readers use what came before the error. */
const broken: Disguise = {
  name: 'broken',
  encode: (data) =>
    Buffer.concat([
      deflateSync(data, { finishFlush: constants.Z_SYNC_FLUSH }),
      Buffer.alloc(9, 0xff),
    ]),
};
const passwords = [
  { name: 'with a password', password: 'secret' },
  { name: 'without a password', password: '' },
];

/** Readers take the newest section's word for it, and these have none. */
export const encryptionPlaces: readonly HidingPlace[] = [deflated, plain, broken].flatMap(
  (disguise) => [
    withTrailer('by null', '/Encrypt null', disguise),
    withTrailer('by a missing object', '/Encrypt 98 0 R', disguise),
    withTrailer('by a filter that encrypts nothing', encryptsNothing, disguise),
    ...passwords.flatMap(({ name, password }) => [
      afterUpdate(`${name}, in another object`, disguise, (statement) =>
        addObjects(statement, [[71, `<<${toEncryptingTrailer(password)}>>`]]),
      ),
      afterUpdate(`${name}, in a comment`, disguise, (statement) =>
        addObjects(`${statement}%trailer<<${toEncryptingTrailer(password)}>>\n`, []),
      ),
      afterUpdate(`${name}, before its last update`, disguise, (statement) =>
        addObjects(statement, [[71, 'null']], toEncryptingTrailer(password)),
      ),
    ]),
  ],
);

function withTrailer(name: string, trailer: string, disguise: Disguise): HidingPlace {
  return {
    name: `${disguise.name} object stream: in a file encrypted ${name}`,
    hide: (statement, objects) =>
      addObjectStream(statement, objects, {
        ...wear(disguise, objects),
        trailer: `/Root 1 0 R${trailer}`,
      }),
  };
}

function afterUpdate(
  name: string,
  disguise: Disguise,
  update: (statement: string) => string,
): HidingPlace {
  return {
    name: `${disguise.name} object stream: in a file encrypted ${name}`,
    hide: (statement, objects) =>
      addObjectStream(update(statement), objects, wear(disguise, objects)),
  };
}
