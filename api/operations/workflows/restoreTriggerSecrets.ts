import type { Json } from '../../../domain/json.ts';
import type { ProblemDetail } from '../../../domain/problem.ts';
import { holdsMask, unmaskTrigger } from '../../../domain/workflow/maskTrigger.ts';
import { readTriggerBySlug } from '../../../prisma/store/workflow/findWorkflow.ts';
import type { Services } from '../../services.ts';

/** Restores the stored secrets in a trigger that was sent back masked. */
export async function restoreTriggerSecrets<T>(
  trigger: T,
  { database }: Services,
  { workspaceId, projectId, slug }: { workspaceId: string; projectId: string; slug: string },
): Promise<{ trigger: T; problems: ProblemDetail[] }> {
  if (!holdsMask(trigger as Json | undefined)) return { trigger, problems: [] };
  const stored = await readTriggerBySlug(database, workspaceId, projectId, slug);
  const whole = unmaskTrigger(trigger as Json | undefined, stored);
  if (!holdsMask(whole)) return { trigger: whole as T, problems: [] };
  const message = 'is the mask of a secret, but no secret is stored: send the secret itself';
  return { trigger, problems: [{ path: 'trigger.config', message }] };
}
