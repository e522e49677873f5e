// Makes the headings of a step fit into the outline of the page around it.

/** Of the heading of a step, as it stands in the markup. */
const ownLevel = 2;
/** Headings below it need a level as well. */
const deepestLevel = 5;

/** The markup stays as it is; what it is read as follows the host page (WAI-ARIA 1.2, `aria-level`). */
export function setHeadingLevels(root: ParentNode, level: number | undefined): void {
  const wanted = Math.round(level || ownLevel);
  const shift = Math.min(deepestLevel, Math.max(1, wanted)) - ownLevel;
  for (const heading of root.querySelectorAll('h2, h3, h4')) {
    heading.setAttribute('aria-level', String(Number(heading.localName.slice(1)) + shift));
  }
}
