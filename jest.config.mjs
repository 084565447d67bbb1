// test/run.mjs calls jest once for each room, with the room's files, time and workers.
if (
  !process.execArgv
    .concat(process.env.NODE_OPTIONS ?? '')
    .join(' ')
    .includes('--experimental-vm-modules')
) {
  throw new Error(
    'Run jest by `npm test -- <path>` (or node test/run.mjs): it passes --experimental-vm-modules to Node',
  );
}

export default {
  testEnvironment: '<rootDir>/test/runner/environment.mjs',
  testMatch: ['**/*.test.ts', '**/recordHistories.ts', '**/takePictures.ts', '**/serveShop.ts'],
  modulePathIgnorePatterns: ['<rootDir>/(dist|coverage|\\.perdure|\\.scratch)/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, sourceMaps: 'inline' }],
  },
  // A version of the chat client other than package.json's (test/nodes.mjs --ai). The stack keeps its own.
  moduleNameMapper: process.env.PERDURE_TEST_AI ? { '^ai$': process.env.PERDURE_TEST_AI } : {},
  // Not all modules that a worker loads for one file are freed afterwards, so a worker is restarted at this size.
  workerIdleMemoryLimit: '700MB',
  maxConcurrency: 10,
  prettierPath: null,
};
