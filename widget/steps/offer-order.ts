// In which order the offers stand: the one in which they came, or by one figure; never by a judgement of ours.

import type { Offer } from '../../shared/api/offers.ts';
import type { OffersView } from '../flow/offers-watch.ts';
import { hasClearApr, toMonthlyPayment } from './offer-facts.ts';

/** An offer with its place in the order in which they came, which it keeps however they are sorted. */
export interface PlacedOffer {
  readonly offer: Offer;
  readonly number: number;
  /** Tells it from all others, should the service give two the same id. */
  readonly key: string;
}

export type Order = OffersView['order'];

export const orders: readonly Order[] = ['arrival', 'apr', 'total', 'payment'];

/** `lacking`: how many have no clear figure; they stand last, in the order in which they came. */
export function toOrdered(
  offers: readonly Offer[],
  order: Order,
): { readonly placed: readonly PlacedOffer[]; readonly lacking: number } {
  const placed = offers.map((offer, index) => {
    const number = index + 1;
    const isRepeated = offers.findIndex(({ id }) => id === offer.id) !== index;
    return { offer, number, key: isRepeated ? `${offer.id} ${number}` : offer.id };
  });
  if (order === 'arrival') return { placed, lacking: 0 };
  const toFigure = figures[order];
  const clear = placed.filter(({ offer }) => toFigure(offer) !== undefined);
  const unclear = placed.filter(({ offer }) => toFigure(offer) === undefined);
  const difference = (one: PlacedOffer, other: PlacedOffer) =>
    (toFigure(one.offer) ?? 0) - (toFigure(other.offer) ?? 0);
  return { placed: [...clear.toSorted(difference), ...unclear], lacking: unclear.length };
}

const figures: Readonly<Record<Exclude<Order, 'arrival'>, (offer: Offer) => number | undefined>> = {
  apr: (offer) => (hasClearApr(offer) ? (offer.aprHigh ?? undefined) : undefined),
  total: ({ totalCost }) => (totalCost !== null && totalCost > 0 ? totalCost : undefined),
  payment: toMonthlyPayment,
};
