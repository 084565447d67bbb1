import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { pathTo } from '../place.ts';
import type { ProblemDetail } from '../problem.ts';
import type { FoundOperation } from './operations.ts';

/** The base address of an operation: its own first server, that of its path, or that of the document. */
export function serverOf(
  document: JsonObject,
  { operation, place, item, itemPlace }: Pick<FoundOperation, 'operation' | 'place' | 'item' | 'itemPlace'>,
  report: (problem: ProblemDetail) => void,
): URL | undefined {
  const lists = [
    { list: operation.servers, at: pathTo(place, 'servers') },
    { list: item.servers, at: pathTo(itemPlace, 'servers') },
    { list: document.servers, at: 'servers' },
  ];
  const { list, at } = lists.find((one) => Array.isArray(one.list) && one.list.length > 0) ?? {
    list: [],
    at: 'servers',
  };
  const [server] = list as Json[];
  if (!isJsonObject(server) || typeof server.url !== 'string') {
    report({ path: at, message: 'expected a server with the http or https address of the service' });
    return undefined;
  }
  const path = pathTo(pathTo(at, 0), 'url');
  const text = withVariables(server.url, server.variables);
  const isOpen = /[{}]/.test(text);
  if (isOpen || !URL.canParse(text)) {
    const message = isOpen
      ? 'the address has a variable without a default: name the server'
      : 'the address is relative to that of the document: name the server';
    report({ path, message });
    return undefined;
  }
  const url = new URL(text);
  const problem = addressProblem(url);
  if (problem === undefined) return url;
  report({ path, message: problem });
  return undefined;
}

export function addressProblem(url: URL): string | undefined {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'expected an http or https address';
  if (url.username !== '' || url.password !== '') return 'credentials belong in a connection, not in the address';
  if (url.search !== '' || url.hash !== '') return 'expected an address without query and fragment';
  return undefined;
}

function withVariables(url: string, variables: Json | undefined): string {
  if (!isJsonObject(variables)) return url;
  return url.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return isJsonObject(variable) && typeof variable.default === 'string' ? variable.default : whole;
  });
}
