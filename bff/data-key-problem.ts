// What is wrong with the data keys for the journal they are used on, as sentences for the operator.

import { toCount } from './cli/text.ts';
import type { DataKey } from './journal/data-keys.ts';

export interface DataKeyProblem {
  readonly code: 'data-key-missing' | 'data-key-wrong' | 'data-key-mixed';
  /** Names the variable, the data key's id, how many applications, and the mend. */
  readonly message: string;
  /** Nothing under that data key can be sent or shown; else it may be one damaged row that does not open. */
  readonly opensNone: boolean;
}

export function listDataKeyProblems(dataKeys: readonly DataKey[]): readonly DataKeyProblem[] {
  return dataKeys.flatMap((dataKey) => {
    const problem = toProblem(dataKey);
    return problem ? [problem] : [];
  });
}

function toProblem({
  id,
  applications,
  state,
  unopened: [example],
}: DataKey): DataKeyProblem | undefined {
  const count = toCount(applications, 'application');
  switch (state) {
    case 'fits':
      return undefined;
    case 'missing':
      return {
        code: 'data-key-missing',
        message: `DATA_KEYS has no data key ${id}, which wraps ${count} in the journal: put it back.`,
        opensNone: true,
      };
    case 'wrong':
      return {
        code: 'data-key-wrong',
        message: `DATA_KEYS has another data key ${id} than the one that wraps ${count} in the journal, for example ${example}: put the former back.`,
        opensNone: true,
      };
    case 'mixed':
      return {
        code: 'data-key-mixed',
        message: `DATA_KEYS has a data key ${id} that opens some of the ${count} under it and not others, for example ${example}: another key ${id} was in use for a time, or a row is damaged. Move them to a new data key by "keys rotate", once with each key ${id} there was.`,
        opensNone: false,
      };
  }
}
