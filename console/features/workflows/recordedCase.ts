import { YAML_STYLE } from '../../../domain/bundle/folders.ts';
import { recordedCase } from '../../../domain/case/recordedCase.ts';
import { readRecord } from './queries/workflows.ts';

/** Returns the test file that repeats an execution, as YAML; `perdure test --record` writes the same. */
export async function caseText({ id, slug }: { id: string; slug: string }, executionId: string): Promise<string> {
  const { execution, ...record } = await readRecord(id, executionId);
  const { stringify } = await import('yaml');
  return stringify(recordedCase({ slug, execution, ...record }), { ...YAML_STYLE, aliasDuplicateObjects: false });
}
