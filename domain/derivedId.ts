import { createHash } from 'node:crypto';

const TIME_DIGITS = 12;

/**
 * A UUIDv7 derived from `baseId` (a UUIDv7) and `key` alone: the same arguments give the same id. Its time is `ms`
 * (epoch milliseconds), by default that of the base.
 */
export function derivedId(baseId: string, key: string, ms?: number): string {
  const bytes = createHash('sha256').update(`${baseId.toLowerCase()}\n${key}`).digest().subarray(0, 16);
  bytes.writeUIntBE(ms === undefined ? timeOf(baseId) : Math.trunc(ms), 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The time in a UUIDv7, epoch milliseconds. */
export function timeOf(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, TIME_DIGITS), 16);
}
