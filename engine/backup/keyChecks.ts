import { createHmac } from 'node:crypto';
import { readEncryptionKeys } from '../secrets/encryptionKeys.ts';
import { BackupProblem } from './backupProblem.ts';

export interface KeyCheck {
  id: string;
  /** Identifies a key without revealing it: keys are 32 random bytes. */
  check: string;
}

/** Returns the keys of ENCRYPTION_KEY that are in use. Throws a BackupProblem if one is missing. */
export function keyChecks(encryptionKey: string | undefined, inUse: readonly string[]): KeyCheck[] {
  const checks = checksOf(encryptionKey, inUse.length > 0);
  const lacking = inUse.filter((id) => !checks.has(id));
  if (lacking.length > 0) {
    throw new BackupProblem(
      `ENCRYPTION_KEY lacks ${named(lacking)}, with which credentials are sealed: what is saved could never be opened`,
    );
  }
  return [...inUse].sort().map((id) => ({ id, check: checks.get(id) as string }));
}

/** Throws a BackupProblem if ENCRYPTION_KEY lacks one of these keys, or has a different key under its id. */
export function requireKeys(encryptionKey: string | undefined, wanted: readonly KeyCheck[]): void {
  const checks = checksOf(encryptionKey, wanted.length > 0);
  const lacking = wanted.filter(({ id }) => !checks.has(id)).map(({ id }) => id);
  if (lacking.length > 0) {
    throw new BackupProblem(`ENCRYPTION_KEY lacks ${named(lacking)}: credentials of the backup are sealed with it`);
  }
  const others = wanted.filter(({ id, check }) => checks.get(id) !== check).map(({ id }) => id);
  if (others.length > 0) {
    throw new BackupProblem(`ENCRYPTION_KEY has another key under ${named(others)} than the backup was sealed with`);
  }
}

function named(ids: readonly string[]): string {
  return `the key${ids.length > 1 ? 's' : ''} ${ids.map((id) => `"${id}"`).join(', ')}`;
}

function checksOf(encryptionKey: string | undefined, isNeeded: boolean): Map<string, string> {
  if (encryptionKey === undefined && !isNeeded) return new Map();
  if (encryptionKey === undefined) {
    throw new BackupProblem('Set ENCRYPTION_KEY as the processes of the deployment have it');
  }
  const keys = readEncryptionKeys(encryptionKey);
  return new Map(
    [...keys].map(([id, key]) => [id, createHmac('sha256', key).update('perdure backup').digest('hex').slice(0, 16)]),
  );
}
