import type { BundleKind } from './bundle.ts';

/** Each resource has a file, e.g. `workflows/<slug>.yaml`; variables share one. */
export const FOLDERS = {
  workflow: 'workflows',
  agent: 'agents',
  queue: 'queues',
  objectType: 'objectTypes',
  knowledge: 'knowledge',
} as const satisfies Record<Exclude<BundleKind, 'variable'>, string>;

export const VARIABLES_FILE = 'variables.yaml';

export const YAML_STYLE = { lineWidth: 120 } as const;
