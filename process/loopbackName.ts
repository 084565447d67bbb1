import { randomInt } from 'node:crypto';

/** 127.0.0.1:8233, localhost:8233, [::1]:8233 */
const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i;

/** The answer to whoever names another machine: status and text. */
export const MISDIRECTED = {
  status: 421,
  text: 'This address is for the machine itself: call it as 127.0.0.1 or localhost\n',
};

/**
 * Whether a Host header names this machine. A server of loopback that asks for no credentials answers no other: a page of a
 * stranger whose name resolves to 127.0.0.1 (DNS rebinding) would read it in a browser of this machine.
 */
export function isLoopbackName(host: string | undefined): boolean {
  return LOOPBACK.test(host ?? '');
}

/**
 * An address of this machine that nobody guesses: a server that takes any Host would be found by trying all ports. Only Linux takes
 * every address of 127.0.0.0/8.
 */
export function hiddenLoopback(platform: NodeJS.Platform = process.platform): string {
  if (platform !== 'linux') return '127.0.0.1';
  return `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;
}
