import type { Credential } from '../../domain/access/credential.ts';
import type { CompiledDefinition } from '../../domain/workflow/compile.ts';
import { credentialOf } from '../access/caller.ts';
import { publicCaller } from '../access/publicCaller.ts';
import type { Services } from '../services.ts';

/**
 * A workflow may exclude its caller from its questions, and hide its id from strangers. Never part of the execution.
 */
export class WebhookSender {
  #isHidden = false;
  #found: Promise<Credential | undefined> | undefined;
  #isKnown = false;

  get isStranger(): boolean {
    return this.#isHidden && !this.#isKnown;
  }

  async find(
    services: Services,
    headers: Record<string, string | undefined>,
    workspaceId: string,
    { asksAnyone, needsStarter }: CompiledDefinition,
  ): Promise<Credential | undefined> {
    this.#isHidden = asksAnyone;
    if (!needsStarter) return undefined;
    this.#found ??= publicCaller(services, headers, workspaceId).then((caller) => caller && credentialOf(caller));
    const found = await this.#found;
    this.#isKnown = found !== undefined;
    return found;
  }
}
