// Every color, size, and font of the element. Other sheets use these values only.

import { css } from 'lit';

/**
 * The host page sets the public properties `--funding-*`. Each `var(--funding-*, …)` below contains the default. Colors follow the
 * `color-scheme` that the element inherits or that its attribute `theme` sets. Sizes follow the reader's text size, but do not
 * shrink on a host page that sets the font size of its root element to 62.5%.
 *
 * @cssproperty --funding-accent - Buttons, links, and progress. Needs a contrast of 4.5:1 with the page.
 * @cssproperty --funding-on-accent - Text on the accent color.
 * @cssproperty --funding-text - Text.
 * @cssproperty --funding-muted - Hints and secondary text.
 * @cssproperty --funding-surface - Background of inputs and offers.
 * @cssproperty --funding-border - Borders of controls. Needs a contrast of 3:1 with the page.
 * @cssproperty --funding-hairline - Lines between rows.
 * @cssproperty --funding-focus - The focus ring. Needs a contrast of 3:1 with the page.
 * @cssproperty --funding-error - Errors.
 * @cssproperty --funding-attention - Notices.
 * @cssproperty --funding-success - Completed parts.
 * @cssproperty --funding-cost - The bar of an offer's cost per dollar.
 * @cssproperty --funding-font-family - The font of the text.
 * @cssproperty --funding-font-size - The size of the text. Inputs use at least 16px.
 * @cssproperty --funding-heading-font-family - The font of headings.
 * @cssproperty --funding-heading-weight - The font weight of the heading of a step.
 * @cssproperty --funding-radius - The corner radius.
 * @cssproperty --funding-button-radius - The corner radius of buttons.
 * @cssproperty --funding-line - The width of borders.
 * @cssproperty --funding-control-height - The height of inputs and buttons, at least 44px.
 * @cssproperty --funding-unit - The unit of all spacing.
 * @cssproperty --funding-width - The maximum width of the column.
 * @cssproperty --funding-sticky-top - The height of the host page's fixed header, which must not cover a focused field.
 * @cssproperty --funding-sticky-bottom - The height of the host page's fixed footer, which must not cover a focused field.
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
    --_cost: var(--funding-cost, var(--_accent));
    --_tint: color-mix(in oklch, var(--_accent) 7%, transparent);

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
    --_sticky-top: var(--funding-sticky-top, 0px);
    --_sticky-bottom: var(--funding-sticky-bottom, 0px);
  }
`;
