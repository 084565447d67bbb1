/** Kinds of things that have a page of their own by their id, as the API names them, and what is above that page. */
export const KIND_PLACES: Readonly<Record<string, string>> = {
  workflow: '/workflows',
  execution: '/executions',
  queue: '/queues',
  agent: '/agents',
  knowledge: '/knowledge',
};
