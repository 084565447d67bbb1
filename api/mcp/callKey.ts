import type { McpSession } from '../access/token.ts';
import type { Services } from '../services.ts';

/**
 * Id of the execution or the turn of a call: clients repeat the id of a request only to send it again, e.g. after a lost
 * connection. Undefined for clients without a session, whose ids say nothing.
 */
export function callKey(
  { executionIds }: Pick<Services, 'executionIds'>,
  session: McpSession | undefined,
  id: string | number,
): string | undefined {
  return session && executionIds(session.id, JSON.stringify(id));
}
