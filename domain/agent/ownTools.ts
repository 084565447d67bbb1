/** What enabledBuiltInTools may name: they stand on nothing but the clock and arithmetic. */
export const BUILT_IN_TOOLS = ['current_time', 'calculate'] as const;
export type BuiltInTool = (typeof BUILT_IN_TOOLS)[number];

/** What enabledPlatformTools may name: they read the workspace and change nothing. */
export const PLATFORM_TOOLS = ['list_workflows', 'list_executions', 'read_execution', 'list_queues'] as const;
export type PlatformTool = (typeof PLATFORM_TOOLS)[number];

export function isBuiltIn(name: string): name is BuiltInTool {
  return BUILT_IN_TOOLS.some((each) => each === name);
}

export function isPlatform(name: string): name is PlatformTool {
  return PLATFORM_TOOLS.some((each) => each === name);
}
