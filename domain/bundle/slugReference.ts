import { REFERENCE_KINDS, type ReferenceKind } from '../reference/reference.ts';

export interface SlugReference {
  kind: ReferenceKind;
  slug: string;
}

export function slugReference(text: string): SlugReference | undefined {
  const slash = text.indexOf('/');
  if (!text.startsWith('@') || slash < 0) return undefined;
  const kind = REFERENCE_KINDS.find((each) => each === text.slice(1, slash));
  const slug = text.slice(slash + 1);
  return kind === undefined || slug === '' ? undefined : { kind, slug };
}

export function referenceText({ kind, slug }: SlugReference): string {
  return `@${kind}/${slug}`;
}
