/** The paths above the pages of each kind of resource; the keys are the API's names. */
export const KIND_PLACES: Readonly<Record<string, string>> = {
  workflow: '/workflows',
  execution: '/executions',
  queue: '/queues',
  agent: '/agents',
  knowledge: '/knowledge',
};
