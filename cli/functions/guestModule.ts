import { compiledBeside } from '../../projectRoot.ts';

/** Returns the compiled file of the part of a bundle that the fence calls. */
export function guestModule(name: 'functionGuest' | 'pieceGuest'): string {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return compiledBeside(new URL(`../../runner/guest/${name}.${extension}`, import.meta.url).href, `${name}.js`);
}
