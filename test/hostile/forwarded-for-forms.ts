// Headers that claim another client address.

export type RawHeaders = readonly (readonly [name: string, value: string])[];

const header = 'X-Forwarded-For';

/**
 * @param victim an IPv4 address that no client has.
 * @param proxy an address that the BFF trusts.
 */
export function listForms(victim: string, proxy: string): readonly RawHeaders[] {
  const octets = victim.split('.').map(Number);
  const hex = octets.map((octet) => octet.toString(16).padStart(2, '0'));
  const mapped = `::ffff:${hex[0]}${hex[1]}:${hex[2]}${hex[3]}`;
  const values = [
    victim,
    `${victim}, ${victim}`,
    ` ${victim} `,
    `${victim},`,
    `,${victim}`,
    `${victim},,`,
    `${victim},\t`,
    `${victim}:443`,
    `[${victim}]`,
    `[${victim}]:443`,
    `"${victim}"`,
    `"${victim}:443"`,
    `"${victim}`,
    `for=${victim}`,
    `::ffff:${victim}`,
    `[::ffff:${victim}]:1`,
    mapped,
    `0:0:0:0:0:ffff:${victim}`,
    `${victim}%eth0`,
    `${mapped}%1`,
    `${victim}/32`,
    `${victim};${victim}`,
    `${victim} ${victim}`,
    `${victim}.`,
    octets.map((octet) => String(octet).padStart(3, '0')).join('.'),
    octets.map((octet) => `0${octet.toString(8)}`).join('.'),
    `0x${hex.join('.0x')}`,
    String(Number.parseInt(hex.join(''), 16)),
    'unknown',
    `unknown, ${victim}`,
    `${victim}, unknown`,
    '_hidden',
    'localhost',
    '127.0.0.1',
    `127.0.0.1, ${victim}`,
    `${victim}, 127.0.0.1`,
    proxy,
    `${victim}, ${proxy}`,
    `${proxy}, ${victim}`,
    `${victim}, ${proxy}, ${proxy}`,
    `${victim}, ${proxy}:80`,
    `${victim}, ::ffff:${proxy}`,
    '0.0.0.0',
    '::',
    '::1',
    '-',
    '',
    ',',
    `%00${victim}`,
    `${victim}\u00A0`,
    Array.from({ length: 500 }, () => victim).join(', '),
    [victim, ...Array.from({ length: 500 }, () => proxy)].join(','),
  ];
  return [
    ...values.map((value): RawHeaders => [[header, value]]),
    [
      [header, victim],
      [header, victim],
    ],
    [
      [header, victim],
      [header, proxy],
    ],
    [['X-FORWARDED-FOR', victim]],
    [['X_Forwarded_For', victim]],
    [['X-Original-Forwarded-For', victim]],
    [['Forwarded', `for=${victim}`]],
    [['Forwarded', `for="${victim}:443";proto=https, for=${proxy}`]],
    [['X-Real-IP', victim]],
    [['True-Client-IP', victim]],
    [['CF-Connecting-IP', victim]],
    [['X-Client-IP', victim]],
    [['X-Cluster-Client-IP', victim]],
    [['Via', `1.1 ${victim}`]],
  ];
}
