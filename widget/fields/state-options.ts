// The states of an address by name or code: "TX", "texas", "tex" and "tejas" are all Texas.

import { states, type StateCode } from '../../shared/application/states.ts';
import { createOptionList, toComparable, type OptionList } from './find-options.ts';

/** As they are called in Spanish too, where that is more than an accent, and as people write the capital. */
const otherNames: Partial<Record<StateCode, readonly string[]>> = {
  DC: ['Washington DC', 'Distrito de Columbia'],
  LA: ['Luisiana'],
  MN: ['Minesota'],
  MS: ['Misisipi'],
  MO: ['Misuri'],
  NH: ['Nuevo Hampshire', 'Nueva Hampshire'],
  NJ: ['Nueva Jersey'],
  NM: ['Nuevo México', 'Nuevo Méjico'],
  NY: ['Nueva York'],
  NC: ['Carolina del Norte'],
  ND: ['Dakota del Norte'],
  PA: ['Pensilvania'],
  SC: ['Carolina del Sur'],
  SD: ['Dakota del Sur'],
  TN: ['Tenesí'],
  TX: ['Tejas'],
  WV: ['Virginia Occidental', 'Virginia del Oeste'],
  AS: ['Samoa Americana'],
  MP: ['Islas Marianas del Norte'],
  VI: ['Islas Vírgenes'],
};

const list = createOptionList(
  states
    .map(({ code, name }) => ({
      value: code,
      label: `${name} (${code})`,
      names: [name, ...(otherNames[code] ?? [])],
    }))
    .toSorted((one, other) => one.label.localeCompare(other.label, 'en')),
);

/** Also what only one name begins with, from three letters on, as people abbreviate. */
function toCode(typed: string): string {
  const exact = list.toValue(typed);
  const wanted = toComparable(typed);
  if (exact !== typed.trim() || wanted.length < 3) return exact;
  const begun = states.filter(({ name }) => toComparable(name).startsWith(wanted));
  const [only] = begun;
  return only && begun.length === 1 ? only.code : exact;
}

export const stateOptions: OptionList = { ...list, toValue: toCode, toSettledValue: toCode };
