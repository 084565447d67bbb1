import { AbstractChat, type ChatState, type ChatStatus, DefaultChatTransport, type UIMessage } from 'ai';
import type { AgentHome } from './agentHome.ts';

/** The React state of `useChat`, in plain fields. */
class PlainState implements ChatState<UIMessage> {
  messages: UIMessage[] = [];
  status: ChatStatus = 'ready';
  error: Error | undefined = undefined;
  pushMessage = (message: UIMessage) => void this.messages.push(structuredClone(message));
  popMessage = () => void this.messages.pop();
  replaceMessage = (index: number, message: UIMessage) => {
    this.messages[index] = structuredClone(message);
  };
  snapshot = <T>(thing: T): T => structuredClone(thing);
}

export class PlainChat extends AbstractChat<UIMessage> {}

/** Creates the `ai` package's browser chat client on a task of the home's agent. */
export function chatOn(
  home: AgentHome,
  apiKey: string,
  id: string,
  more: Partial<ConstructorParameters<typeof AbstractChat<UIMessage>>[0]> = {},
): PlainChat {
  const place = `${home.url}/api/agents/${home.agentId}/tasks/${id}`;
  const transport = new DefaultChatTransport({
    api: `${place}/stream-message`,
    headers: { 'X-API-Key': apiKey },
    prepareReconnectToStreamRequest: () => ({ api: `${place}/stream-message` }),
  });
  return new PlainChat({ id, transport, state: new PlainState(), ...more });
}

/** Returns a message without members that only the client has. */
export const shown = (message: UIMessage | undefined) => JSON.parse(JSON.stringify(message ?? null));
