import { createHmac, timingSafeEqual } from 'node:crypto';
import type { QuestionPlace } from '../../domain/execution/questionPlace.ts';
import { deploymentSecrets } from '../secrets/deploymentSecrets.ts';

/**
 * A token is a keyed hash of the question's place, 32 bytes: nothing is stored, and it is known before the question.
 * The oldest key makes tokens and every key verifies them, so links stay valid while keys are rotated.
 */
export class QuestionLinks {
  readonly #secrets: readonly Buffer[];
  #baseUrl: string;

  /** `baseUrl`: the public address of the API. */
  constructor(keys: string | undefined, baseUrl: string) {
    this.#secrets = deploymentSecrets(keys, 'links of questions');
    this.#baseUrl = baseUrl;
  }

  /** Sets the address once the API listens. */
  isAt(baseUrl: string): void {
    this.#baseUrl = baseUrl;
  }

  linkOf(place: QuestionPlace): string {
    const { executionId, nodeId } = place;
    return `${this.#baseUrl}/api/webhooks/executions/${executionId}/nodes/${nodeId}/input?token=${this.tokenOf(place)}`;
  }

  tokenOf(place: QuestionPlace): string {
    const { iteration } = place;
    const token = macOf(this.#secrets.at(-1) as Buffer, place).toString('base64url');
    return iteration === '' ? token : `${token}.${Buffer.from(iteration).toString('base64url')}`;
  }

  isTokenOf(token: string, place: QuestionPlace): boolean {
    const [mac = '', ...iteration] = token.split('.');
    if (iteration.length > 1 || iterationOf(token) !== place.iteration) return false;
    const given = Buffer.from(mac, 'base64url');
    return this.#secrets.some((secret) => {
      const right = macOf(secret, place);
      return given.length === right.length && timingSafeEqual(given, right);
    });
  }
}

/** Returns the iteration to which a token may belong; undefined for an invalid token. */
export function iterationOf(token: string): string | undefined {
  const [, iteration = ''] = token.split('.');
  const text = Buffer.from(iteration, 'base64url').toString();
  return text.includes('\0') ? undefined : text;
}

function macOf(secret: Buffer, { executionId, nodeId, iteration }: QuestionPlace): Buffer {
  return createHmac('sha256', secret)
    .update(JSON.stringify([executionId.toLowerCase(), nodeId, iteration]))
    .digest();
}
