import { escaped } from '../../ui/escaped.ts';
import type { SearchOf } from '../../ui/search.ts';

const STATES: Record<string, string> = {
  active: 'isActive:true,paused:false',
  paused: 'paused:true',
  inactive: 'isActive:false',
};

export function workflowFilterOf({ q, project, state, trigger }: SearchOf<'/frame/workflows'>): string {
  const phrase = q?.trim();
  const pairs = [
    phrase ? `name:${escaped(phrase)}` : undefined,
    project ? `projectId:${escaped(project)}` : undefined,
    STATES[state ?? ''],
    trigger ? `triggerType:${escaped(trigger)}` : undefined,
  ];
  return pairs.filter((pair) => pair !== undefined).join(',');
}
