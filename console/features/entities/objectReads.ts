/** What a change of an entity makes old. */
export const OBJECT_READS = [
  'listObjects',
  'getObject',
  'getObjectTransitions',
  'listObjectStateHistory',
  'listObjectTypes',
];
