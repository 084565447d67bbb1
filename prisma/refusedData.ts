import { somePart } from './errorParts.ts';

/** SQLSTATE: class 22 is what a value is, class 54 is how much of it there is. */
const DATA = /^(22|54)\w{3}$/;

/** Whether the database refuses what a statement brings: it will again, however often it is tried. */
export function isDataRefused(error: unknown): boolean {
  return somePart(error, ({ code, originalCode }) => [code, originalCode].some((each) => DATA.test(String(each))));
}
