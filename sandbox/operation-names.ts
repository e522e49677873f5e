// The operations as the specification calls them.

import type { Operation } from '../shared/funding-service/operations.ts';

export const operationNames: Readonly<Record<Operation, string>> = {
  token: 'Get Access Token',
  'create-lead': 'Create Lead',
  'pre-approval-offer': 'Get Pre-Approval Offer',
  'contact-user': 'Contact User',
  'asset-report': 'Submit Asset Report',
  'upload-file': 'Upload File',
};
