import { pathTo } from '../place.ts';
import type { ProblemDetail } from '../problem.ts';
import type { CompiledRules } from './compiledRules.ts';

export type ImportTarget = { member: 'name' | 'state' | 'ownerId' } | { attribute: string };

export interface ImportColumn {
  source: string;
  target: ImportTarget;
}

const PREFIX = 'attributes.';

/** `attributes.<name>` is always an attribute; other names prefer the type's attributes to members of entities. */
export function targetOf(target: string, { named }: Pick<CompiledRules, 'named'>): ImportTarget {
  if (target.startsWith(PREFIX)) return { attribute: target.slice(PREFIX.length) };
  if (target === 'name' || target === 'entityName') return { member: 'name' };
  if (!named.schemas.has(target) && (target === 'state' || target === 'ownerId')) return { member: target };
  return { attribute: target };
}

/** Returns the column name for an attribute: its own name, unless that means something else. */
export function columnOf(attribute: string, rules: Pick<CompiledRules, 'named'>): string {
  const target = targetOf(attribute, rules);
  return 'attribute' in target && target.attribute === attribute ? attribute : PREFIX + attribute;
}

export interface ImportPlan {
  columns: readonly ImportColumn[];
  problems: ProblemDetail[];
}

export function planImport(
  mappings: Readonly<Record<string, string>>,
  rules: CompiledRules,
  { updates }: { updates: boolean },
): ImportPlan {
  const problems: ProblemDetail[] = [];
  const taken = new Set<string>();
  const columns = Object.entries(mappings).map(([source, name]) => {
    const target = targetOf(name, rules);
    const path = pathTo('columnMappings', source);
    if ('attribute' in target && !rules.knows(target.attribute)) {
      problems.push({ path, message: `${JSON.stringify(name)} is neither name nor an attribute of the entity type` });
    }
    const key = 'attribute' in target ? PREFIX + target.attribute : target.member;
    if (taken.has(key)) problems.push({ path, message: `${JSON.stringify(name)} is already set by another column` });
    taken.add(key);
    return { source, target };
  });
  if (!updates && !taken.has('name')) {
    problems.push({ path: 'columnMappings', message: 'no column is mapped to name, which every entity requires' });
  }
  return { columns, problems };
}

export function columnsOfRow(row: object, rules: CompiledRules): ImportColumn[] {
  return Object.keys(row).map((source) => ({ source, target: targetOf(source, rules) }));
}
