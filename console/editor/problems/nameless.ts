import { type Catalogue, findAction, type InputConfig } from '../../../domain/app/manifest.ts';
import { ownMember } from '../../../domain/ownMember.ts';
import type { ProblemDetail } from '../../../domain/problem.ts';
import type { Definition } from '../../../domain/workflow/definition.ts';

/**
 * Nodes whose action takes a thing by its id or its slug, and that name none. The API stores them, since each of both may be
 * absent, and their step fails: a builder hears of it before.
 */
export function nameless({ nodes }: Definition, catalogue: Catalogue): ProblemDetail[] {
  return nodes.flatMap(({ id, appId, actionId, inputs }, index) => {
    const action = appId === undefined || actionId === undefined ? undefined : findAction(catalogue, appId, actionId);
    const ways = action && idOrSlug(action.inputConfig);
    if (ways === undefined || ways.some((key) => isGiven(ownMember(inputs ?? {}, key)))) return [];
    return [{ path: `nodes[${index}].inputs`, message: `expected ${ways.join(' or ')}, got none`, nodeId: id }];
  });
}

const isGiven = (value: unknown) => value !== undefined && value !== null && value !== '';

/** The id and the slug by which an action takes one thing, where neither of both is needed by itself. */
function idOrSlug({ fields, refersTo = {} }: InputConfig): [id: string, slug: string] | undefined {
  const named = fields.filter(({ required }) => !required).map(({ key }) => ({ key, reference: refersTo[key] }));
  const id = named.find(({ reference }) => reference?.by === 'id');
  const slug = named.find(({ reference }) => reference?.by === 'slug' && reference.kind === id?.reference?.kind);
  return id === undefined || slug === undefined ? undefined : [id.key, slug.key];
}
