/** The reads that a changed entity makes stale. */
export const ENTITY_READS = [
  'listObjects',
  'getObject',
  'getObjectTransitions',
  'listObjectStateHistory',
  'listObjectTypes',
];
