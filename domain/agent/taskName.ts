import type { UIMessage } from 'ai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';

/** As a person may give it (openapi/tasks.yaml). */
export const LONGEST_NAME = 200;
/** Of each message, the model is shown so much: it is to name the conversation, not to answer it. */
const LONGEST_SHOWN = 4_000;

/** What asks a model for the name of a conversation: its beginning as one text, so that nothing in it is taken for an order. */
export function namingMessages(
  instructions: string,
  messages: readonly Pick<UIMessage, 'role' | 'parts'>[],
): ChatCompletionMessageParam[] {
  const conversation = messages.map(({ role, parts }) => ({ role, text: textOf(parts).slice(0, LONGEST_SHOWN) }));
  return [
    {
      role: 'system',
      content: `You give conversations their names. ${instructions}\nAnswer with the name alone, in one line of at most ${LONGEST_NAME} characters.`,
    },
    { role: 'user', content: `The conversation, as JSON:\n${JSON.stringify(conversation)}` },
  ];
}

/** The name in what a model has answered; undefined where there is none. */
export function nameIn(answer: string): string | undefined {
  const line = answer
    .split('\n')
    .map((each) => each.trim())
    .find((each) => each !== '');
  const bare = (line ?? '').replace(/^["'“„«]+|["'”“»]+$/g, '').trim();
  // Not in the middle of a character that is two.
  const name = bare
    .slice(0, LONGEST_NAME)
    .replace(/[\ud800-\udbff]$/, '')
    .trim();
  return name === '' ? undefined : name;
}

function textOf(parts: UIMessage['parts']): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
