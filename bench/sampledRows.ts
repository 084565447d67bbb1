import { AGENT_ROW_NAMES, AGENT_ROWS, type AgentRowName } from './agentRows.ts';
import { bareAgentSide, ourAgentSide } from './agentSamples.ts';
import { APP_ROW_NAMES, APP_ROWS, type AppRowName } from './appRows.ts';
import { otherAppSide, ourAppSide } from './appSamples.ts';
import { CHECK_ROW_NAMES, CHECK_ROWS, type CheckRowName } from './checkRows.ts';
import { bareCheckSide, ourCheckSide } from './checkSamples.ts';
import { ENGINE_ROW_NAMES, ENGINE_ROWS, type EngineRowName } from './engineRows.ts';
import { bareSampler, ourSampler } from './engineSamples.ts';
import type { RowFamily, SampledRow } from './goal.ts';
import { KNOWLEDGE_ROW_NAMES, KNOWLEDGE_ROWS, type KnowledgeRowName } from './knowledgeRows.ts';
import { bareKnowledgeSide, ourKnowledgeSide } from './knowledgeSamples.ts';
import type { SampledSide } from './sampler.ts';
import type { BenchStack } from './stack.ts';
import { WORK_ROW_NAMES, WORK_ROWS, type WorkRowName } from './workRows.ts';
import { bareWorkSide, ourWorkSide } from './workSamples.ts';

const ENGINE: RowFamily<EngineRowName> = {
  title: 'the engine at work',
  names: ENGINE_ROW_NAMES,
  rows: ENGINE_ROWS,
  ours: ourSampler,
  bare: bareSampler,
};
const WORK: RowFamily<WorkRowName> = {
  title: 'queues and entities',
  names: WORK_ROW_NAMES,
  rows: WORK_ROWS,
  ours: ourWorkSide,
  bare: bareWorkSide,
};
const AGENTS: RowFamily<AgentRowName> = {
  title: 'turns of agents',
  names: AGENT_ROW_NAMES,
  rows: AGENT_ROWS,
  ours: ourAgentSide,
  bare: bareAgentSide,
};

const KNOWLEDGE: RowFamily<KnowledgeRowName> = {
  title: 'knowledge',
  names: KNOWLEDGE_ROW_NAMES,
  rows: KNOWLEDGE_ROWS,
  ours: ourKnowledgeSide,
  bare: bareKnowledgeSide,
};

const CHECK: RowFamily<CheckRowName> = {
  title: 'the checker',
  names: CHECK_ROW_NAMES,
  rows: CHECK_ROWS,
  ours: ourCheckSide,
  bare: bareCheckSide,
};

const APPS: RowFamily<AppRowName> = {
  title: 'apps of a workspace',
  names: APP_ROW_NAMES,
  rows: APP_ROWS,
  ours: ourAppSide,
  bare: otherAppSide,
};

export type SampledRowName = AppRowName | CheckRowName | EngineRowName | WorkRowName | AgentRowName | KnowledgeRowName;

export const ROW_FAMILIES = [ENGINE, WORK, AGENTS, KNOWLEDGE, CHECK, APPS] as const;
export const SAMPLED_ROW_NAMES: readonly SampledRowName[] = ROW_FAMILIES.flatMap(({ names }) => names);
export const SAMPLED_ROWS: Record<SampledRowName, SampledRow> = {
  ...ENGINE.rows,
  ...WORK.rows,
  ...AGENTS.rows,
  ...KNOWLEDGE.rows,
  ...CHECK.rows,
  ...APPS.rows,
};

export function ourSampledSide(name: SampledRowName, stack: BenchStack, bareUrl: string): Promise<SampledSide> {
  return familyOf(name).ours(name, stack, bareUrl);
}

export async function bareSampledSide(
  name: SampledRowName,
  bareUrl: string,
  stack: BenchStack,
): Promise<SampledSide | undefined> {
  return familyOf(name).bare(name, bareUrl, stack);
}

function familyOf(name: SampledRowName): RowFamily<SampledRowName> {
  const family = ROW_FAMILIES.find(({ names }) => (names as readonly string[]).includes(name));
  // Each name belongs to one family.
  return family as unknown as RowFamily<SampledRowName>;
}
