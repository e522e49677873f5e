// Everything a partner's developer may import; importing it registers nothing.

export { FundingApplication } from './funding-application.ts';
export { FundingBankRequestEvent, FundingStepEvent } from './events.ts';
export { FundingError } from './funding-error.ts';
export type { FundingApi, Result } from './api/api.ts';
