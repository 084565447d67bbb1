import type { OpenApiOperation } from '../../../api/openapi.ts';

/** Returns the example body in openapi.yaml, so that only the id can be wrong. */
export function exampleBody(operation: OpenApiOperation | undefined): unknown {
  const body = operation?.requestBody as { content?: Record<string, { examples: Record<string, { value: unknown }> }> };
  return Object.values(Object.values(body?.content ?? {})[0]?.examples ?? {})[0]?.value;
}
