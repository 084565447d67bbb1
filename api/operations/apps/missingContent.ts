import { contentDigest } from '../../../domain/app/customRuns.ts';
import type { RunsOn } from '../../../domain/app/runsOn.ts';
import { pathTo } from '../../../domain/place.ts';
import type { ProblemDetail } from '../../../domain/problem.ts';
import { keepContents } from '../../../prisma/store/app/contents.ts';
import type { Services } from '../../services.ts';

/** Reports a document or bundle that was not uploaded. Keeps an uploaded one from being deleted meanwhile. */
export async function missingContent(
  { database }: Pick<Services, 'database'>,
  workspaceId: string,
  runs: RunsOn,
): Promise<ProblemDetail[]> {
  const content = contentDigest(runs);
  if (!content) return [];
  const kept = await keepContents(database, workspaceId, [content.digest]);
  if (kept.has(content.digest)) return [];
  return [{ path: pathTo('runs', content.member), message: 'upload the content of this digest first' }];
}
