import type { RulesCheck } from '../../../domain/object/ruleProblems.ts';
import type { Services } from '../../services.ts';

export function rulesCheck({ config, evaluation }: Services, { workspaceId }: { workspaceId: string }): RulesCheck {
  const { OBJECT_SCHEMA_MAX_BYTES, OBJECT_SCHEMA_MAX_DEPTH, OBJECT_SCHEMA_MAX_NODES } = config;
  const limits = { bytes: OBJECT_SCHEMA_MAX_BYTES, depth: OBJECT_SCHEMA_MAX_DEPTH, nodes: OBJECT_SCHEMA_MAX_NODES };
  return (rules) => evaluation.ruleProblems(workspaceId, rules, limits);
}
