import type { ActionManifest, AppManifest, Catalogue } from '../app/manifest.ts';
import type { Field } from '../field.ts';
import type { Definition } from './definition.ts';
import { validateDefinition } from './validate.ts';

const fields: Field[] = [
  { key: 'url', label: 'URL', type: 'text', required: true },
  { key: 'count', label: 'Count', type: 'number', required: false },
  { key: 'body', label: 'Body', type: 'json', required: false },
  { key: 'headers', label: 'Headers', type: 'json', required: false },
];
const action = (actionId: string, placement: 'inline' | 'remote'): ActionManifest => ({
  actionId,
  name: actionId.toUpperCase(),
  description: '',
  inputConfig: { fields, objects: ['headers'] },
  effect: 'read',
  repeatable: true,
  requiresConnection: false,
  permissions: [],
  placement,
  ...(placement === 'remote' ? { timeoutMs: 5_000 } : {}),
});
const app: AppManifest = {
  appId: 'app',
  name: 'App',
  description: '',
  icon: '<svg/>',
  categories: [],
  connectionTypes: [],
  actions: [action('get', 'remote'), action('set', 'inline')],
  triggers: [],
};
export const catalogue: Catalogue = new Map([['app', app]]);
export const context = { catalogue, limits: { maxBytes: 262_144, maxNodes: 1_000, maxExpressions: 131_072 } };

export const node = (id: string, more: object = {}) => ({
  id,
  type: 'action',
  appId: 'app',
  actionId: 'set',
  inputs: { url: 'u' },
  ...more,
});
export const condition = (id: string, more: object = {}) => ({
  id,
  type: 'condition',
  inputs: { condition: '{{ trigger.yes }}' },
  ...more,
});
export const edge = (source: string, target: string, sourceHandle?: string) => ({
  source,
  target,
  ...(sourceHandle ? { sourceHandle } : {}),
});

export function problemsOf(candidate: unknown): string[] {
  return validateDefinition(candidate, context).problems.map(({ path, message }) => `${path}: ${message}`);
}

export function definitionOf(candidate: unknown): Definition {
  const { definition, problems } = validateDefinition(candidate, context);
  if (definition === undefined) throw new Error(JSON.stringify(problems));
  return definition;
}
