import type { Credential } from '../../domain/access/credential.ts';
import type { CompiledDefinition } from '../../domain/workflow/compile.ts';
import { credentialOf } from '../access/caller.ts';
import { senderOf } from '../access/senderOf.ts';
import type { Services } from '../services.ts';

/**
 * Who calls a webhook, where it matters: a workflow may exclude whoever started it from its questions, and the id of an
 * execution that asks everybody who knows it is not for strangers. The credential never enters the execution.
 */
export class WebhookSender {
  #isHidden = false;
  #found: Promise<Credential | undefined> | undefined;
  #isKnown = false;

  /** The execution's id is a right that this sender must not get. */
  get isStranger(): boolean {
    return this.#isHidden && !this.#isKnown;
  }

  /** Looks once, however often it is asked. */
  async find(
    services: Services,
    headers: Record<string, string | undefined>,
    workspaceId: string,
    { asksAnyone, needsStarter }: CompiledDefinition,
  ): Promise<Credential | undefined> {
    this.#isHidden = asksAnyone;
    if (!needsStarter) return undefined;
    this.#found ??= senderOf(services, headers, workspaceId).then((caller) => caller && credentialOf(caller));
    const found = await this.#found;
    this.#isKnown = found !== undefined;
    return found;
  }
}
