// Every colour, size and font of the widget; nothing else names a literal of these.

import { css } from 'lit';

/**
 * The host page restyles the widget by the `--funding-*` properties on the left of each pair. Colours follow the
 * `color-scheme` the element inherits; the `theme` attribute sets it for the element alone. Sizes follow the reader's
 * own text size, but never shrink with a host page that sets its root to 62.5 %.
 *
 * @cssproperty --funding-accent - Buttons, links, progress; contrast of 4.5:1 with the page is needed.
 * @cssproperty --funding-on-accent - Text on the accent.
 * @cssproperty --funding-text - Text.
 * @cssproperty --funding-muted - Hints and secondary text.
 * @cssproperty --funding-surface - Inputs and offer cards.
 * @cssproperty --funding-border - Borders of controls; contrast of 3:1 is needed.
 * @cssproperty --funding-hairline - Lines between rows.
 * @cssproperty --funding-focus - The ring around what has the focus; contrast of 3:1 is needed. The accent by default.
 * @cssproperty --funding-error - Errors.
 * @cssproperty --funding-attention - Notices.
 * @cssproperty --funding-success - What has been done.
 * @cssproperty --funding-principal - The part of an offer's bar that is lent.
 * @cssproperty --funding-interest - The part of an offer's bar that is interest.
 * @cssproperty --funding-fees - The part of an offer's bar that is fees.
 * @cssproperty --funding-font-family - Font; the host page's own by default.
 * @cssproperty --funding-font-size - Size of body text; 17px by default. Inputs are never smaller than 16px.
 * @cssproperty --funding-heading-font-family - Font of headings; that of the text by default.
 * @cssproperty --funding-heading-weight - Weight of the heading of a step; 700 by default.
 * @cssproperty --funding-radius - Corner radius; 8px by default.
 * @cssproperty --funding-button-radius - Corner radius of buttons; that of everything else by default.
 * @cssproperty --funding-line - Width of borders; 1.5px by default.
 * @cssproperty --funding-control-height - Height of inputs and buttons; 48px by default, never below 44px.
 * @cssproperty --funding-unit - What all spaces are made of; 4px by default.
 * @cssproperty --funding-width - Widest the column grows; 544px by default.
 */
export const tokens = css`
  :host {
    --_accent: var(--funding-accent, light-dark(oklch(0.43 0.078 195), oklch(0.82 0.09 195)));
    --_on-accent: var(--funding-on-accent, light-dark(oklch(1 0 0), oklch(0.18 0.02 195)));
    --_text: var(--funding-text, light-dark(oklch(0.23 0.012 75), oklch(0.95 0.008 75)));
    --_muted: var(--funding-muted, light-dark(oklch(0.42 0.014 75), oklch(0.8 0.012 75)));
    --_surface: var(--funding-surface, light-dark(oklch(1 0 0), oklch(0.27 0.01 75)));
    --_border: var(--funding-border, light-dark(oklch(0.57 0.014 75), oklch(0.62 0.014 75)));
    --_error: var(--funding-error, light-dark(oklch(0.45 0.165 27), oklch(0.83 0.1 25)));
    --_attention: var(--funding-attention, light-dark(oklch(0.44 0.09 70), oklch(0.86 0.1 80)));
    --_success: var(--funding-success, light-dark(oklch(0.42 0.1 150), oklch(0.84 0.12 150)));
    --_hairline: var(--funding-hairline, color-mix(in oklch, var(--_text) 18%, transparent));
    --_focus: var(--funding-focus, var(--_accent));
    /* The parts of what a loan costs, from the money that is lent to what is charged for it. */
    --_principal: var(
      --funding-principal,
      color-mix(in oklab, var(--_accent) 60%, var(--_surface))
    );
    --_interest: var(--funding-interest, var(--_accent));
    --_fees: var(--funding-fees, var(--_attention));
    --_tint: color-mix(in oklch, var(--_accent) 7%, transparent);
    --_error-tint: color-mix(in oklch, var(--_error) 4%, transparent);
    --_attention-tint: color-mix(in oklch, var(--_attention) 9%, transparent);

    --_font: var(--funding-font-family, inherit);
    --_heading-font: var(--funding-heading-font-family, inherit);
    --_heading-weight: var(--funding-heading-weight, 700);
    --_size: var(--funding-font-size, max(17px, 1.0625rem));
    --_hint-size: max(14px, calc(var(--_size) * 0.83));
    --_section-size: calc(var(--_size) * 1.18);
    --_heading-size: calc(var(--_size) * 1.7);
    --_figure-size: calc(var(--_size) * 1.6);
    --_input-size: max(16px, var(--_size));

    --_radius: var(--funding-radius, calc(var(--_unit) * 2));
    --_button-radius: var(--funding-button-radius, var(--_radius));
    --_width: var(--funding-width, calc(var(--_unit) * 136));
    --_line: var(--funding-line, 1.5px);
    --_control: max(44px, var(--funding-control-height, calc(var(--_unit) * 12)));
    --_unit: var(--funding-unit, max(4px, 0.25rem));
  }
`;
