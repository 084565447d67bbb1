import { createHash } from 'node:crypto';
import { asName, MAX_NAME_LENGTH } from '../agent/toolNames.ts';
import type { ExposeAsTool } from './exposeAsTool.ts';

/** Tools that continue a call of another tool. */
export const GET_EXECUTION = 'get_execution';
export const ANSWER_QUESTION = 'answer_question';
export const OWN_TOOLS: readonly string[] = [GET_EXECUTION, ANSWER_QUESTION];

export interface Exposed {
  id: string;
  kind: 'workflow' | 'agent';
  slug: string;
  projectSlug: string;
  exposeAsTool: ExposeAsTool;
}

const HASH_LENGTH = 8;

/** The name without regard to other tools. Clients accept `[A-Za-z0-9_-]{1,64}`. */
export function wantedName({ projectSlug, slug, exposeAsTool }: Omit<Exposed, 'id' | 'kind'>): string {
  const { name = `${projectSlug}_${slug}` } = exposeAsTool;
  return name.length > MAX_NAME_LENGTH ? withHash(name, name) : asName(name);
}

/** The tools by name. Saves refuse clashes; after a renamed project or two concurrent saves the oldest keeps its name. */
export function exposedNames<E extends Exposed>(exposed: readonly E[]): Map<string, E> {
  const named = new Map<string, E>();
  const inOrder = [...exposed].sort((one, other) => (one.id < other.id ? -1 : 1));
  for (const each of inOrder) {
    const wanted = wantedName(each);
    const isFree = !named.has(wanted) && !OWN_TOOLS.includes(wanted);
    named.set(isFree ? wanted : withHash(wanted, each.id), each);
  }
  return named;
}

function withHash(text: string, hashed: string): string {
  const hash = createHash('sha256').update(hashed).digest('hex').slice(0, HASH_LENGTH);
  return `${asName(text).slice(0, MAX_NAME_LENGTH - HASH_LENGTH - 1)}_${hash}`;
}
