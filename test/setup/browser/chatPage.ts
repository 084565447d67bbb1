import { useChat } from '@ai-sdk/react';
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses, type UIMessage } from 'ai';
import { Window } from 'happy-dom';
import { createElement, type ReactNode, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import type { AgentHome } from '../workspace/agentHome.ts';

export interface ChatPage {
  /** Returns each message as `role: text`, a call of a tool as `[name state]`. */
  messages(): string[];
  status(): string;
  error(): string;
  click(button: string): void;
  /** Resolves when `isIt` returns true, which is checked after each rendering. */
  until(isIt: (page: ChatPage) => boolean): Promise<void>;
  close(): void;
}

interface PageOptions {
  taskId: string;
  text?: string;
  /** The page requests the running turn when it is opened. */
  resume?: boolean;
  before?: UIMessage[];
}

function partText(part: UIMessage['parts'][number]): string {
  if (part.type === 'text') return part.text;
  return part.type.startsWith('tool-') && 'state' in part ? `[${part.type.slice(5)} ${part.state}]` : '';
}

interface ChatProps {
  options: PageOptions;
  transport: DefaultChatTransport<UIMessage>;
  onShown: () => void;
}

function Chat({ options, transport, onShown }: ChatProps): ReactNode {
  const { taskId, text = '', resume = false, before = [] } = options;
  const chat = useChat({
    ...{ id: taskId, transport, resume, messages: before },
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
  useEffect(onShown);
  const button = (name: string, onClick: () => unknown) =>
    createElement('button', { type: 'button', key: name, id: name, onClick }, name);
  const asked = chat.messages
    .flatMap(({ parts }) => parts)
    .flatMap((part) => ('approval' in part && part.state === 'approval-requested' ? [part.approval.id] : []));
  return [
    ...chat.messages.map(({ id, role, parts }) =>
      createElement('p', { key: id }, `${role}: ${parts.map(partText).join('')}`),
    ),
    createElement('output', { key: 'status' }, chat.status),
    createElement('em', { key: 'error' }, chat.error?.message),
    button('send', () => chat.sendMessage({ text })),
    button('stop', () => chat.stop()),
    ...asked.flatMap((id) => [
      button('approve', () => chat.addToolApprovalResponse({ id, approved: true })),
      button('refuse', () => chat.addToolApprovalResponse({ id, approved: false, reason: 'Not now.' })),
    ]),
  ];
}

/** Opens a React page with the unmodified `useChat` of `@ai-sdk/react` on a task of the home's agent. */
export function openChatPage(home: AgentHome, options: PageOptions): ChatPage {
  const api = `${home.url}/api/agents/${home.agentId}/tasks/${options.taskId}/stream-message`;
  const transport = new DefaultChatTransport({
    api,
    headers: { 'X-API-Key': home.apiKey },
    prepareReconnectToStreamRequest: () => ({ api }),
  });
  const waiting = new Set<() => void>();
  const onShown = () => {
    for (const look of waiting) look();
  };

  const window = new Window();
  // React reads the current event from it; only this file's sandbox has it.
  Object.assign(globalThis, { window });
  const { body } = window.document;
  const root = createRoot(body as never);
  const page: ChatPage = {
    messages: () => [...body.querySelectorAll('p')].map(({ textContent }) => textContent),
    status: () => body.querySelector('output')?.textContent ?? '',
    error: () => body.querySelector('em')?.textContent ?? '',
    click(name) {
      const found = body.querySelector(`#${name}`);
      if (!found) throw new Error(`The page has no button ${name}: ${body.innerHTML}`);
      (found as unknown as { click(): void }).click();
    },
    until: (isIt) =>
      new Promise((resolve) => {
        const look = () => {
          if (!isIt(page)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    close: () => root.unmount(),
  };
  root.render(createElement(Chat, { options, transport, onShown }));
  return page;
}
