import { ApplicationFailure, heartbeat } from '@temporalio/activity';
import type { Argument, Charge } from './call.ts';

const PERDURE_URL = process.env.PERDURE_URL ?? 'http://127.0.0.1:3000';

/** The payment service of this example: one charge for each idempotency key. */
const charges = new Map<string, Charge>();

export async function price({ inputs }: Argument<{ items: { price: number; quantity: number }[] }>) {
  return { total: inputs.items.reduce((sum, item) => sum + item.price * item.quantity, 0) };
}

export async function charge({ inputs, call }: Argument<{ customer: string; amount: number }>): Promise<Charge> {
  if (inputs.amount <= 0) {
    // The type is the step's error code. Nobody tries again.
    throw ApplicationFailure.nonRetryable('The amount must be positive', 'AMOUNT_INVALID', inputs);
  }
  if (call.connection !== undefined) await credentials(call.connection);
  // Perdure takes an activity without a heartbeat in 30 s as lost.
  heartbeat();
  const key = call.idempotencyKey;
  const made = charges.get(key) ?? { chargeId: `ch_${key.slice(0, 8)}`, amount: inputs.amount };
  charges.set(key, made);
  return made;
}

/** Exchanges the token of an attempt for the credentials of the step's connection. It works once. */
async function credentials(token: string): Promise<Record<string, string>> {
  const answer = await fetch(`${PERDURE_URL}/api/apps/credentials`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  if (!answer.ok) throw new Error(`No credentials: ${answer.status}`);
  return ((await answer.json()) as { credentials: Record<string, string> }).credentials;
}
