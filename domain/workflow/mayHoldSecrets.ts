import type { CompiledDefinition } from './compile.ts';

/** A secret may come from a variable, a form, a connection, a secret input of an action, or another workflow. */
export function mayHoldSecrets({ trigger, nodes, variables }: CompiledDefinition): boolean {
  if (variables === 'all' || variables.names.length > 0) return true;
  if (hasSecretField(trigger.type === 'manual' ? trigger.config.fields : [])) return true;
  return [...nodes.values()].some(({ node, action }) => {
    if (node.type === 'runWorkflow') return true;
    if (node.type === 'input') return hasSecretField(node.inputs?.fields);
    return (
      node.connectionId !== undefined ||
      (action !== undefined && (action.requiresConnection || hasSecretField(action.inputConfig.fields)))
    );
  });
}

/** An expression may return any fields. */
function hasSecretField(fields: unknown): boolean {
  if (fields === undefined) return false;
  if (!Array.isArray(fields)) return true;
  return fields.some((field) => field?.type === 'secret' || String(field?.type).includes('{{'));
}
