// Whether an address leads back to the machine that reads it.

const names = /^(.+\.)?localhost\.?$/;
/** 127.0.0.0/8, and the address that stands for any of one's own (RFC 1122, 3.2.1.3). */
const numbers = /^127(\.\d+){3}$|^0\.0\.0\.0$/;
/** The same in IPv6, also those of IPv4 written in it (RFC 4291, 2.5). */
const longNumbers = /^\[::(1|ffff:7f[\da-f]{2}:[\da-f]{1,4}|ffff:0:0)?\]$/;

/** @param hostname as `URL` gives it. */
export function isThisMachine(hostname: string): boolean {
  return names.test(hostname) || numbers.test(hostname) || longNumbers.test(hostname);
}
