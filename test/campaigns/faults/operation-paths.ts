// Finds the operation of a call to the funding service.

import { type Operation, operations } from '../../../shared/funding-service/operations.ts';

/** The end of each path. */
const operationPaths: Readonly<Record<Operation, string>> = {
  token: '/oauth2/token',
  'create-lead': '/creditapp',
  'pre-approval-offer': '/getPreApprovalOffer',
  'contact-user': '/contactUser',
  'asset-report': '/asset-report/',
  'upload-file': '/UploadFileApiV1',
};

export function findOperation(path: string): Operation | undefined {
  return operations.find((operation) => path.endsWith(operationPaths[operation]));
}
