// The frame around every step: progress, heading, messages, buttons.

import { css } from 'lit';

export const frameStyles = css`
  :host {
    display: block;
    color: var(--_text);
    font-family: var(--_font);
    font-size: var(--_size);
    line-height: 1.5;
    text-align: start;
    container: funding / inline-size;
    overflow-wrap: anywhere;
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
  .frame {
    max-inline-size: var(--_width);
  }
  .frame.wide {
    max-inline-size: none;
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
    list-style: none;
  }
  p,
  li {
    max-inline-size: 62ch;
  }
  h2 {
    font-size: var(--_heading-size);
    font-weight: 700;
    line-height: 1.2;
    letter-spacing: -0.015em;
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
    padding: 0;
  }
  a {
    color: var(--_accent);
    text-underline-offset: 0.15em;
  }
  .why {
    margin-block-start: calc(var(--_unit) * 2);
    color: var(--_muted);
    text-wrap: pretty;
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
  .trap {
    position: absolute;
    inset-inline-start: -200vi;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
  }
  .sandbox {
    margin-block-end: calc(var(--_unit) * 6);
    padding: calc(var(--_unit) * 2) calc(var(--_unit) * 3);
    border-inline-start: calc(var(--_unit)) solid var(--_attention);
    background: var(--_attention-tint);
    font-size: var(--_hint-size);
  }
  .progress {
    margin-block-end: calc(var(--_unit) * 5);
  }
  .progress p {
    font-size: var(--_hint-size);
    color: var(--_muted);
  }
  .track {
    margin-block-start: calc(var(--_unit) * 2);
    block-size: var(--_unit);
    border-radius: var(--_unit);
    background: var(--_hairline);
    overflow: hidden;
  }
  .track svg {
    display: block;
    inline-size: 100%;
    block-size: 100%;
    fill: var(--_accent);
  }
  .body {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: calc(var(--_unit) * 10);
    margin-block-start: calc(var(--_unit) * 7);
  }
  .group {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: calc(var(--_unit) * 6);
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: calc(var(--_unit) * 3) calc(var(--_unit) * 5);
  }
  .button,
  .quiet {
    font: inherit;
    cursor: pointer;
    touch-action: manipulation;
  }
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    min-block-size: var(--_control);
    padding: calc(var(--_unit) * 2) calc(var(--_unit) * 7);
    border: var(--_line) solid var(--_accent);
    border-radius: var(--_radius);
    background: var(--_accent);
    color: var(--_on-accent);
    font-weight: 600;
    text-decoration: none;
  }
  .button:hover {
    background: color-mix(in oklch, var(--_accent) 88%, var(--_text));
  }
  .button.secondary {
    background: transparent;
    color: var(--_accent);
  }
  .button.secondary:hover {
    background: var(--_tint);
  }
  .quiet {
    display: inline-flex;
    align-items: center;
    gap: calc(var(--_unit) * 1.5);
    min-block-size: calc(var(--_unit) * 11);
    padding: 0 calc(var(--_unit) * 1);
    margin-inline-start: calc(var(--_unit) * -1);
    border: 0;
    border-radius: var(--_radius);
    background: none;
    color: var(--_accent);
    text-decoration: underline;
    text-underline-offset: 0.2em;
  }
  .quiet:hover {
    text-decoration-thickness: 0.12em;
  }
  .back {
    text-decoration: none;
    margin-block-end: calc(var(--_unit) * 2);
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
    outline: 3px solid var(--_accent);
    outline-offset: 2px;
  }
  .summary,
  .notice {
    margin-block-start: calc(var(--_unit) * 6);
    padding: calc(var(--_unit) * 4) calc(var(--_unit) * 5);
    border: var(--_line) solid var(--_error);
    border-inline-start-width: calc(var(--_unit) * 1.5);
    border-radius: var(--_radius);
    background: var(--_error-tint);
  }
  .summary ul {
    display: grid;
    gap: calc(var(--_unit) * 2);
    margin-block-start: calc(var(--_unit) * 2);
  }
  .summary a {
    display: inline-block;
    padding-block: calc(var(--_unit) * 0.5);
    color: var(--_error);
    font-weight: 600;
  }
  .notice.calm {
    border-color: var(--_attention);
    background: var(--_attention-tint);
  }
  .notice .actions {
    margin-block-start: calc(var(--_unit) * 3);
  }
  .figures {
    font-variant-numeric: tabular-nums;
  }
  .waiting {
    display: flex;
    gap: calc(var(--_unit) * 3);
    align-items: center;
  }
  .pulse {
    flex: none;
    inline-size: calc(var(--_unit) * 2.5);
    block-size: calc(var(--_unit) * 2.5);
    border-radius: 50%;
    background: var(--_accent);
    animation: pulse 2.4s ease-in-out infinite;
  }
  @keyframes pulse {
    50% {
      opacity: 0.25;
    }
  }
  .footer {
    margin-block-start: calc(var(--_unit) * 10);
    padding-block-start: calc(var(--_unit) * 4);
    border-block-start: 1px solid var(--_hairline);
  }
  .loading {
    min-block-size: calc(var(--_unit) * 96);
  }
  @media (prefers-reduced-motion: reduce) {
    .pulse {
      animation: none;
    }
  }
  @container funding (inline-size < 384px) {
    .actions .button {
      inline-size: 100%;
    }
  }
  @media (forced-colors: active) {
    .button {
      border-color: ButtonText;
    }
    .track svg {
      fill: Highlight;
      forced-color-adjust: none;
    }
    .pulse {
      background: CanvasText;
    }
  }
  @media print {
    .actions,
    .back,
    .progress,
    .sandbox {
      display: none;
    }
  }
`;
