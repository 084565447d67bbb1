import { ownMember } from '../domain/ownMember.ts';
import { Problem, type ProblemExtras } from '../domain/problem.ts';
import { somePart } from './databaseErrors.ts';

const GRANTED: readonly [string, ProblemExtras] = [
  'The agent already has a grant for this subject: revoke it first',
  { errors: [{ path: 'subject', message: 'already has a grant: expected another person or API key' }] },
];

function slugTaken(detail: string): readonly [string, ProblemExtras] {
  return [detail, { errors: [{ path: 'slug', message: 'is already used: expected another one' }] }];
}

const CONSTRAINTS: Readonly<Record<string, readonly [detail: string, extras?: ProblemExtras]>> = {
  variables_scope_name_key: [
    'The scope already has a variable of this name',
    { errors: [{ path: 'name', message: 'is already used: expected a name that is unique in the scope' }] },
  ],
  definition_names: ['Something that the definition names has just been deleted: read it again'],
  workflows_on_failure_workflow_id_fkey: ['The error workflow has just been deleted'],
  projects_on_failure_workflow_id_fkey: ['The error workflow has just been deleted'],
  projects_workspace_id_slug_key: slugTaken('The workspace already has a project of this slug'),
  workflows_project_id_slug_key: slugTaken('The project already has a workflow of this slug'),
  queues_project_id_slug_key: slugTaken('The project already has a queue of this slug'),
  knowledge_bases_workspace_id_slug_key: slugTaken('The workspace already has a knowledge base of this slug'),
  connections_workspace_id_slug_key: slugTaken('The workspace already has a connection of this slug'),
  share_grants_agent_id_user_id_key: GRANTED,
  share_grants_agent_id_api_key_id_key: GRANTED,
};

/** Returns CONFLICT if a caller can cause the violated constraint, undefined for any other failure. */
export function constraintProblem(error: unknown): Problem | undefined {
  let found: Problem | undefined;
  somePart(error, (part) => {
    const name = nameOf(part);
    const known = name === undefined ? undefined : ownMember(CONSTRAINTS, name);
    if (known) found = new Problem('CONFLICT', known[0], { ...known[1], cause: error });
    return known !== undefined;
  });
  return found;
}

/** The driver puts the name in a member; Prisma's adapter uses other members and the message. */
function nameOf({ code, constraint, originalCode, originalMessage }: Record<string, unknown>): string | undefined {
  if (typeof code === 'string' && code.startsWith('23') && typeof constraint === 'string') return constraint;
  if (typeof originalCode !== 'string' || !originalCode.startsWith('23')) return undefined;
  return /constraint "([^"]+)"/.exec(String(originalMessage))?.[1];
}
