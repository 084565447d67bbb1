import { type Client, isGrpcServiceError } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../temporal-workflows/names.ts';

/** temporal.api.enums.v1.IndexedValueType */
const VALUE_TYPES = { KEYWORD: 2, KEYWORD_LIST: 7 };
const ALREADY_EXISTS = 6;

/** Adds missing search attributes to the namespace; safe to run from many workers. Throws if the server refuses. */
export async function ensureSearchAttributes(client: Client, namespace: string): Promise<void> {
  const { operatorService } = client.connection as unknown as {
    operatorService: {
      listSearchAttributes(request: {
        namespace: string;
      }): Promise<{ customAttributes?: Record<string, unknown> | null }>;
      addSearchAttributes(request: { namespace: string; searchAttributes: Record<string, number> }): Promise<unknown>;
    };
  };
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  const missing = SEARCH_ATTRIBUTES.filter(({ name }) => customAttributes?.[name] === undefined);
  if (missing.length === 0) return;
  try {
    const searchAttributes = Object.fromEntries(missing.map(({ name, type }) => [name, VALUE_TYPES[type]]));
    await operatorService.addSearchAttributes({ namespace, searchAttributes });
  } catch (error) {
    if (!(isGrpcServiceError(error) && error.code === ALREADY_EXISTS)) throw error;
  }
}
