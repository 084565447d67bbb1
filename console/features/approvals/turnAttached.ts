/** A turn was running: what was sent was not taken, and is not what that turn answers. */
export class TurnAttached extends Error {}

/** Throws it where the answer is the stream of such a turn, which is not read then. */
export async function requireTaken(answer: Response): Promise<void> {
  if (answer.headers.get('x-turn-attached') !== 'true') return;
  await answer.body?.cancel();
  throw new TurnAttached();
}
