import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { components } from '../../api/contract.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';

/** Returns the definition that docs/webhooks.md stores. */
export function documentedWorkflow(): components['schemas']['WorkflowUpsert'] {
  const page = readFileSync(join(PROJECT_ROOT, 'docs/webhooks.md'), 'utf8');
  const [, text] = /<<'JSON'[^\n]*\n(.*?)^JSON$/ms.exec(page) ?? [];
  if (text === undefined) throw new Error('docs/webhooks.md shows no workflow');
  return JSON.parse(text);
}
