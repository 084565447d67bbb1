import type { AppManifest } from '../../../../domain/app/manifest.ts';
import type { JsonObject } from '../../../../domain/json.ts';
import type { Node, NodeType } from '../../../../domain/workflow/definition.ts';
import { EDITOR } from '../words/editor.ts';
import type { NewNode } from './addedNode.ts';

const words = EDITOR;

export interface PaletteEntry {
  key: string;
  group: string;
  name: string;
  description: string;
  icon?: string;
  node: NewNode;
  wish: string;
}

type ControlType = Exclude<NodeType, 'action'>;

/** Preferred ids and initial inputs. */
const CONTROL: Record<ControlType, { wish: string; inputs: JsonObject }> = {
  condition: { wish: 'check', inputs: {} },
  switch: { wish: 'choose', inputs: { cases: [] } },
  forEach: { wish: 'each', inputs: {} },
  repeat: { wish: 'repeat', inputs: { times: 3 } },
  input: { wish: 'ask', inputs: { fields: [] } },
  delay: { wish: 'wait', inputs: { forMs: 60_000 } },
  runWorkflow: { wish: 'run', inputs: {} },
  respond: { wish: 'respond', inputs: {} },
  stop: { wish: 'stop', inputs: { outcome: 'completed' } },
};

export const wishOf = ({ type, actionId }: Pick<Node, 'type' | 'actionId'>): string | undefined =>
  type === 'action' ? actionId : CONTROL[type].wish;

function controlEntries(): PaletteEntry[] {
  return (Object.keys(CONTROL) as ControlType[]).map((type) => ({
    key: type,
    group: words.palette.control,
    name: words.types[type],
    description: words.typeHelp[type],
    node: { type, name: words.types[type], inputs: CONTROL[type].inputs },
    wish: CONTROL[type].wish,
  }));
}

export function paletteOf(apps: readonly AppManifest[]): PaletteEntry[] {
  const actions = apps.flatMap(({ appId, name: group, icon, actions: list }) =>
    list.map((action) => ({
      key: `${appId}.${action.actionId}`,
      group,
      name: action.name,
      description: action.description,
      icon: action.icon ?? icon,
      node: { type: 'action' as const, name: action.name, appId, actionId: action.actionId, inputs: {} },
      wish: action.actionId,
    })),
  );
  return [...controlEntries(), ...actions];
}

/** Finds entries that contain every word. Names that start with the text come first. */
export function found(entries: readonly PaletteEntry[], text: string): PaletteEntry[] {
  const asked = text.trim().toLowerCase();
  if (asked === '') return [...entries];
  const parts = asked.split(/\s+/);
  const hit = ({ key, group, name, description }: PaletteEntry) => {
    const all = `${name} ${group} ${key} ${description}`.toLowerCase();
    return parts.every((part) => all.includes(part));
  };
  const rank = ({ name }: PaletteEntry) =>
    name.toLowerCase().startsWith(asked) ? 0 : name.toLowerCase().includes(asked) ? 1 : 2;
  return entries.filter(hit).sort((a, b) => rank(a) - rank(b));
}

/** Returns a data URL. An image source runs no scripts. */
export function iconAddress(svg: string): string {
  return `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`;
}
