import type { RevealSecrets, StoredSecret } from '../../../domain/execution/keptSecret.ts';
import { maskSecrets } from '../../../domain/execution/maskSecrets.ts';
import type { LinkOf } from '../../../domain/execution/questionPlace.ts';
import type { Json } from '../../../domain/json.ts';
import { Prisma } from '../../generated/client.ts';
import { isoTime } from '../resource.ts';
import { SECRETS_SQL } from './secrets.ts';
import { iterationOf, loopTotals, type TotalRow, totalsJson } from './shownStep.ts';

/** The members of question `p`, for json_build_object; shownQuestion omits nulls. */
export const QUESTION_MEMBERS = Prisma.sql`'nodeId', p.node_id, 'stepId', p.id, 'label', p.label, 'title', p.title,
  'fields', p.fields, 'instructions', p.instructions, 'requestedAt', ${isoTime(Prisma.sql`p.requested_at`)},
  'expiresAt', ${isoTime(Prisma.sql`p.expires_at`)}, 'iteration', p.iteration,
  'submitters', p.submitters, 'excludeStarter', nullif(p.exclude_starter, false)`;

export const APPROVALS = Prisma.sql`json_build_object('required', p.required, 'given', jsonb_array_length(p.submissions))`;

export const PENDING_INPUT_SQL = Prisma.sql`(
  SELECT json_build_object('secrets', ${SECRETS_SQL}, 'totals', ${totalsJson(
    Prisma.sql`SELECT p.iteration FROM pending_inputs p WHERE p.execution_id = t.id AND p.status = 'OPEN'
      AND p.iteration <> ''`,
  )}, 'executionId', t.id, 'questions', coalesce(json_agg(json_build_object(
      ${QUESTION_MEMBERS}, 'approvals', CASE WHEN p.required > 1 THEN ${APPROVALS} END)
    ORDER BY p.requested_at, p.id), '[]'))
  FROM pending_inputs p WHERE p.execution_id = t.id AND p.status = 'OPEN')`;

type QuestionRow = Record<string, Json>;

interface OpenQuestions {
  executionId: string;
  questions: QuestionRow[];
  totals: TotalRow[];
  secrets: StoredSecret[];
}

export function pendingInput(rows: Json, open: RevealSecrets, linkOf: LinkOf): Json {
  const { executionId, questions, totals, secrets } = rows as unknown as OpenQuestions;
  const texts = open(secrets);
  return questions.map((row) => shownQuestion(row, { executionId, totals, texts, linkOf }));
}

interface Around {
  executionId: string;
  totals: readonly TotalRow[];
  /** Secrets of the execution's tree. */
  texts: readonly string[];
  linkOf: LinkOf;
}

export function shownQuestion(
  { iteration, ...row }: QuestionRow,
  { executionId, totals, texts, linkOf }: Around,
): Record<string, Json> {
  return {
    ...(maskSecrets(
      Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
      texts,
    ) as QuestionRow),
    iteration: iterationOf(String(iteration), loopTotals(totals)),
    link: linkOf({ executionId, nodeId: String(row.nodeId), iteration: String(iteration) }),
  };
}
