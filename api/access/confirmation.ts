import { Problem } from '../../domain/problem.ts';
import { isProofFresh } from '../../prisma/store/session/sessions.ts';
import type { Services } from '../services.ts';
import type { Caller } from './caller.ts';

/** Throws CONFIRMATION_REQUIRED for a user without a recent proof of identity, since sessions can be stolen. */
export async function requireConfirmation(
  { database, config }: Pick<Services, 'database' | 'config'>,
  caller: Caller,
): Promise<void> {
  if (caller.kind === 'apiKey') return;
  const maxAgeMs = config.CONFIRMATION_MAX_AGE;
  if (await isProofFresh(database, caller.workspaceId, caller, maxAgeMs)) return;
  throw new Problem(
    'CONFIRMATION_REQUIRED',
    'Confirm your identity: POST /api/auth/confirm with your password or a code of your authenticator app, or log in by single sign-on',
    // RFC 9470
    {
      challenge: `Bearer realm="perdure", error="insufficient_user_authentication", max_age="${Math.floor(maxAgeMs / 1_000)}"`,
    },
  );
}
