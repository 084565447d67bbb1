interface ChatRequest {
  messages: ChatMessage[];
}

interface ChatMessage {
  role: string;
  content?: string | null;
  tool_calls?: { id: string; function: { name: string } }[];
  tool_call_id?: string;
}

export interface ScriptedAnswer {
  text?: string;
  calls: { name: string; input: object }[];
}

interface Order {
  number: string;
  item: string;
  delivered: string;
}

/** Answers of the example support-agent. Like a model's, they depend only on the conversation. */
export function scriptedAnswer({ messages }: ChatRequest): ScriptedAnswer {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const question = String(messages[asked]?.content ?? '');
  const results = resultsOf(messages, messages.slice(asked + 1));
  const number = /\d{4}/.exec(
    messages
      .filter(({ role }) => role === 'user')
      .map(textOf)
      .join('\n'),
  )?.[0];
  if (/\breplace/i.test(question)) return replacement(number, results.get('queue_add'), resultsOf(messages, messages));
  if (results.size === 0) {
    const search = { name: 'search_knowledge', input: { query: question.slice(0, 500), limit: 1 } };
    const order = { name: 'workflow_example-find-order', input: { number } };
    return { calls: number === undefined ? [search] : [search, order] };
  }
  return { text: answerFrom(results), calls: [] };
}

function replacement(number: string | undefined, added: string | undefined, all: Map<string, string>): ScriptedAnswer {
  if (number === undefined) return { text: 'Which order is it? Please tell me its number.', calls: [] };
  if (added === undefined) {
    const [order] = ordersOf(all);
    const data = { order: number, item: order?.item ?? 'unknown', reason: 'The customer wants a replacement.' };
    return { calls: [{ name: 'queue_add', input: { data, externalId: `replacement-${number}` } }] };
  }
  const isAdded = added.startsWith('{');
  return {
    text: isAdded ? `A replacement for order ${number} is on its way.` : `I may not send one: ${added}`,
    calls: [],
  };
}

function answerFrom(results: Map<string, string>): string {
  const [order] = ordersOf(results);
  const found = parsed<{ results?: { groupId: string; partNumber: number; text: string }[] }>(
    results.get('search_knowledge'),
  );
  const [part] = found?.results ?? [];
  const bought =
    order === undefined ? 'I do not find that order.' : `You bought ${order.item}, delivered on ${order.delivered}.`;
  return part === undefined ? bought : `${bought} ${part.text} [${part.groupId}, ${part.partNumber}]`;
}

function ordersOf(results: Map<string, string>): Order[] {
  return parsed<Order[]>(results.get('workflow_example-find-order')) ?? [];
}

function resultsOf(all: readonly ChatMessage[], among: readonly ChatMessage[]): Map<string, string> {
  const calls = all.flatMap(({ tool_calls = [] }) => tool_calls);
  const names = new Map(calls.map(({ id, function: { name } }) => [id, name]));
  return new Map(
    among.flatMap((message): [string, string][] => {
      const name = names.get(message.tool_call_id ?? '');
      return name === undefined ? [] : [[name, textOf(message)]];
    }),
  );
}

function textOf({ content }: ChatMessage): string {
  return content ?? '';
}

function parsed<Value>(text: string | undefined): Value | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Value);
  } catch {
    return undefined;
  }
}
