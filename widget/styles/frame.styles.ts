// The frame around every step: languages, progress, messages, buttons, waiting, and the content of the host page.

import { css } from 'lit';

export const frameStyles = css`
  .main,
  .rail,
  .frame.loading {
    max-inline-size: var(--_width);
  }
  .frame.wide > .main {
    max-inline-size: none;
  }
  .top,
  .why,
  .actions {
    max-inline-size: var(--_width);
  }
  .steps {
    display: none;
  }
  .preparation {
    margin-block-start: calc(var(--_unit) * 10);
  }
  .saved {
    margin-block-start: calc(var(--_unit) * 6);
  }
  /* Room for the checkbox that the chunk of the form adds, so that the line below does not move. */
  .unfinished {
    padding-block-end: calc(var(--_unit) * 13.5);
  }
  .progress {
    margin-block-end: calc(var(--_unit) * 5);
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
    text-align: center;
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
    text-align: start;
    min-block-size: calc(var(--_unit) * 11);
    padding: 0 var(--_unit);
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
  }
  /* The arrow is at the edge of the column, without the space around it. */
  .back .icon {
    margin-inline-start: calc(var(--_unit) * -1.25);
  }
  .notice {
    --_tone: var(--_attention);
  }
  .summary,
  .notice {
    margin-block-start: calc(var(--_unit) * 6);
    padding: calc(var(--_unit) * 4);
    max-inline-size: var(--_width);
    border: var(--_line) solid var(--_tone);
    border-inline-start-width: calc(var(--_unit) * 1.5);
    border-radius: var(--_radius);
    background: color-mix(in oklch, var(--_tone) 6%, transparent);
  }
  .notice {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: calc(var(--_unit) * 2.5);
  }
  .sandbox .notice {
    margin-block: 0 calc(var(--_unit) * 4);
    padding-block: calc(var(--_unit) * 2);
    font-size: var(--_hint-size);
  }
  .notice > .icon {
    margin-block-start: 0.18em;
    color: var(--_tone);
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
  }
  @keyframes pulse {
    50% {
      opacity: 0.25;
    }
  }
  .footer,
  ::slotted([slot='help']) {
    display: block;
    margin-block-start: calc(var(--_unit) * 10);
    padding-block-start: calc(var(--_unit) * 4);
    border-block-start: 1px solid var(--_hairline);
  }
  @media (prefers-reduced-motion: no-preference) {
    .pulse {
      animation: pulse 2.4s ease-in-out infinite;
    }
  }
  @container funding (inline-size < 384px) {
    .actions .button {
      inline-size: 100%;
      padding-inline: calc(var(--_unit) * 3);
    }
  }
  /*
   * Beside the form, the rail replaces the line of progress. It has its width, and the list of steps has its height, before the list
   * is loaded, so that nothing moves when it appears. The limits in pixels and in rem together keep a page with large or small text
   * in one column when the rail has no room.
   */
  @container funding (inline-size >= 56rem) and (inline-size >= 896px) {
    .frame:not(.wide, .loading) {
      display: grid;
      grid-template-columns: minmax(0, var(--_width)) minmax(calc(var(--_unit) * 60), 1fr);
      column-gap: calc(var(--_unit) * 16);
      align-items: start;
    }
    .frame:not(.wide) > .rail {
      max-inline-size: calc(var(--_unit) * 80);
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      gap: calc(var(--_unit) * 7);
    }
    .frame:not(.wide) .rail > *,
    .frame:not(.wide) .footer,
    .frame:not(.wide) .rail ::slotted([slot='help']) {
      margin-block-start: 0;
    }
    .frame:not(.wide) .steps {
      display: block;
    }
    .unfinished {
      padding-block-end: calc(var(--_unit) * 18);
    }
    .form .steps {
      min-block-size: calc(var(--_unit) * 46);
    }
    .frame.start {
      min-block-size: calc(var(--_unit) * 184);
    }
    .progress {
      display: none;
    }
  }
  .top {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    margin-block-end: calc(var(--_unit) * 2);
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
    inset-block-end: calc(var(--_sticky-bottom) + var(--_unit) * 3);
    z-index: 1;
    /* In a low window, for example at 400% zoom, the notices leave room for a field. */
    max-block-size: 40vh;
    overflow-y: auto;
  }
  .loading {
    min-block-size: calc(var(--_unit) * 150);
  }
  /*
    The first page replaces its skeleton without moving the host page, in the language with the longer texts, too. Firefox needs
    the most room: list items with a marker are 1 px higher there.
  */
  .start {
    min-block-size: calc(var(--_unit) * 257);
  }
  .loading.long {
    min-block-size: calc(var(--_unit) * 455);
  }
  .facts {
    display: grid;
    gap: calc(var(--_unit) * 3);
  }
  .facts li {
    display: flex;
    gap: calc(var(--_unit) * 2);
  }
  .facts .icon {
    color: var(--_success);
    translate: 0 0.15em;
  }
  .points {
    padding-inline-start: 1.2em;
    list-style: disc;
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
      min-block-size: calc(var(--_unit) * 333);
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
