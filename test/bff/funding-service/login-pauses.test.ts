import { createOwnLoginStore } from '../../../bff/funding-service/login-pauses.ts';
import { describeLogins, type LoginStoreRig } from '../journal/contract/logins.ts';

describeLogins('one process', async () => {
  const rig: LoginStoreRig = {
    store: createOwnLoginStore(() => rig.now),
    now: 1_000_000_000,
    close: () => Promise.resolve(),
  };
  return rig;
});
