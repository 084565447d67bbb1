import { readFileSync } from 'node:fs';
import type { components } from '../../api/contract.ts';
import { README } from '../setup/documents/readme.ts';

/** The definition of the README's first workflow. */
export function readmeWorkflow(): components['schemas']['WorkflowUpsert'] {
  const [, text] = /<<'JSON'[^\n]*\n(.*?)^JSON$/ms.exec(readFileSync(README, 'utf8')) ?? [];
  if (text === undefined) throw new Error('The README shows no workflow');
  return JSON.parse(text);
}
