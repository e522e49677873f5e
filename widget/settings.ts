// What the host page may decide about one form on it.

/** All of it is optional; the BFF's configuration decides the rest. */
export interface FundingSettings {
  /** `false` leaves out the page before the first step, for host pages that have said all that; default `true`. */
  readonly startPage?: boolean;
  /** One of the campaigns that the BFF's settings allow (`lead.allowedCampaignIds`); travels with the application. */
  readonly campaignId?: string;
  /** Native selects instead of the pickers one types into, on every screen; default `false`: only on touch screens. */
  readonly simpleControls?: boolean;
}
