/** Thrown if another turn was running, so that the message was not accepted. */
export class TurnAttached extends Error {}

export async function requireTaken(answer: Response): Promise<void> {
  if (answer.headers.get('x-turn-attached') !== 'true') return;
  await answer.body?.cancel();
  throw new TurnAttached();
}
