import type { Usage } from '../agent/usage.ts';
import { modelCallSpan, toolCallSpan } from './spanIds.ts';
import { failedWith, known, type SpanRecord } from './spanRecord.ts';
import type { Trace } from './trace.ts';

/** Times are epoch milliseconds. */
export interface EndedTurn {
  id: string;
  workspaceId: string;
  trace: string | null;
  agentId: string;
  agentName: string;
  taskId: string;
  status: string;
  code: string | null;
  createdAt: number;
  endedAt: number;
  steps: { step: number; finishReason: string; usage: Usage; times?: readonly [number, number] }[];
  calls: { id: string; name: string; kind: string; status: string; createdAt: number; finishedAt: number | null }[];
}

/** `trace` contains the turn's own span. */
export function turnRecords(turn: EndedTurn, trace: Trace, parentSpanId: string | undefined): SpanRecord[] {
  const of = {
    'perdure.workspace.id': turn.workspaceId,
    'perdure.turn.id': turn.id,
    'gen_ai.agent.id': turn.agentId,
    'gen_ai.agent.name': turn.agentName,
  };
  return [
    {
      ...{ name: `turn ${turn.agentName}`, kind: 'internal', trace, startMs: turn.createdAt, endMs: turn.endedAt },
      ...(parentSpanId === undefined ? {} : { parentSpanId }),
      attributes: known({
        ...of,
        'perdure.turn.status': turn.status,
        'gen_ai.conversation.id': turn.taskId,
        'error.type': turn.code,
      }),
      ...(turn.status === 'FAILED' ? failedWith(turn.code ?? turn.status) : {}),
    },
    ...turn.steps.flatMap(({ step, finishReason, usage, times }): SpanRecord[] => {
      if (!times) return [];
      const attributes = known({
        ...of,
        'gen_ai.operation.name': 'chat',
        'gen_ai.response.finish_reason': finishReason,
        'gen_ai.usage.input_tokens': usage.inputTokens,
        'gen_ai.usage.output_tokens': usage.outputTokens,
      });
      return [
        {
          ...{ name: `model call ${step}`, kind: 'client', parentSpanId: trace.spanId, attributes },
          trace: { ...trace, spanId: modelCallSpan(turn.id, step) },
          ...{ startMs: times[0], endMs: Math.max(...times) },
        },
      ];
    }),
    ...turn.calls.map(
      ({ id, name, kind, status, createdAt, finishedAt }): SpanRecord => ({
        ...{ name: `tool ${name}`, kind: kind === 'mcp' ? 'client' : 'internal', parentSpanId: trace.spanId },
        trace: { ...trace, spanId: toolCallSpan(turn.id, id) },
        ...{ startMs: createdAt, endMs: Math.max(createdAt, finishedAt ?? turn.endedAt) },
        attributes: known({
          ...of,
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': name,
          'perdure.tool.kind': kind,
          'perdure.tool.status': status,
        }),
        ...(status === 'FAILED' ? failedWith('TOOL_FAILED') : {}),
      }),
    ),
  ];
}
