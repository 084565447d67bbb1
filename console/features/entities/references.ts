import { useQueries } from '@tanstack/react-query';
import type { ObjectType } from './queries.ts';
import { objectPage } from './queries.ts';
import { type Field, referencesOf, withNone } from './schemaFields.ts';

const MAX_CHOICES = 100;

/** Returns the entities that attributes may refer to, by type slug. Types with over a hundred entities are left out. */
export function useReferences(type: ObjectType): Map<string, { value: string; label: string }[]> {
  const slugs = [...new Set(referencesOf(type.attributeSchema).values())];
  const answers = useQueries({
    queries: slugs.map((slug) => objectPage({ objectTypeSlug: slug, sortBy: 'name', pageSize: MAX_CHOICES })),
  });
  return new Map(
    slugs.flatMap((slug, at) => {
      const page = answers[at]?.data;
      if (page === undefined || page.pagination.totalPages > 1) return [];
      return [[slug, page.items.map(({ id, name }) => ({ value: id, label: name }))]];
    }),
  );
}

/** Turns references into choices by name if the candidates are known. */
export function withChoices(
  fields: readonly Field[],
  type: ObjectType,
  known: ReadonlyMap<string, { value: string; label: string }[]>,
): Field[] {
  const slugs = referencesOf(type.attributeSchema);
  return fields.map((field) => {
    const options = known.get(slugs.get(field.key) ?? '');
    if (options === undefined || options.length === 0) return field;
    const { help: _, ...rest } = field;
    return withNone({ ...rest, type: 'select', options });
  });
}
