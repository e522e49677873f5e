// Registers <funding-application>. A page loads this file first.

import { FundingApplication } from './funding-application.ts';

if (!customElements.get('funding-application')) {
  customElements.define('funding-application', FundingApplication);
}
