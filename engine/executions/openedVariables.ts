import { isSecretMark, textsOfSecret } from '../../domain/execution/secretVariable.ts';
import type { Scope } from '../../domain/expression/scope.ts';
import type { Json } from '../../domain/json.ts';
import { setKey } from '../../domain/ownMember.ts';
import type { RunContext } from '../../prisma/store/execution/runContext.ts';
import type { CredentialVault } from '../secrets/credentialVault.ts';
import { sealedOf } from '../secrets/sealer.ts';

/** Returns the variables; secret ones get their current value, like credentials. Deleted ones are absent. */
export function openedVariables(
  vault: CredentialVault,
  { variables, secretVariables }: Pick<RunContext, 'variables' | 'secretVariables'>,
): Pick<Scope, 'variables' | 'secrets'> {
  if (!secretVariables) return { variables };
  const opened: Record<string, Json> = {};
  const secrets: string[] = [];
  for (const [name, value] of Object.entries(variables)) if (!isSecretMark(value)) setKey(opened, name, value);
  for (const [name, stored] of Object.entries(secretVariables)) {
    if ('value' in stored) {
      setKey(opened, name, stored.value);
      continue;
    }
    const { workspaceId, variableId } = stored;
    const value = vault.openVariable({ workspaceId, variableId }, sealedOf(stored));
    setKey(opened, name, value);
    secrets.push(...textsOfSecret(value));
  }
  return { variables: opened, secrets };
}
