// Styles of the review: the answers, the signature, and the consents.

import { css } from 'lit';

export const reviewStyles = css`
  .answers {
    border-block-start: 1px solid var(--_hairline);
  }
  .answers > div {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0 calc(var(--_unit) * 4);
    padding-block: calc(var(--_unit) * 2.5);
    border-block-end: 1px solid var(--_hairline);
  }
  .answers dt {
    color: var(--_muted);
  }
  @container funding (inline-size >= 480px) {
    .answers > div {
      grid-template-columns: minmax(0, 2fr) minmax(0, 3fr);
    }
  }
  .section-head {
    display: flex;
    align-items: baseline;
    justify-content: space-between;
    flex-wrap: wrap;
    gap: calc(var(--_unit) * 4);
  }
  /* The visible text ends at the edge, without a gap before the hidden text. */
  .section-head .quiet {
    gap: 0;
    padding-inline-end: 0;
  }
  .signature .control {
    border-width: 0 0 var(--_line);
    border-radius: 0;
    background: none;
    font-style: italic;
    font-size: var(--_section-size);
  }
  .consent .links,
  .consent details {
    margin-inline-start: calc(var(--_unit) * 6 + var(--_unit) * 3);
  }
  .links a,
  summary {
    display: flex;
    align-items: center;
    gap: calc(var(--_unit) * 1.5);
    inline-size: fit-content;
    min-block-size: calc(var(--_unit) * 11);
    color: var(--_accent);
    cursor: pointer;
    text-decoration: underline;
    text-underline-offset: 0.2em;
    border-radius: var(--_radius);
  }
  /* The icon replaces the triangle, as in other buttons that show more. */
  summary {
    margin-block-start: calc(var(--_unit) * -2);
    list-style: none;
  }
  summary::-webkit-details-marker {
    display: none;
  }
  [open] > summary > .icon,
  [aria-expanded='true'] > .icon {
    rotate: 180deg;
  }
  .fine-print {
    margin-block: calc(var(--_unit) * 2);
    font-size: var(--_hint-size);
    white-space: pre-line;
  }
`;
