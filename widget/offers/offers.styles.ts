// The offers as cards and as a table, on the screen and on paper.

import { css } from 'lit';

export const offersStyles = css`
  .offers {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: calc(var(--_unit) * 6);
  }
  @container funding (inline-size >= 664px) {
    .offers {
      grid-template-columns: repeat(auto-fill, minmax(calc(var(--_unit) * 80), 1fr));
    }
    /* The parts of neighboring cards stand on one line. */
    .offer {
      grid-row: span 7;
      grid-template-rows: subgrid;
    }
    /* A card is too narrow for a label beside its figure. */
    .offer .answers > div {
      grid-template-columns: minmax(0, 1fr);
    }
    .offer .answers dt {
      font-size: var(--_hint-size);
    }
  }
  .offer {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    align-content: start;
    gap: calc(var(--_unit) * 5);
    padding: min(calc(var(--_unit) * 6), 5cqi);
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
    display: grid;
    gap: calc(var(--_unit) * 3);
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
  @container funding (inline-size >= 664px) {
    /* The largest ranges do not fit beside another card. */
    .headline dd:not(.absent) {
      white-space: normal;
    }
  }
  .absent {
    color: var(--_muted);
  }
  .cost {
    display: grid;
    align-content: start;
    gap: calc(var(--_unit) * 2);
  }
  .bar {
    display: block;
    inline-size: 100%;
    block-size: calc(var(--_unit) * 3);
    border-radius: var(--_unit);
    background: var(--_hairline);
  }
  .bar path {
    stroke: var(--_cost);
  }
  .bar .high {
    stroke-opacity: 0.55;
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
    align-content: start;
    gap: calc(var(--_unit) * 2);
  }
  .choose .button {
    gap: calc(var(--_unit) * 2);
    padding-inline: calc(var(--_unit) * 3);
  }
  .tools {
    align-items: end;
    max-inline-size: none;
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
    scroll-snap-type: inline proximity;
  }
  /*
   * All columns have one width, so that the bars have one scale, and nothing moves when an offer is added. On a phone, two
   * offers and the edge of the next one show.
   */
  .comparison {
    inline-size: min-content;
    border-spacing: 0;
    /* On a page without a doctype, tables do not inherit these. */
    color: inherit;
    font-size: inherit;
    line-height: inherit;
  }
  .comparison :is(td, thead th) {
    min-inline-size: max(calc(var(--_unit) * 32), 44cqi);
    padding: 0 calc(var(--_unit) * 2) calc(var(--_unit) * 3);
    border-block-end: 1px solid var(--_hairline);
    text-align: start;
    vertical-align: top;
    scroll-snap-align: start;
  }
  .comparison thead th {
    padding-block-start: calc(var(--_unit) * 3);
  }
  .comparison th[scope='rowgroup'] {
    padding: calc(var(--_unit) * 3) 0 0;
    text-align: start;
    font-size: var(--_hint-size);
    font-weight: 400;
    color: var(--_muted);
  }
  .comparison th[scope='rowgroup'] > span {
    position: sticky;
    inset-inline-start: calc(var(--_unit) * 2);
    margin-inline: calc(var(--_unit) * 2);
  }
  /* A range moves to the next line as a whole, and wraps only if it is wider than its column. */
  .range {
    display: inline-block;
  }
  .comparison .button {
    flex-wrap: wrap;
    padding-inline: var(--_unit);
  }
  .comparison tbody:nth-child(-n + 5) td {
    font-weight: 700;
  }
  .comparison .absent {
    font-weight: 400;
  }
  @container funding (inline-size < 480px) {
    .comparison {
      font-size: var(--_hint-size);
    }
  }
  @container funding (inline-size >= 480px) {
    .comparison :is(td, thead th) {
      min-inline-size: max(calc(var(--_unit) * 50), calc(100cqi / 3 - var(--_line)));
      padding-inline: calc(var(--_unit) * 3);
    }
    .comparison th[scope='rowgroup'] > span {
      inset-inline-start: calc(var(--_unit) * 3);
      margin-inline: calc(var(--_unit) * 3);
    }
  }
  @media screen {
    .on-paper {
      display: none;
    }
  }
  @media (forced-colors: active) {
    .offer.chosen,
    .button[aria-pressed='true'] {
      border-color: Highlight;
    }
    .bar {
      border: 1px solid CanvasText;
    }
    .bar path {
      stroke: CanvasText;
    }
  }
  @media print {
    .offers {
      display: block;
    }
    .offer {
      margin-block-end: calc(var(--_unit) * 3);
      padding: calc(var(--_unit) * 3);
      line-height: 1.35;
      break-inside: avoid;
    }
    .choose .button {
      display: none;
    }
    /* Two offers fit on a sheet. Unlike grid rows, blocks and floats break between two sheets without overlapping. */
    .offer {
      display: block;
    }
    .offer > * + * {
      margin-block-start: calc(var(--_unit) * 2);
    }
    .offer .headline {
      grid-template-columns: repeat(3, auto);
      justify-content: space-between;
      align-items: end;
    }
    .offer .answers > div {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
    .offer > .answers,
    .offer > .answers + div {
      float: inline-start;
      inline-size: 48%;
    }
    .offer > .answers + div {
      float: inline-end;
    }
    .offer > .answers ~ div ~ div {
      clear: both;
      padding-block-start: calc(var(--_unit) * 2);
    }
    .offer p {
      max-inline-size: none;
    }
  }
`;
