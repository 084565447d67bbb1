import type { SampledRow } from './goal.ts';

/** Turns of agents, with the model of bench/bare/providerRoutes.ts. Names of `--row`. */
export const AGENT_ROW_NAMES = ['firstToken', 'chunk', 'chunkToMany', 'toolTurn'] as const;
export type AgentRowName = (typeof AGENT_ROW_NAMES)[number];

/** The provider's response in a row: the number of pieces, and the pause before each. */
export const CHUNKS = 40;
export const CHUNK_EVERY_MS = 25;
export const MANY_FOLLOWERS = 100;
export const TOOL_CALLS = 2;
export const ANSWER = { say: 20, everyMs: 10 };

export const AGENT_ROWS: Record<AgentRowName, SampledRow> = {
  firstToken: {
    title: 'message posted → first token',
    unit: 'ms',
    beside: 'the same question posted to the provider',
    goals: [{ of: 'difference', atMost: 60 }],
    samples: 20,
  },
  chunk: {
    title: 'chunk at the provider → at the client, 1 follower',
    unit: 'ms',
    beside: 'nothing',
    goals: [{ of: 'ours', atMost: 80 }],
    samples: 3,
  },
  chunkToMany: {
    title: `chunk at the provider → at the client, ${MANY_FOLLOWERS} followers`,
    unit: 'ms',
    beside: 'nothing',
    goals: [{ of: 'ours', atMost: 80 }],
    samples: 1,
  },
  toolTurn: {
    title: `turn with ${TOOL_CALLS} tools side by side, answers of ${ANSWER.say * ANSWER.everyMs} ms`,
    unit: 'ms',
    beside: 'a workflow of activities that makes the same calls',
    goals: [{ of: 'ratio', atMost: 1.3 }],
    samples: 10,
  },
};
