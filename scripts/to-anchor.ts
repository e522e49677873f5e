/** The anchor that repository hosts give to a heading. The site uses the same, so that a link works there and in the repository. */
export function toAnchor(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}
