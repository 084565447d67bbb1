import type { UIMessage } from 'ai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { storableText } from '../storableJson.ts';

/** The limit in openapi/tasks.yaml. */
export const MAX_NAME_LENGTH = 200;
/** Maximum length of a message's beginning, which is enough to name the conversation. */
const MAX_SHOWN_LENGTH = 4_000;

/** Quotes the conversation as one text, so that the model does not follow instructions in it. */
export function namingMessages(
  instructions: string,
  messages: readonly Pick<UIMessage, 'role' | 'parts'>[],
): ChatCompletionMessageParam[] {
  const conversation = messages.map(({ role, parts }) => ({ role, text: textOf(parts).slice(0, MAX_SHOWN_LENGTH) }));
  return [
    {
      role: 'system',
      content: `You name conversations. ${instructions}\nAnswer only with the name, in one line of at most ${MAX_NAME_LENGTH} characters.`,
    },
    { role: 'user', content: `The conversation, as JSON:\n${JSON.stringify(conversation)}` },
  ];
}

export function nameIn(answer: string): string | undefined {
  const line = answer
    .split('\n')
    .map((each) => each.trim())
    .find((each) => each !== '');
  const bare = (line ?? '').replace(/^["'“„«]+|["'”“»]+$/g, '').trim();
  // Do not split a surrogate pair.
  const name = bare
    .slice(0, MAX_NAME_LENGTH)
    .replace(/[\ud800-\udbff]$/, '')
    .trim();
  return name === '' ? undefined : storableText(name);
}

function textOf(parts: UIMessage['parts']): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
