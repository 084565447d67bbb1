import type { Json } from '../../../domain/json.ts';
import type { ProblemDetail } from '../../../domain/problem.ts';
import { holdsMask, unmaskTrigger } from '../../../domain/workflow/maskTrigger.ts';
import { readTriggersBySlug, type StoredTriggers } from '../../../prisma/store/workflow/findWorkflow.ts';
import type { Services } from '../../services.ts';

export interface SecretsPlace {
  workspaceId: string;
  projectId: string;
  slug: string;
  /** The stored trigger that a mask means first, if both have a secret. */
  first?: keyof StoredTriggers;
}

/** Restores the stored secrets in a trigger that was sent back masked. */
export async function restoreTriggerSecrets<T>(
  trigger: T,
  { database }: Services,
  { workspaceId, projectId, slug, first = 'published' }: SecretsPlace,
): Promise<{ trigger: T; problems: ProblemDetail[] }> {
  if (!holdsMask(trigger as Json | undefined)) return { trigger, problems: [] };
  const stored = await readTriggersBySlug(database, workspaceId, projectId, slug);
  const { [first]: own, [first === 'draft' ? 'published' : 'draft']: other } = stored ?? {
    published: null,
    draft: null,
  };
  const whole = unmaskTrigger(unmaskTrigger(trigger as Json | undefined, own), other);
  if (!holdsMask(whole)) return { trigger: whole as T, problems: [] };
  const message = 'is the mask of a secret, but no secret is stored: send the secret itself';
  return { trigger, problems: [{ path: 'trigger.config', message }] };
}
