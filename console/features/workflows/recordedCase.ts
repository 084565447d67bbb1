import { YAML_STYLE } from '../../../domain/bundle/folders.ts';
import { recordedCase } from '../../../domain/case/recordedCase.ts';
import { readRecord } from './queries/workflows.ts';

/** Returns an execution as a test file in YAML, equal to that of `perdure test --record`. */
export async function caseText({ id, slug }: { id: string; slug: string }, executionId: string): Promise<string> {
  const { execution, ...record } = await readRecord(id, executionId);
  const { stringify } = await import('yaml');
  return stringify(recordedCase({ slug, execution, ...record }), { ...YAML_STYLE, aliasDuplicateObjects: false });
}
