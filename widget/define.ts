// Registers <funding-application>; this is the file a page loads.

import { FundingApplication } from './funding-application.ts';

if (!customElements.get('funding-application')) {
  customElements.define('funding-application', FundingApplication);
}
