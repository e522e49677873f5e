// The frame around every step: progress, messages, buttons, waiting.

import { css } from 'lit';

export const frameStyles = css`
  .frame {
    max-inline-size: var(--_width);
  }
  .frame.wide {
    max-inline-size: none;
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
  .track rect {
    transition: width 0.4s ease-out;
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
    border-radius: var(--_button-radius);
    background: var(--_accent);
    color: var(--_on-accent);
    font-weight: 600;
    text-decoration: none;
  }
  .button:hover {
    background: color-mix(in oklab, var(--_accent) 88%, var(--_text));
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
  [aria-expanded='true'] > .icon {
    rotate: 180deg;
  }
  .back {
    text-decoration: none;
    margin-block-end: calc(var(--_unit) * 2);
  }
  /* The arrow, not the room around it, stands at the edge of the column. */
  .back .icon {
    margin-inline-start: calc(var(--_unit) * -1.25);
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
  .summary li {
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
  .waiting {
    display: flex;
    gap: calc(var(--_unit) * 3);
    align-items: baseline;
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
    .track rect {
      transition: none;
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
    .button:not(.secondary) {
      forced-color-adjust: none;
      background: ButtonText;
      color: ButtonFace;
    }
    .track svg {
      fill: Highlight;
      forced-color-adjust: none;
    }
    .pulse {
      background: CanvasText;
    }
  }
`;
