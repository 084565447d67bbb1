import { MASK } from '../../../domain/execution/maskSecrets.ts';
import { isJsonObject, type JsonObject } from '../../../domain/json.ts';
import { TRIGGER_ID } from '../../../domain/workflow/definition.ts';
import { useStoredRows } from '../../app/lists/useStoredRows.ts';
import { SAMPLES } from '../editor/editing/keptSamples.ts';

/** Returns the sample of the trigger that the editor keeps in this browser, without masked secrets. */
export function useTriggerSample(workflowId: string): JsonObject | undefined {
  const value = useStoredRows(SAMPLES, workflowId)?.rows.find(({ id }) => id === TRIGGER_ID)?.value;
  if (!isJsonObject(value)) return undefined;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== MASK));
}
