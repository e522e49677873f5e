// Checks on the page that every price of an offer has its APR next to it (Cal. Fin. Code 22804).

const price = /\$\s?\d/;
const apr = /APR/;

/** Returns every text and label with a price whose group shows no APR. A group is a card, or a column of the table. */
export function findPricesWithoutApr(root: ParentNode): string[] {
  const pieces: { readonly text: string; readonly at: Element }[] = [];
  for (const element of root.querySelectorAll('.offers *, .comparison *')) {
    // The lender wrote these texts.
    if (element.closest('.disclosures')) continue;
    const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
    pieces.push(
      { text: own.map((node) => node.textContent).join(' '), at: element },
      { text: element.getAttribute('aria-label') ?? '', at: element },
    );
  }
  const prices = pieces.filter(({ text }) => price.test(text));
  if (prices.length === 0) throw new Error('The page shows no price');
  return prices.filter(({ at }) => !apr.test(toGroupText(at))).map(({ text }) => text);
}

function toGroupText(at: Element): string {
  const card = at.closest('.offer');
  if (card) return card.querySelector('.headline')?.textContent ?? '';
  const column = at.closest('td')?.cellIndex ?? 0;
  const groups = [...(at.closest('table')?.tBodies ?? [])];
  const group = groups.find(({ rows }) => apr.test(rows[0]?.textContent ?? ''));
  const cell = group?.rows[1]?.cells[column]?.textContent?.trim() ?? '';
  return cell === '' ? '' : `APR ${cell}`;
}
