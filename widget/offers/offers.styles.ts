// The offers as cards and as a table, on the screen and on paper.

import { css } from 'lit';

export const offersStyles = css`
  .offers {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: calc(var(--_unit) * 6);
  }
  @container funding (inline-size >= 896px) {
    .offers {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
  }
  .offer {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    align-content: start;
    gap: calc(var(--_unit) * 5);
    padding: min(calc(var(--_unit) * 6), 7cqi);
    max-inline-size: none;
  }
  .offer,
  .scroller {
    border: var(--_line) solid var(--_hairline);
    border-radius: var(--_radius);
    background: var(--_surface);
  }
  .offer.chosen {
    border-color: var(--_accent);
  }
  .offer h3 {
    font-size: var(--_size);
    color: var(--_muted);
  }
  .headline {
    display: flex;
    flex-wrap: wrap;
    gap: calc(var(--_unit) * 2) calc(var(--_unit) * 8);
  }
  .headline dt {
    font-size: var(--_hint-size);
    color: var(--_muted);
  }
  .headline dd {
    line-height: 1.2;
  }
  .headline dd:not(.absent) {
    /* A wrapped figure reads as two figures, so the text shrinks in a narrow column. */
    font-size: min(var(--_figure-size), 6.2cqi);
    white-space: nowrap;
    font-weight: 700;
    letter-spacing: -0.015em;
  }
  .absent {
    color: var(--_muted);
  }
  .bar {
    display: block;
    inline-size: 100%;
    block-size: calc(var(--_unit) * 4);
  }
  .swatch {
    inline-size: 0.8em;
    block-size: 0.8em;
    margin-inline-end: 0.4em;
  }
  .bar path,
  .swatch path {
    stroke-width: 1;
  }
  .principal {
    stroke: var(--_principal);
  }
  .interest {
    stroke: var(--_interest);
    stroke-dasharray: 1.1 0.45;
  }
  .fees {
    stroke: var(--_fees);
    stroke-dasharray: 0.45 0.55;
  }
  .disclosures {
    font-size: var(--_hint-size);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .choose,
  .choose p {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    justify-items: start;
    gap: calc(var(--_unit) * 2);
  }
  .tools {
    align-items: end;
  }
  .tools .field {
    max-inline-size: 100%;
  }
  @container funding (inline-size < 384px) {
    .tools .field {
      inline-size: 100%;
    }
  }
  .button[aria-pressed='true'] {
    background: var(--_tint);
    border-width: calc(var(--_line) * 2);
  }
  /* Visually hidden text in the last columns must not widen the page. */
  .scroller {
    position: relative;
    inline-size: fit-content;
    max-inline-size: 100%;
    overflow-x: auto;
  }
  /* All columns have one width, so that the bars have one scale and nothing moves when an offer is added. */
  .comparison {
    inline-size: min-content;
    border-spacing: 0;
  }
  .comparison th,
  .comparison td {
    min-inline-size: calc(var(--_unit) * 52);
    padding: calc(var(--_unit) * 3);
    border-block-end: 1px solid var(--_hairline);
    text-align: start;
    vertical-align: top;
  }
  .comparison :is(th[scope='row'], td:first-child) {
    position: sticky;
    inset-inline-start: 0;
    z-index: 1;
    min-inline-size: calc(var(--_unit) * 26);
    max-inline-size: calc(var(--_unit) * 40);
    border-inline-end: 1px solid var(--_hairline);
    background: var(--_surface);
    font-weight: 400;
    color: var(--_muted);
    overflow-wrap: normal;
  }
  .comparison .button {
    padding-inline: calc(var(--_unit) * 3);
  }
  .on-paper {
    display: none;
  }
  .comparison tbody tr:nth-child(-n + 2) > td {
    font-weight: 700;
  }
  .comparison .absent {
    font-weight: 400;
  }
  @container funding (inline-size >= 480px) {
    .comparison th,
    .comparison td {
      min-inline-size: calc(var(--_unit) * 60);
    }
    .comparison :is(th[scope='row'], td:first-child) {
      min-inline-size: calc(var(--_unit) * 40);
    }
  }
  @media (forced-colors: active) {
    .offer.chosen,
    .button[aria-pressed='true'] {
      border-color: Highlight;
    }
    .bar path,
    .swatch path {
      stroke: CanvasText;
    }
  }
  @media print {
    .offers {
      display: block;
    }
    .offer {
      gap: calc(var(--_unit) * 2);
      margin-block-end: calc(var(--_unit) * 4);
      padding: calc(var(--_unit) * 4);
      break-inside: avoid;
    }
    .choose .button {
      display: none;
    }
  }
`;
