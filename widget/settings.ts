// Options that the host page sets on one form.

/** Options of one form. The settings of the BFF control everything else. */
export interface FundingSettings {
  /** Whether the form has a start page before its first question. Default: `true`. */
  readonly startPage?: boolean;
  /** The campaign id of the application. The BFF's setting `lead.allowedCampaignIds` must contain it. */
  readonly campaignId?: string;
  /** Whether to use `<select>` elements instead of comboboxes. Default: `false`; touch screens always use `<select>` elements. */
  readonly simpleControls?: boolean;
}
