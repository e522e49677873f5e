// The one partner the sandbox knows. Public by design: nothing here opens anything but the sandbox.

export const sandboxCredentials = {
  clientId: 'sandbox-client',
  clientSecret: 'sandbox-secret',
  username: 'partner@sandbox.example',
  password: 'sandbox-password',
  partnerId: 'P-1001',
  partnerName: 'Sandbox Partner',
} as const;
