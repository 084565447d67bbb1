import { type Client, isGrpcServiceError } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../temporal-workflows/names.ts';

/** temporal.api.enums.v1.IndexedValueType */
const VALUE_TYPES = { KEYWORD: 2, KEYWORD_LIST: 7 };
const ALREADY_EXISTS = 6;

interface OperatorService {
  listSearchAttributes(request: { namespace: string }): Promise<{ customAttributes?: Record<string, unknown> | null }>;
  addSearchAttributes(request: { namespace: string; searchAttributes: Record<string, number> }): Promise<unknown>;
}

function operatorOf(client: Client): OperatorService {
  return (client.connection as unknown as { operatorService: OperatorService }).operatorService;
}

/** Adds missing search attributes to the namespace; safe to run from many workers. Throws if the server refuses. */
export async function ensureSearchAttributes(client: Client, namespace: string): Promise<void> {
  const missing = await missingSearchAttributes(client, namespace);
  if (missing.length > 0) await addSearchAttributes(client, namespace, missing);
}

/** Throws if the server does not list them. */
export async function missingSearchAttributes(
  client: Client,
  namespace: string,
): Promise<(typeof SEARCH_ATTRIBUTES)[number][]> {
  const { customAttributes } = await operatorOf(client).listSearchAttributes({ namespace });
  return SEARCH_ATTRIBUTES.filter(({ name }) => customAttributes?.[name] === undefined);
}

/** Adds all by default, for a server that does not list them. */
export async function addSearchAttributes(
  client: Client,
  namespace: string,
  missing: readonly (typeof SEARCH_ATTRIBUTES)[number][] = SEARCH_ATTRIBUTES,
): Promise<void> {
  try {
    const searchAttributes = Object.fromEntries(missing.map(({ name, type }) => [name, VALUE_TYPES[type]]));
    await operatorOf(client).addSearchAttributes({ namespace, searchAttributes });
  } catch (error) {
    if (!(isGrpcServiceError(error) && error.code === ALREADY_EXISTS)) throw error;
  }
}
