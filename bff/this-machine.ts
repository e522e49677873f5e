// Whether an address leads back to the machine that reads it.

/** @param hostname as `URL` gives it. */
export function isThisMachine(hostname: string): boolean {
  return /^(.+\.)?localhost$|^127(\.\d+){3}$|^\[::1\]$/.test(hostname);
}
