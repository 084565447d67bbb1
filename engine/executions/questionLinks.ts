import { createHmac, timingSafeEqual } from 'node:crypto';
import type { QuestionPlace } from '../../domain/execution/questionPlace.ts';
import { deploymentSecrets } from '../secrets/deploymentSecrets.ts';

/**
 * The links of questions. The token of a link is a keyed hash of the question's place, 32 bytes: nothing of it is stored,
 * every process has the same, and it is known before the question is asked. It is made of the oldest key, and one of any
 * key is good, so that links stay good while keys are rotated.
 */
export class QuestionLinks {
  readonly #secrets: readonly Buffer[];
  #baseUrl: string;

  /** `baseUrl`: by which people reach the API. */
  constructor(keys: string | undefined, baseUrl: string) {
    this.#secrets = deploymentSecrets(keys, 'links of questions');
    this.#baseUrl = baseUrl;
  }

  /** Where the API listens is known only now. */
  isAt(baseUrl: string): void {
    this.#baseUrl = baseUrl;
  }

  /** The address to which the answer is sent. */
  linkOf(place: QuestionPlace): string {
    const { executionId, nodeId } = place;
    return `${this.#baseUrl}/api/webhooks/executions/${executionId}/nodes/${nodeId}/input?token=${this.tokenOf(place)}`;
  }

  /** Inside a loop it also says which iteration asks. */
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

/** Of the question to which a token may belong; undefined: of none. */
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
