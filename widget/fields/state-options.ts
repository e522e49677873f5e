// The states of an address by name or code: "TX", "texas" and "tex" are all Texas.

import { states } from '../../shared/application/states.ts';
import { createOptionList, toComparable, type OptionList } from './find-options.ts';

const list = createOptionList(
  states
    .map(({ code, name }) => ({ value: code, label: `${name} (${code})`, names: [name] }))
    .toSorted((one, other) => one.label.localeCompare(other.label, 'en')),
);

export const stateOptions: OptionList = {
  ...list,
  /** Also what only one name begins with, from three letters on, as people abbreviate. */
  toValue(typed) {
    const exact = list.toValue(typed);
    const wanted = toComparable(typed);
    if (exact !== typed.trim() || wanted.length < 3) return exact;
    const begun = states.filter(({ name }) => toComparable(name).startsWith(wanted));
    const [only] = begun;
    return only && begun.length === 1 ? only.code : exact;
  },
};
