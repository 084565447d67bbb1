import type { StreamedEvent } from '#client';

export interface Approval {
  approvalId: string;
  toolName: string;
  input: unknown;
}

/** The result of a turn. If the model is called again, the message restarts with earlier decisions. */
export class TurnRecord {
  text = '';
  error: string | undefined;
  readonly #tools = new Map<string, { toolName: string; input: unknown }>();
  readonly #waiting = new Map<string, Approval>();

  get approvals(): Approval[] {
    return [...this.#waiting.values()];
  }

  knows(toolCallId: unknown): boolean {
    return this.#tools.has(String(toolCallId));
  }

  take(chunk: StreamedEvent): void {
    const toolCallId = String(chunk.toolCallId);
    switch (chunk.type) {
      case 'start':
        this.text = '';
        this.error = undefined;
        this.#waiting.clear();
        break;
      case 'text-delta':
        this.text += String(chunk.delta);
        break;
      case 'error':
        this.error = String(chunk.errorText);
        break;
      case 'tool-input-available':
        this.#tools.set(toolCallId, { toolName: String(chunk.toolName), input: chunk.input });
        break;
      case 'tool-approval-request': {
        const tool = this.#tools.get(toolCallId) ?? { toolName: 'tool', input: undefined };
        this.#waiting.set(toolCallId, { approvalId: String(chunk.approvalId), ...tool });
        break;
      }
      case 'tool-output-available':
      case 'tool-output-error':
      case 'tool-output-denied':
        this.#waiting.delete(toolCallId);
    }
  }
}
