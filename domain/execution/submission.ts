import type { Credential } from '../access/credential.ts';
import type { Permission, Role } from '../access/permission.ts';
import type { Submitters } from '../workflow/submitters.ts';

/** The person or key that answers, as it is recorded. */
export interface SubmittedBy extends Credential {
  name: string;
}

/** A member of the workspace who answers, by a login or a key. */
export interface Submitter {
  by: SubmittedBy;
  /** Id of the person: of a key, who made it; of one that the operator made, the key itself. */
  person: string;
  /** Of the person, while a member; null for a key of the operator's. */
  email: string | null;
  role: Role | null;
  permissions: ReadonlySet<Permission>;
}

/** By which a question takes answers. */
export interface AnswerRule {
  submitters: Submitters;
  /** Submissions that it takes, one of each person. */
  required: number;
  /** Not of the person who started the execution. */
  excludeStarter: boolean;
}

const NEEDED: Permission = 'executions:run';

/** Whether nobody may answer without saying who they are. */
export function needsCredential({ submitters, required, excludeStarter }: AnswerRule): boolean {
  return required > 1 || excludeStarter || (submitters !== 'anyone' && submitters !== 'link');
}

/** What questions check of a member. The list of open questions asks the database by the same terms. */
export interface AnswerTerms {
  person: string;
  /** By which a list of submitters may name them. */
  names: string[];
  /** Whether they may answer a question that lists none of them, and one that does. */
  unlisted: boolean;
  listed: boolean;
}

/** Being listed is a right of its own for a person; a key has no more than its permissions. */
function answerTermsOf({ by, person, email, role, permissions }: Submitter): AnswerTerms {
  return { person, names: [email, role].filter((one) => one !== null), ...answerRightsOf(by.type, permissions) };
}

export function answerRightsOf(
  type: Credential['type'],
  permissions: ReadonlySet<Permission>,
): Pick<AnswerTerms, 'unlisted' | 'listed'> {
  const unlisted = permissions.has(NEEDED);
  return { unlisted, listed: unlisted || type === 'user' };
}

/**
 * Why a member may not answer; undefined: they may. `starters`: the persons who started the execution, or what it began
 * with. In SQL this rule is mayAnswer (prisma/store/execution/pendingInputFilters.ts).
 */
export function refusalOf(rule: AnswerRule, submitter: Submitter, starters: readonly string[]): string | undefined {
  if (!needsCredential(rule)) return undefined;
  const { submitters, excludeStarter } = rule;
  const { person, names, unlisted, listed } = answerTermsOf(submitter);
  const isList = typeof submitters !== 'string';
  if (isList && !names.some((one) => submitters.includes(one))) {
    return 'You are not among those who may answer this question';
  }
  if (!(isList ? listed : unlisted)) return `The permission ${NEEDED} is missing`;
  if (excludeStarter && starters.includes(person)) {
    return 'You have started this execution: somebody else must answer this question';
  }
  return undefined;
}
