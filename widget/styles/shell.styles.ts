// What stands around every step and before the first one: languages, what the host page puts in, the page being made.

import { css } from 'lit';

export const shellStyles = css`
  .top {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    margin-block-end: calc(var(--_unit) * 2);
  }
  .top .back {
    margin-block-end: 0;
  }
  .languages {
    display: flex;
    align-items: center;
    gap: var(--_unit);
    margin-inline-start: auto;
    font-size: var(--_hint-size);
  }
  .languages [aria-current] {
    color: inherit;
    font-weight: 600;
    text-decoration: none;
    cursor: default;
  }
  .top > p {
    flex-basis: 100%;
  }
  .top > p:empty {
    display: none;
  }
  ::slotted([slot='help']) {
    display: block;
    margin-block-start: calc(var(--_unit) * 10);
    padding-block-start: calc(var(--_unit) * 4);
    border-block-start: 1px solid var(--_hairline);
  }
  /* Room for the longest of both languages: the first page stands where its skeleton stood. */
  .start {
    min-block-size: calc(var(--_unit) * 230);
  }
  .loading:not(.start) {
    min-block-size: calc(var(--_unit) * 150);
  }
  .skeleton {
    display: grid;
    gap: calc(var(--_unit) * 3);
    padding-block: calc(var(--_unit) * 14) calc(var(--_unit) * 10);
    opacity: 0.6;
  }
  .skeleton span {
    block-size: calc(var(--_unit) * 5);
    border-radius: var(--_radius);
    background: var(--_hairline);
  }
  .skeleton span:nth-child(3n) {
    inline-size: 45%;
    block-size: calc(var(--_unit) * 6);
    margin-block-start: calc(var(--_unit) * 8);
  }
  .skeleton span:first-child {
    inline-size: 75%;
    block-size: calc(var(--_unit) * 9);
  }
  .skeleton span:last-child {
    inline-size: 40%;
    block-size: var(--_control);
  }
  @media print {
    .languages {
      display: none;
    }
  }
  @container funding (inline-size < 480px) {
    .start {
      min-block-size: calc(var(--_unit) * 282);
    }
  }
  @container funding (inline-size < 340px) {
    .start {
      min-block-size: calc(var(--_unit) * 306);
    }
  }
`;
