// Creates a self-signed certificate, with the required parts of X.509 (RFC 5280, section 4.1).

import { generateKeyPairSync, sign } from 'node:crypto';

export interface SelfSigned {
  /** Certificate and key are in PEM format. */
  readonly certificate: string;
  readonly key: string;
}

/** @param endsAt epoch milliseconds; before the year 2050. */
export function createSelfSigned(
  endsAt: number,
  hosts: readonly string[] = ['localhost'],
): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(tlv(0x31, sequence(oid(2, 5, 4, 3), tlv(0x0c, Buffer.from('localhost')))));
  const algorithm = sequence(oid(1, 2, 840, 10045, 4, 3, 2));
  const names = sequence(...hosts.map((host) => tlv(0x82, Buffer.from(host))));
  const body = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.from([1])),
    algorithm,
    name,
    sequence(time(Date.UTC(2020, 0, 1)), time(endsAt)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(sequence(oid(2, 5, 29, 17), tlv(0x04, names)))),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]);
  const base64 = sequence(body, algorithm, tlv(0x03, signature)).toString('base64');
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** Encodes tag, length, and value in DER (X.690), up to 65,535 bytes. */
function tlv(tag: number, value: Uint8Array): Buffer {
  const { length } = value;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), value]);
}

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return tlv(0x30, Buffer.concat(parts));
}

function oid(first: number, second: number, ...rest: readonly number[]): Buffer {
  return tlv(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(toBase128)]));
}

function toBase128(part: number): readonly number[] {
  const low = part & 0x7f;
  return part < 0x80 ? [low] : [...toBase128(part >> 7).map((byte) => byte | 0x80), low];
}

function time(at: number): Buffer {
  const digits = new Date(at).toISOString().replaceAll(/[-:T]/g, '').slice(2, 14);
  return tlv(0x17, Buffer.from(`${digits}Z`));
}
