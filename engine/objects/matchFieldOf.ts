import type { CompiledRules } from '../../domain/object/compiledRules.ts';
import { type ImportTarget, targetOf } from '../../domain/object/importColumns.ts';
import type { ProblemDetail } from '../../domain/problem.ts';
import type { MatchField } from '../../prisma/store/object/importBatch.ts';

export function matchFieldOf(
  name: string,
  rules: Pick<CompiledRules, 'named' | 'knows'>,
): { match: MatchField; problem?: undefined } | { match?: undefined; problem: ProblemDetail } {
  const match = matchOf(targetOf(name, rules));
  if (match !== undefined && (match === 'name' || rules.knows(match.attribute))) return { match };
  const message = `${JSON.stringify(name)} is neither name nor an attribute of the entity type`;
  return { problem: { path: 'matchField', message } };
}

function matchOf(target: ImportTarget): MatchField | undefined {
  if ('attribute' in target) return target;
  return target.member === 'name' ? 'name' : undefined;
}
