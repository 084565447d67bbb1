import { isSecretMark, secretMark } from '../../../domain/execution/secretVariable.ts';
import type { Json } from '../../../domain/json.ts';
import { Problem } from '../../../domain/problem.ts';
import { HIDDEN_SECRET } from '../../../domain/workflow/maskTrigger.ts';
import type { CredentialVault, VariableOwner } from '../../../engine/secrets/credentialVault.ts';
import type { StoredValue } from '../../../prisma/store/variable/variables.ts';

export function sealedValue(vault: CredentialVault, owner: VariableOwner, value: Json, isSecret: boolean): StoredValue {
  if (!isSecret) return { value, isSecret, sealed: null, keyId: null };
  const { sealed, keyId } = vault.sealVariable(owner, value);
  return { value: secretMark(owner.variableId), isSecret, sealed: Buffer.from(sealed).toString('base64'), keyId };
}

/** Refuses the mask of a secret, and values that look like one; undefined for a valid value. */
export function valueProblem(value: Json | undefined, isSecret: boolean): string | undefined {
  if (isSecretMark(value)) return 'the key " secret" is reserved: choose another name for the member';
  if (isSecret && value === HIDDEN_SECRET) {
    return 'is the mask of a secret, but no secret is stored: send the secret itself';
  }
  return undefined;
}

export function requireValue(value: Json | undefined, isSecret: boolean): void {
  const message = valueProblem(value, isSecret);
  if (message === undefined) return;
  throw new Problem('VALIDATION_FAILED', `value: ${message}`, { errors: [{ path: 'value', message }] });
}
