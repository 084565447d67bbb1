export const FAILURE_GROUPS = {
  last: 'last',
  retryThese: 'Retry these',
  retryTheseOf: (name: string) => `Retry these: ${name}`,
  failedWith: (code: string) => `Executions that failed with ${code}.`,
  failedOf: (workflow: string) => `Executions of “${workflow}” that failed.`,
};
