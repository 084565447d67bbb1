import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivate } from './privateFile.ts';

export interface Secrets {
  TOKEN_SECRET: string;
  ENCRYPTION_KEY: string;
}

/** Reads `<dataDir>/secrets.json`, which the first start creates. The environment takes precedence. */
export async function provideSecrets(dataDir: string, environment: NodeJS.ProcessEnv): Promise<Secrets> {
  const path = join(dataDir, 'secrets.json');
  if (!existsSync(path)) {
    await writePrivate(path, {
      TOKEN_SECRET: randomBytes(48).toString('base64url'),
      ENCRYPTION_KEY: `first:${randomBytes(32).toString('base64')}`,
    } satisfies Secrets);
  }
  const kept = JSON.parse(await readFile(path, 'utf8')) as Secrets;
  return {
    TOKEN_SECRET: environment.TOKEN_SECRET || kept.TOKEN_SECRET,
    ENCRYPTION_KEY: environment.ENCRYPTION_KEY || kept.ENCRYPTION_KEY,
  };
}
