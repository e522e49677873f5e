// Styles that all fields share, and those of the first step.

import { css } from 'lit';

export const fieldStyles = css`
  .field {
    display: flex;
    flex-direction: column;
    gap: calc(var(--_unit) * 1.5);
  }
  /* A block, because the layout of a flex item depends on the page around it. See the containment of .control. */
  .field.single {
    display: block;
  }
  .single > label {
    display: block;
  }
  .single > * + * {
    margin-block-start: calc(var(--_unit) * 1.5);
  }
  label,
  .label {
    font-weight: 600;
    line-height: 1.35;
  }
  .optional {
    font-weight: 400;
    color: var(--_muted);
  }
  input,
  select {
    font: inherit;
    font-size: var(--_input-size);
    color: var(--_text);
  }
  .control,
  .framed,
  .listbox {
    border: var(--_line) solid var(--_border);
    border-radius: var(--_radius);
    background: var(--_surface);
  }
  .control,
  .framed {
    min-block-size: var(--_control);
  }
  .control {
    display: block;
    inline-size: 100%;
    min-inline-size: 0;
    padding: calc(var(--_unit) * 2) calc(var(--_unit) * 3);
    line-height: 1.4;
  }
  /* Text does not change the size of an input, so a key costs the layout of one field instead of the whole page. */
  input.control,
  .framed {
    contain: size layout;
    contain-intrinsic-size: 12em 1.4em;
  }
  .control:hover,
  .framed:hover {
    border-color: var(--_text);
  }
  .control:focus,
  .framed:has(.control:focus) {
    outline: 3px solid var(--_accent);
    outline-offset: 2px;
  }
  .selecting {
    position: relative;
    display: grid;
  }
  .selecting .control {
    appearance: none;
    padding-inline-end: calc(var(--_unit) * 10);
    text-overflow: ellipsis;
  }
  .selecting .icon {
    position: absolute;
    inset-block: 0;
    inset-inline-end: calc(var(--_unit) * 3);
    margin-block: auto;
    pointer-events: none;
  }
  .width-16 {
    max-inline-size: calc(var(--_unit) * 60);
  }
  .framed {
    display: flex;
  }
  .framed .control,
  .framed .control:focus {
    border: 0;
    background: none;
    outline: 0;
    min-block-size: calc(var(--_control) - 2 * var(--_line));
  }
  .affix {
    display: grid;
    place-items: center;
    padding-inline: calc(var(--_unit) * 3) 0;
    color: var(--_muted);
  }
`;
