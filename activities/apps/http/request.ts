import { z } from 'zod';
import { anyJson, jsonObject, withInputs } from '../checkedInputs.ts';
import { type Executor, failed } from '../executor.ts';
import { buildExchange, type RequestSettings } from './exchange.ts';
import { METHODS } from './manifest.ts';
import { composeRequest, credentialHeader, HostNotAllowed, type Outgoing, UnsendableInput } from './outgoing.ts';

export function buildRequest(settings: RequestSettings): Executor {
  const exchange = buildExchange(settings);
  return withInputs(
    {
      method: z.enum(METHODS).default('GET'),
      url: z.string(),
      query: jsonObject.optional(),
      headers: jsonObject.optional(),
      body: anyJson.optional(),
      timeoutMs: z.number().min(1).max(86_400_000).default(30_000),
      responseType: z.enum(['auto', 'json', 'text', 'base64']).default('auto'),
      failOnStatus: z.boolean().default(true),
      followRedirects: z.boolean().default(true),
      maxResponseBytes: z.int().min(0).optional(),
    },
    (inputs, call) => {
      call.signal.throwIfAborted();
      let request: Outgoing;
      try {
        request = composeRequest(inputs, call);
      } catch (error) {
        if (error instanceof UnsendableInput) return failed('INVALID_INPUT', error.message);
        if (error instanceof HostNotAllowed) return failed('CONNECTION_HOST_NOT_ALLOWED', error.message);
        throw error;
      }
      return exchange(request, inputs, call, (sent) => {
        const credential = credentialHeader(call.connection, sent.url);
        return credential && { ...sent, headers: { ...sent.headers, [credential.name]: credential.value } };
      });
    },
  );
}
