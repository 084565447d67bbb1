import type { Definition, Node } from '../../../../domain/workflow/definition.ts';
import { slugOf } from '../../../ui/slug.ts';
import { freeId } from './addedNode.ts';
import { wishOf } from './palette.ts';

/** `Is it much?` as `isItMuch`; undefined where no letter begins it. */
function idWish(name: string): string | undefined {
  const [first = '', ...rest] = slugOf(name).split('-');
  const wish = [first, ...rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('');
  return /^[a-z]/.test(wish) ? wish : undefined;
}

/**
 * The id that a node takes once it is called otherwise, so that expressions name it as people do; undefined where somebody
 * chose its id, or nothing of the name can be one. `before`: the name until then.
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
