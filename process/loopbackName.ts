import { randomInt } from 'node:crypto';

/** 127.0.0.1:8233, localhost:8233, [::1]:8233 */
const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i;

/** The answer to a request for another host. */
export const MISDIRECTED = {
  status: 421,
  text: 'This address is for this machine only: call it as 127.0.0.1 or localhost\n',
};

/** Whether a Host header names this machine. Others are refused: a web page could read the server by DNS rebinding. */
export function isLoopbackName(host: string | undefined): boolean {
  return LOOPBACK.test(host ?? '');
}

/** A server that accepts any Host must not be found by trying ports. Only Linux accepts all of 127.0.0.0/8. */
export function hiddenLoopback(platform: NodeJS.Platform = process.platform): string {
  if (platform !== 'linux') return '127.0.0.1';
  return `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;
}
