import { UnsendableValue } from '../../../domain/openapi/parameterText.ts';
import { type ActionCall, type ActionResult, failed, stepOf } from '../executor.ts';
import { buildExchange, type RequestSettings } from '../http/exchange.ts';
import { type Outgoing, UnsendableInput } from '../http/outgoing.ts';
import type { CustomExecutor } from './customExecutor.ts';
import type { OpenApiDocuments } from './openApiDocuments.ts';
import { type AddressedOperation, operationOutgoing, withCredential } from './operationOutgoing.ts';

const READING = { responseType: 'auto', failOnStatus: true, followRedirects: true } as const;

/** Calls an operation of an OpenAPI document. The output has the shape of `http.request`. */
export function buildOpenApi(settings: RequestSettings, documents: OpenApiDocuments): CustomExecutor {
  const exchange = buildExchange(settings);
  return async ({ custom: { runs } }, { actionId }, call): Promise<ActionResult> => {
    if (runs.on !== 'openapi') throw new Error(`expected an app that runs on openapi, got ${runs.on}`);
    const { workspaceId } = stepOf(call.origin);
    const operation = await documents.operation(workspaceId, runs.document, actionId);
    if (!operation) return failed('OPERATION_MISSING', `The OpenAPI document of the app has no operation ${actionId}.`);
    const { server } = operation;
    if (!server) return failed('OPERATION_MISSING', `The OpenAPI document of the app has no server for ${actionId}.`);
    const first = requestOf({ ...operation, server }, call);
    if ('ok' in first) return first;
    return exchange(first, READING, call, (sent) =>
      call.connection === undefined ? undefined : withCredential(sent, operation, call.connection),
    );
  };
}

function requestOf(operation: AddressedOperation, call: ActionCall): Outgoing | ActionResult {
  try {
    return withCredential(operationOutgoing(operation, call), operation, call.connection);
  } catch (error) {
    if (error instanceof UnsendableValue || error instanceof UnsendableInput) {
      return failed('INVALID_INPUT', error.message);
    }
    // Thrown by encodeURIComponent.
    if (error instanceof URIError) return failed('INVALID_INPUT', 'A value has half of a surrogate pair.');
    throw error;
  }
}
