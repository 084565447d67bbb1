import type { Database } from '../../client.ts';

/** It was sent, or never will be. Of the sender, who has claimed it: no workspace. */
export async function deleteMail(database: Database, id: string): Promise<void> {
  await database.outgoingMail.deleteMany({ where: { id } });
}
