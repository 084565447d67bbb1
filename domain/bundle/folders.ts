import type { BundleKind } from './bundle.ts';

export const FOLDERS = {
  workflow: 'workflows',
  agent: 'agents',
  app: 'apps',
  queue: 'queues',
  objectType: 'objectTypes',
  knowledge: 'knowledge',
} as const satisfies Record<Exclude<BundleKind, 'variable'>, string>;

export const VARIABLES_FILE = 'variables.yaml';

/** Settings of the folder, which no server knows. */
export const SETTINGS_FILE = 'perdure.yaml';

export const YAML_STYLE = { lineWidth: 120 } as const;
