// Styles around the steps: language switch, notices, slots, and the skeleton.

import { css } from 'lit';

export const shellStyles = css`
  .top {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    margin-block-end: calc(var(--_unit) * 2);
  }
  .frame.wide > .top {
    max-inline-size: var(--_width);
  }
  .top .back {
    margin-block-end: 0;
  }
  .languages {
    display: flex;
    align-items: center;
    margin-inline-start: auto;
    font-size: var(--_hint-size);
  }
  .languages .quiet {
    margin: 0;
  }
  .languages .quiet:last-child {
    padding-inline-end: 0;
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
  .status {
    position: sticky;
    inset-block-end: calc(var(--_unit) * 3);
    z-index: 1;
  }
  .status .notice {
    margin-block-start: calc(var(--_unit) * 2);
    background: color-mix(in oklab, var(--_attention) 14%, var(--_surface));
  }
  /* A notice does not cover the focused control (WCAG 2.2, 2.4.11). */
  .frame:has(.status .notice) :is(input, select, button, a, summary) {
    scroll-margin-block-end: calc(var(--_unit) * 40);
  }
  ::slotted([slot='help']) {
    display: block;
    margin-block-start: calc(var(--_unit) * 10);
    padding-block-start: calc(var(--_unit) * 4);
    border-block-start: 1px solid var(--_hairline);
  }
  /* Room for the longest of both languages: the first page stands where its skeleton stood. */
  .start {
    min-block-size: calc(var(--_unit) * 242);
  }
  .loading:not(.start) {
    min-block-size: calc(var(--_unit) * 150);
  }
  .loading.long {
    min-block-size: calc(var(--_unit) * 440);
  }
  .points {
    padding-inline-start: 1.2em;
    list-style: disc;
  }
  .kept {
    display: grid;
    justify-items: start;
    gap: var(--_unit);
    margin-block-start: calc(var(--_unit) * 6);
    padding: calc(var(--_unit) * 3) calc(var(--_unit) * 4);
    border-inline-start: var(--_unit) solid var(--_accent);
    background: var(--_tint);
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
  @container funding (inline-size < 480px) {
    .start {
      min-block-size: calc(var(--_unit) * 294);
    }
  }
  @container funding (inline-size < 340px) {
    .start {
      min-block-size: calc(var(--_unit) * 306);
    }
  }
`;
