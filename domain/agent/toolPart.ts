/** The tool of a part that is a call; undefined of any other part. */
export function toolNameOf(part: { type: string; toolName?: unknown }): string | undefined {
  if (part.type === 'dynamic-tool') return typeof part.toolName === 'string' ? part.toolName : undefined;
  return part.type.startsWith('tool-') && 'toolCallId' in part ? part.type.slice('tool-'.length) : undefined;
}
