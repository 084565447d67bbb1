import { counted } from './counted.ts';

export const COMMON = {
  cancel: 'Leave as it is',
  back: 'Back',
  save: 'Save',
  add: 'Add',
  edit: 'Edit',
  delete: 'Delete',
  actions: 'Actions',
  actionsOf: (name: string) => `Actions for ${name}`,
  name: 'Name',
  optional: (label: string) => `${label} (optional)`,
  saved: 'Saved.',
  deleted: (name: string) => `${name} is deleted.`,
  created: 'Created',
  never: 'Never',
  isUsed: 'It was not deleted. Remove it from these first.',
  usedBy: 'Used by',
  usedByCount: (count: number) => counted(count, 'entity', 'entities'),
  usedByMore: (count: number) => `and ${count} more`,
  kinds: {
    workflow: 'Workflow',
    agent: 'Agent',
    queue: 'Queue',
    objectType: 'Entity type',
    object: 'Entities',
  } as Record<string, string>,

  roles: {
    owner: 'Owner',
    builder: 'Builder',
    operator: 'Operator',
    viewer: 'Viewer',
    consumer: 'Consumer',
  },

  typeNumber: (count: number) => `Type ${count} to confirm`,
  expired: 'over',
  notYet: 'Not yet.',
  loadValue: (size: string) => `Load (${size})`,
  openValue: (size: string) => `Open as a file (${size})`,
  inputJson: 'Input (JSON)',
  notAnObject: 'Enter a JSON object, such as {"name": "value"}.',

  rounds: {
    keepOpen: 'Keep this page open until it is done.',
    moreRefused: (count: number) => `and ${count.toLocaleString('en')} more`,
    saveRefused: 'Download the list',
    stop: 'Stop',
  },

  secret: {
    title: 'Store it now',
    means: 'It is shown only once. Nobody can read it later, not even you.',
    stored: 'I have stored it',
  },
};
