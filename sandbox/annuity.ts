// Equal payments on a loan, and the yearly rate that a set of payments amounts to.

export interface Repayment {
  /** USD, each. */
  readonly payment: number;
  readonly count: number;
  readonly perYear: number;
}

/** The equal payment that repays `principal` in `count` periods at `rate` each, rounded to whole cents. */
export function toPayment(principal: number, rate: number, count: number): number {
  return Math.round(toPresentFactor(rate, count) ** -1 * principal * 100) / 100;
}

/**
 * Annual percentage rate of receiving `received` and repaying it so: the rate of a period times the periods of a year, as
 * Regulation Z, Appendix J, counts it; percent, two decimals.
 */
export function toAprPercent(received: number, { payment, count, perYear }: Repayment): number {
  let low = 0;
  let high = 1;
  // Present value falls as the rate rises, so halving the interval finds the rate; 60 halvings exhaust a double.
  for (let step = 0; step < 60; step += 1) {
    const rate = (low + high) / 2;
    if (payment * toPresentFactor(rate, count) > received) low = rate;
    else high = rate;
  }
  return Math.round(low * perYear * 10_000) / 100;
}

/** What one dollar a period, `count` times, is worth now. */
function toPresentFactor(rate: number, count: number): number {
  return rate === 0 ? count : (1 - (1 + rate) ** -count) / rate;
}
