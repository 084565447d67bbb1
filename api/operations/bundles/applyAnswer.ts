import type { PlanEntry } from '../../../domain/bundle/bundle.ts';
import type { Json } from '../../../domain/json.ts';
import { openAppSecret } from '../../../engine/apps/appSecrets.ts';
import type { Caller } from '../../access/caller.ts';
import type { Services } from '../../services.ts';

export interface Answer {
  plan: PlanEntry[];
  planHash: string;
  applied: boolean;
}

/** The answer as the project keeps it, with the slugs of the apps in place of their secrets. */
interface StoredAnswer extends Answer {
  madeSecretsOf?: string[];
}

export function storedAnswer(answer: Answer, madeSecrets: ReadonlyMap<string, string>): Json {
  const stored: StoredAnswer = madeSecrets.size === 0 ? answer : { ...answer, madeSecretsOf: [...madeSecrets.keys()] };
  return stored as unknown as Json;
}

export function withSecrets(answer: Answer, madeSecrets: ReadonlyMap<string, string>): Answer {
  if (madeSecrets.size === 0) return answer;
  const plan = answer.plan.map((entry) => {
    const secret = entry.kind === 'app' ? madeSecrets.get(entry.slug) : undefined;
    return secret === undefined ? entry : { ...entry, secret };
  });
  return { ...answer, plan };
}

/** Returns the answer of the request's first try, which was lost. */
export async function repeatedAnswer(
  services: Pick<Services, 'database' | 'sealer'>,
  { workspaceId, permissions }: Caller,
  stored: Json,
): Promise<Answer> {
  const { madeSecretsOf = [], ...answer } = stored as unknown as StoredAnswer;
  const secrets = new Map<string, string>();
  for (const slug of permissions.has('apps:write') ? madeSecretsOf : []) {
    const secret = await openAppSecret(services, { workspaceId, slug });
    if (secret !== undefined) secrets.set(slug, secret);
  }
  return withSecrets(answer, secrets);
}
