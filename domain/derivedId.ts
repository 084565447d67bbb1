import { createHash } from 'node:crypto';

const TIME_DIGITS = 12;

/** `baseId` is a UUIDv7. `ms` is the time in epoch milliseconds, by default the base's. */
export function derivedId(baseId: string, key: string, ms?: number): string {
  const bytes = createHash('sha256').update(`${baseId.toLowerCase()}\n${key}`).digest().subarray(0, 16);
  bytes.writeUIntBE(ms === undefined ? timeOf(baseId) : Math.trunc(ms), 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export function timeOf(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, TIME_DIGITS), 16);
}
