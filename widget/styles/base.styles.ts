// The base of all sheets: the host, text, links, and focus.

import { css } from 'lit';

export const baseStyles = css`
  :host {
    display: block;
    color: var(--_text);
    font-family: var(--_font);
    font-size: var(--_size);
    line-height: 1.5;
    text-align: start;
    container: funding / inline-size;
    overflow-wrap: anywhere;
    scroll-margin-block-start: var(--_sticky-top);
  }
  :host([hidden]) {
    display: none;
  }
  :host([theme='light']) {
    color-scheme: light;
  }
  :host([theme='dark']) {
    color-scheme: dark;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  h2,
  h3,
  h4,
  p,
  ul,
  ol,
  dl,
  dd,
  fieldset {
    margin: 0;
    padding: 0;
    border: 0;
    min-inline-size: 0;
  }
  ul,
  ol {
    /* With the value none, WebKit does not tell screen readers that it is a list. */
    list-style-type: '';
  }
  /* About 62 characters. It does not depend on the size of the text, so that all texts of a screen end at one edge. */
  p,
  li {
    max-inline-size: calc(var(--_size) * 32);
  }
  p,
  li,
  label,
  legend {
    text-wrap: pretty;
  }
  h2,
  h3,
  .group-title {
    font-family: var(--_heading-font);
  }
  h2 {
    font-size: var(--_heading-size);
    font-weight: var(--_heading-weight);
    line-height: 1.2;
    letter-spacing: -0.015em;
  }
  h2,
  dd {
    text-wrap: balance;
  }
  [tabindex='-1']:focus {
    outline: none;
  }
  h3,
  .group-title {
    font-size: var(--_section-size);
    font-weight: 600;
    line-height: 1.3;
  }
  a {
    color: var(--_accent);
    text-underline-offset: 0.15em;
  }
  a[href^='tel'] {
    white-space: nowrap;
  }
  .why {
    margin-block-start: calc(var(--_unit) * 2);
    color: var(--_muted);
  }
  .hint,
  .small {
    font-size: var(--_hint-size);
    color: var(--_muted);
  }
  .visually-hidden {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .honeypot {
    position: absolute;
    inset-inline-start: -200vi;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
  }
  .icon {
    flex: none;
    inline-size: 1.15em;
    block-size: 1.15em;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.75;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  :focus-visible {
    outline: 3px solid var(--_focus);
    outline-offset: 2px;
  }
  .state {
    display: inline-flex;
    gap: calc(var(--_unit) * 1.5);
  }
  .state .icon {
    margin-block-start: 0.18em;
  }
  .state.done {
    color: var(--_success);
  }
  .figures {
    font-variant-numeric: tabular-nums;
  }
`;
