import { isEmail, normalizeEmail } from '../access/emailAddress.ts';
import { ROLES } from '../access/permission.ts';
import { holdsExpression } from '../expression/template.ts';
import { kindOfJson } from '../fieldType.ts';
import type { Json } from '../json.ts';
import { pathTo } from '../place.ts';
import type { ProblemDetail } from '../problem.ts';
import type { Node } from './definition.ts';

/** `anyone` has the execution's id; `link` has the question's link. Otherwise a list of addresses and roles. */
export type Submitters = Group | string[];

const GROUPS = ['anyone', 'link', 'members'] as const;
type Group = (typeof GROUPS)[number];

export const MAXIMUM_SUBMITTERS = 100;

export const EXPECTED_SUBMITTERS = `${GROUPS.join(', ')}, or a list of e-mail addresses and roles`;

function isGroup(value: Json): value is Group {
  return (GROUPS as readonly Json[]).includes(value);
}

/** Checks only the form; submittersProblems checks the entries of a list. */
export function isSubmitters(value: Json): boolean {
  return Array.isArray(value) || isGroup(value);
}

/** Checks a list of submitters. In a definition its texts may contain expressions. */
export function submittersProblems(list: Json, path: string, expressions?: 'expressions'): ProblemDetail[] {
  if (!Array.isArray(list)) return [];
  if (list.length === 0) return [{ path, message: 'expected at least one e-mail address or role' }];
  if (list.length > MAXIMUM_SUBMITTERS) {
    return [{ path, message: `${list.length} e-mail addresses and roles, at most ${MAXIMUM_SUBMITTERS} are allowed` }];
  }
  return list.flatMap((one, index) => {
    if (typeof one === 'string' && (isNamed(one) || (expressions && holdsExpression(one)))) return [];
    const got = typeof one === 'string' ? JSON.stringify(one) : kindOfJson(one);
    return [
      { path: pathTo(path, index), message: `expected an e-mail address or a role (${ROLES.join(', ')}), got ${got}` },
    ];
  });
}

function isNamed(text: string): boolean {
  return (ROLES as readonly string[]).includes(text) || isEmail(normalizeEmail(text));
}

/** Reads the value of `submitters` when the question is asked; absent: anyone. */
export function readSubmitters(value: Json | undefined): { submitters?: Submitters; problems: ProblemDetail[] } {
  const path = 'submitters';
  if (value === undefined) return { submitters: 'anyone', problems: [] };
  if (isGroup(value)) return { submitters: value, problems: [] };
  if (!Array.isArray(value)) {
    return { problems: [{ path, message: `expected ${EXPECTED_SUBMITTERS}, got ${JSON.stringify(value)}` }] };
  }
  const problems = submittersProblems(value, path);
  return problems.length > 0 ? { problems } : { submitters: (value as string[]).map(normalizeEmail), problems };
}

/** Returns true if everyone with the execution's id may answer this node, or an expression may decide so. */
export function mayAskAnyone({ type, inputs }: Node): boolean {
  const { submitters = null } = inputs ?? {};
  if (type !== 'input') return false;
  return submitters === null || submitters === 'anyone' || (typeof submitters === 'string' && !isGroup(submitters));
}
