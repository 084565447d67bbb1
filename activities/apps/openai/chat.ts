import { contentText } from '../../../domain/agent/providerChunk.ts';
import { withInputs } from '../checkedInputs.ts';
import { type Executor, failed, succeeded } from '../executor.ts';
import { askChat, callProvider, type OpenAiSettings, providerUsage, unclearAnswer } from './callProvider.ts';
import { CONVERSATION, conversationOf, NOTHING_ASKED } from './conversation.ts';

export function buildChat(settings: OpenAiSettings): Executor {
  return withInputs(CONVERSATION, (inputs, call) => {
    const body = conversationOf(inputs);
    if (body === undefined) return failed('INVALID_INPUT', NOTHING_ASKED);
    return callProvider(
      settings,
      call,
      inputs.timeoutMs,
      (provider, options) => askChat(provider, body, options),
      (answer) => {
        const [choice] = answer.choices ?? [];
        if (choice === undefined) return unclearAnswer('an answer of the model');
        const { message, finish_reason: finishReason } = choice;
        const text = contentText(message.content) || (message.refusal ?? '');
        return succeeded({ text, finishReason, model: answer.model, usage: providerUsage(answer.usage) });
      },
    );
  });
}
