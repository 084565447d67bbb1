import type { BundleKind } from './bundle.ts';

/** Where each kind stands in the folder of a project, a file for each resource: `workflows/<slug>.yaml`. Variables share one file. */
export const FOLDERS = {
  workflow: 'workflows',
  agent: 'agents',
  queue: 'queues',
  objectType: 'objectTypes',
  knowledge: 'knowledge',
} as const satisfies Record<Exclude<BundleKind, 'variable'>, string>;

export const VARIABLES_FILE = 'variables.yaml';

/** How files of a project are written: the options of `stringify` of yaml. */
export const YAML_STYLE = { lineWidth: 120 } as const;
