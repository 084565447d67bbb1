import type { ObjectChecks } from '../../../domain/object/compiledRules.ts';
import type { Services } from '../../services.ts';

export function objectChecks({ config, evaluation }: Services, { workspaceId }: { workspaceId: string }): ObjectChecks {
  return { maxBytes: config.OBJECT_MAX_BYTES, check: evaluation.attributesCheck(workspaceId) };
}
