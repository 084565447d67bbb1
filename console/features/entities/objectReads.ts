/** The reads that a changed entity makes stale. */
export const OBJECT_READS = [
  'listObjects',
  'getObject',
  'getObjectTransitions',
  'listObjectStateHistory',
  'listObjectTypes',
];
