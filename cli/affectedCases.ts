import type { SuiteCase } from '../cases/caseSuite.ts';
import { isEqualJson } from '../domain/isEqualJson.ts';
import type { Json } from '../domain/json.ts';
import type { ReadSuite } from './caseFiles.ts';
import type { Resource } from './projectFolder.ts';

/**
 * Returns the cases that a change of the files may affect: changed cases, and those of workflows that changed or that
 * name a changed one, directly or through others. Any other resource affects all cases.
 */
export function affectedCases(before: ReadSuite, after: ReadSuite): SuiteCase[] {
  const changed = changedResources(before.resources, after.resources);
  if (changed.some(({ kind }) => kind !== 'workflow')) return after.cases;
  const slugs = new Set(changed.map(({ slug }) => slug));
  const reached = namersOf(slugs, [...before.resources, ...after.resources]);
  const known = new Map(before.cases.map((each) => [caseKey(each), each]));
  return after.cases.filter(
    (each) => reached.has(each.workflow) || !isEqualJson(known.get(caseKey(each))?.case, each.case),
  );
}

function caseKey({ file, case: { name } }: SuiteCase): string {
  return JSON.stringify([file, name]);
}

function changedResources(before: readonly Resource[], after: readonly Resource[]): Resource[] {
  const keyOf = ({ kind, slug }: Resource) => `${kind} ${slug}`;
  const old = new Map(before.map((each) => [keyOf(each), each]));
  const fresh = new Map(after.map((each) => [keyOf(each), each]));
  return [
    ...after.filter((each) => !isEqualJson(old.get(keyOf(each)), each)),
    ...before.filter((each) => !fresh.has(keyOf(each))),
  ];
}

/** Returns the workflows and all that name one of them. */
function namersOf(slugs: ReadonlySet<string>, resources: readonly Resource[]): Set<string> {
  const named = resources.map((each) => ({
    slug: each.slug,
    kind: each.kind,
    texts: textsIn(each as unknown as Json),
  }));
  const found = new Set(slugs);
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const { kind, slug, texts } of named) {
      if (kind === 'workflow' && [...found].some((each) => texts.has(each) || texts.has(`@workflow/${each}`)))
        found.add(slug);
    }
  }
  return found;
}

function textsIn(value: Json, texts = new Set<string>()): Set<string> {
  if (typeof value === 'string') texts.add(value);
  else if (typeof value === 'object' && value !== null)
    for (const each of Object.values(value)) textsIn(each as Json, texts);
  return texts;
}
