import type { ObjectChecks } from '../../../domain/object/compiledRules.ts';
import type { Services } from '../../services.ts';

/** How entities of the caller's workspace are checked. */
export function objectChecks({ config, evaluation }: Services, { workspaceId }: { workspaceId: string }): ObjectChecks {
  return { maxBytes: config.OBJECT_MAX_BYTES, check: evaluation.attributesCheck(workspaceId) };
}
