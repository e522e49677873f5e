// What comes after the application: its record, documents, bank connection and offers.

import { css } from 'lit';

export const afterStyles = css`
  .reference {
    display: block;
    font-size: var(--_section-size);
    font-weight: 700;
    font-variant-numeric: tabular-nums;
    letter-spacing: 0.01em;
    overflow-wrap: anywhere;
  }
  .next li {
    padding-block: calc(var(--_unit) * 2.5);
    border-block-end: 1px solid var(--_hairline);
  }
  .next {
    border-block-start: 1px solid var(--_hairline);
  }
  .drop {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: calc(var(--_unit) * 3);
    justify-items: start;
    padding: calc(var(--_unit) * 6);
    border: var(--_line) dashed var(--_border);
    border-radius: var(--_radius);
  }
  .drop.over {
    border-color: var(--_accent);
    background: var(--_tint);
  }
  .drop input[type='file'] {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    opacity: 0;
  }
  .drop input[type='file']:focus-visible + .button {
    outline: 3px solid var(--_accent);
    outline-offset: 2px;
  }
  .files {
    border-block-start: 1px solid var(--_hairline);
  }
  .file {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr) auto;
    gap: calc(var(--_unit) * 2) calc(var(--_unit) * 3);
    align-items: center;
    max-inline-size: none;
    padding-block: calc(var(--_unit) * 4);
    border-block-end: 1px solid var(--_hairline);
  }
  .section-head .quiet {
    margin-inline-end: calc(var(--_unit) * -1);
  }
  .file > .icon {
    inline-size: calc(var(--_unit) * 7);
    block-size: calc(var(--_unit) * 7);
    color: var(--_muted);
  }
  .file .name {
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  .file .wide {
    grid-column: 2 / -1;
  }
  /* Beside the name, "Received, not passed on yet" would leave it no room. */
  @container funding (inline-size < 480px) {
    .file > .state {
      grid-column: 2 / -1;
    }
  }
  .file progress {
    appearance: none;
    inline-size: 100%;
    block-size: var(--_unit);
    border: 0;
    border-radius: var(--_unit);
    background: var(--_hairline);
    overflow: hidden;
  }
  .file progress::-webkit-progress-bar {
    background: var(--_hairline);
  }
  .file progress::-webkit-progress-value {
    background: var(--_accent);
  }
  .file progress::-moz-progress-bar {
    background: var(--_accent);
  }
  .state {
    display: inline-flex;
    align-items: center;
    gap: calc(var(--_unit) * 1.5);
  }
  .state.done {
    color: var(--_success);
  }
  .panel {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: calc(var(--_unit) * 6);
    padding: calc(var(--_unit) * 6);
    border: var(--_line) solid var(--_hairline);
    border-radius: var(--_radius);
  }
  .offers {
    display: grid;
    gap: calc(var(--_unit) * 6);
  }
  @container funding (inline-size >= 896px) {
    .offers {
      grid-template-columns: 1fr 1fr;
      align-items: start;
    }
  }
  .offer {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: calc(var(--_unit) * 5);
    padding: min(calc(var(--_unit) * 6), 7cqi);
    border: var(--_line) solid var(--_hairline);
    border-radius: var(--_radius);
    background: var(--_surface);
    max-inline-size: none;
  }
  .offer h3 {
    font-size: var(--_size);
    color: var(--_muted);
  }
  .headline {
    display: flex;
    flex-wrap: wrap;
    gap: calc(var(--_unit) * 2) calc(var(--_unit) * 8);
    font-variant-numeric: tabular-nums;
  }
  .headline dt {
    font-size: var(--_hint-size);
    color: var(--_muted);
  }
  .headline dd {
    /* A figure that breaks in two reads as another figure: in a narrow column it shrinks instead. */
    font-size: min(var(--_figure-size), 13cqi);
    overflow-wrap: normal;
    font-weight: 700;
    line-height: 1.2;
    letter-spacing: -0.015em;
  }
  .headline dd.absent {
    font-size: var(--_size);
    font-weight: 400;
    letter-spacing: normal;
  }
  .facts {
    font-variant-numeric: tabular-nums;
  }
`;
