/** The dialog that leads to anything by its name or number. */
export const FINDER = {
  title: 'Jump to',
  field: 'Name, #number, label or id',
  help: 'Arrows choose, Enter opens, Esc closes.',
  none: 'No matches.',
  failed: 'Some results are missing because the API did not answer.',
  kinds: {
    page: 'Pages',
    execution: 'Executions',
    workflow: 'Workflows',
    queue: 'Queues',
    agent: 'Agents',
    knowledge: 'Knowledge bases',
    objectType: 'Entity types',
  },
  setting: (page: string) => `Settings: ${page}`,
  all: (phrase: string) => `All executions that match “${phrase}”`,
  byId: (id: string) => `The execution ${id}`,
  execution: (number: number, name: string) => `#${number} ${name}`,
};
