import type { Credential } from '../access/credential.ts';
import type { Permission, Role } from '../access/permission.ts';
import type { Submitters } from '../workflow/submitters.ts';

export interface SubmittedBy extends Credential {
  name: string;
}

/** A member of the workspace who answers, by a login or a key. */
export interface Submitter {
  by: SubmittedBy;
  /** Id of the person; for a key, its creator, or the key itself if the operator created it. */
  person: string;
  /** Email of the person while they are a member; null for the operator's key. */
  email: string | null;
  role: Role | null;
  permissions: ReadonlySet<Permission>;
}

export interface AnswerRule {
  submitters: Submitters;
  /** Number of submissions, one per person. */
  required: number;
  /** The person who started the execution may not answer. */
  excludeStarter: boolean;
}

const NEEDED: Permission = 'executions:run';

/** Whether an anonymous answer is impossible. */
export function needsCredential({ submitters, required, excludeStarter }: AnswerRule): boolean {
  return required > 1 || excludeStarter || (submitters !== 'anyone' && submitters !== 'link');
}

/** The properties of a member that questions check. The database query for open questions uses the same terms. */
export interface AnswerTerms {
  person: string;
  /** The email and role that a list of submitters may contain. */
  names: string[];
  /** `unlisted`: they may answer a question without a list; `listed`: they may answer one whose list names them. */
  unlisted: boolean;
  listed: boolean;
}

/** A listed person needs no permission; a listed key still does. */
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
 * Returns why a member may not answer; undefined if they may. `starters`: the persons who started the execution, or
 * those behind its trigger. In SQL this rule is mayAnswer (prisma/store/execution/pendingInputFilters.ts).
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
