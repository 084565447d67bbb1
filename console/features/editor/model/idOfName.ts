import type { Definition, Node } from '../../../../domain/workflow/definition.ts';
import { slugOf } from '../../../ui/slug.ts';
import { freeId, wishOf } from './palette.ts';

/** Turns `Is it much?` into `isItMuch`; undefined if that does not start with a letter. */
function idWish(name: string): string | undefined {
  const [first = '', ...rest] = slugOf(name).split('-');
  const wish = [first, ...rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('');
  return /^[a-z]/.test(wish) ? wish : undefined;
}

/**
 * Returns the id for a renamed node; undefined if the user chose its id, or the name yields none. `before`: the old
 * name.
 */
export function idOfName(definition: Definition, node: Node, before: string | undefined): string | undefined {
  const wish = idWish(node.name ?? '');
  if (wish === undefined) return undefined;
  const made = [wishOf(node), idWish(before ?? '')].filter((one) => one !== undefined);
  const isMade = made.some((one) => node.id.startsWith(one) && /^\d*$/.test(node.id.slice(one.length)));
  if (!isMade) return undefined;
  const others = definition.nodes.filter(({ id }) => id !== node.id);
  return freeId({ ...definition, nodes: others }, wish);
}
