import type { InputConfig } from '../app/manifest.ts';

/** The id and the slug by which an action takes one thing, where neither of both is needed by itself; undefined: there are none. */
export function idOrSlug({ fields, refersTo = {} }: InputConfig): [id: string, slug: string] | undefined {
  const named = fields.filter(({ required }) => !required).map(({ key }) => ({ key, reference: refersTo[key] }));
  const id = named.find(({ reference }) => reference?.by === 'id');
  const slug = named.find(({ reference }) => reference?.by === 'slug' && reference.kind === id?.reference?.kind);
  return id === undefined || slug === undefined ? undefined : [id.key, slug.key];
}
