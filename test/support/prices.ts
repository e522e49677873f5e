// The rule that no price of an offer stands without its APR (Cal. Fin. Code 22804), read off the page itself.

const price = /\$\s?\d/;
const apr = /APR/;

/** Every text and label with a price whose group (its card, or its column in the one group of the table) shows no APR. */
export function findPricesWithoutApr(root: ParentNode): string[] {
  const pieces: { readonly text: string; readonly at: Element }[] = [];
  for (const element of root.querySelectorAll('.offers *, .comparison *')) {
    // What the lender wrote is not ours to arrange.
    if (element.closest('.disclosures')) continue;
    const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
    pieces.push(
      { text: own.map((node) => node.textContent).join(' '), at: element },
      { text: element.getAttribute('aria-label') ?? '', at: element },
    );
  }
  const prices = pieces.filter(({ text }) => price.test(text));
  if (prices.length === 0) throw new Error('There is no price at all');
  return prices.filter(({ at }) => !apr.test(toGroupText(at))).map(({ text }) => text);
}

function toGroupText(at: Element): string {
  const card = at.closest('.offer');
  if (card) return card.querySelector('.headline')?.textContent ?? '';
  const column = at.closest('td')?.cellIndex ?? 0;
  const rows = [...(at.closest('tbody')?.rows ?? [])];
  const row = rows.find((one) => apr.test(one.cells[0]?.textContent ?? ''));
  const cell = row?.cells[column]?.textContent?.trim() ?? '';
  return cell === '' ? '' : `APR ${cell}`;
}
