// test/run.mjs calls jest once for each room, with the room's files, time and workers.
if (
  !process.execArgv
    .concat(process.env.NODE_OPTIONS ?? '')
    .join(' ')
    .includes('--experimental-vm-modules')
) {
  throw new Error('Call jest by `npm test -- <path>` (or node test/run.mjs): it gives Node --experimental-vm-modules');
}

export default {
  testEnvironment: '<rootDir>/test/runner/environment.mjs',
  testMatch: ['**/*.test.ts', '**/recordHistories.ts', '**/takePictures.ts'],
  modulePathIgnorePatterns: ['<rootDir>/(dist|coverage|\\.perdure|\\.scratch)/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, sourceMaps: 'inline' }],
  },
  // Another version of the chat client than package.json's (test/nodes.mjs --ai). The stack keeps its own.
  moduleNameMapper: process.env.PERDURE_TEST_AI ? { '^ai$': process.env.PERDURE_TEST_AI } : {},
  // Modules that a worker has loaded for one file are not all freed with it: a worker that holds this much is
  // restarted.
  workerIdleMemoryLimit: '700MB',
  maxConcurrency: 10,
  prettierPath: null,
};
