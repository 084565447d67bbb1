import { createDatabase } from '../../../prisma/client.ts';
import type { Stack } from '../stack/ownStack.ts';
import { type Home, homeOn } from './home.ts';
import { makeWorkspace } from './workspace.ts';

export async function neighbourOn(stack: Stack): Promise<Home> {
  const database = createDatabase(stack.databaseUrl, 1);
  try {
    const credentials = { ...(await makeWorkspace({ url: stack.url, database })), temporalUiUrl: null };
    return homeOn({ ...stack, url: stack.url, credentials });
  } finally {
    await database.close();
  }
}
