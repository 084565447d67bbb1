import { type RequestHandler, Router } from 'express';
import { type SwaggerUiOptions, serveFiles, setup } from 'swagger-ui-express';
import { PROBLEMS } from '../domain/problem.ts';
import type { OpenApiDocument } from './openapi.ts';
import { pagePolicy } from './pagePolicy.ts';

/** Swagger UI sets style attributes; everything comes from this server. */
const POLICY = pagePolicy({ styles: "'self' 'unsafe-inline'", fonts: "'self' data:" });

interface Explorer {
  React: { createElement(component: unknown, props: object): unknown };
}
interface TagProps {
  layoutSelectors: { currentFilter(): unknown };
}
interface Tagged {
  get(key: 'operations'): { filter(fits: (operation: Operation) => boolean): { size: number } };
  set(key: 'operations', operations: unknown): Tagged;
}
interface Operation {
  get(key: 'path' | 'method'): string;
  getIn(path: ['operation', 'summary' | 'operationId']): string | undefined;
}
interface Tags {
  map(change: (tagged: Tagged, tag: string) => Tagged): Tags;
  filter(fits: (tagged: Tagged) => boolean): Tags;
}

/** A swagger-ui plugin, sent as source text, so it uses no outside names. */
function findOperations() {
  const words = (phrase: string) => phrase.toLowerCase().split(/\s+/);
  return {
    fn: {
      opsFilter: (tags: Tags, phrase: string) =>
        tags
          .map((tagged, tag) =>
            tagged.set(
              'operations',
              tagged.get('operations').filter((operation) => {
                const said = [
                  ...[tag, operation.get('method'), operation.get('path')],
                  ...[operation.getIn(['operation', 'operationId']), operation.getIn(['operation', 'summary'])],
                ];
                const text = said.join(' ').toLowerCase();
                return words(phrase).every((word) => text.includes(word));
              }),
            ),
          )
          .filter((tagged) => (tagged.get('operations') as unknown as { size: number }).size > 0),
    },
    wrapComponents: {
      OperationTag:
        (Tag: unknown, { React }: Explorer) =>
        (props: TagProps) => {
          const phrase = props.layoutSelectors.currentFilter();
          const isFound = typeof phrase === 'string' && phrase !== '';
          const open = { layoutSelectors: { ...props.layoutSelectors, isShown: () => true } };
          return React.createElement(Tag, isFound ? { ...props, ...open } : props);
        },
    },
  };
}

/** `validatorUrl: null` keeps the document on this host, and the layout has no bar that could load another one. */
const OPTIONS: SwaggerUiOptions = {
  swaggerUrl: '/openapi.json',
  customSiteTitle: 'Perdure API',
  swaggerOptions: {
    layout: 'BaseLayout',
    validatorUrl: null,
    queryConfigEnabled: false,
    docExpansion: 'none',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    filter: true,
    plugins: [findOperations],
    persistAuthorization: false,
  },
};

export function docsRouter(document: OpenApiDocument): Router {
  const router = Router();
  // Generated at the first request, because it takes longer than the rest of the start.
  let yaml: string | undefined;
  const json = JSON.stringify(document);
  const problems = problemsPage();
  router.get('/openapi.yaml', async (request, response, next) => {
    const { stringify } = await import('yaml');
    yaml ??= stringify(document, { lineWidth: 120, aliasDuplicateObjects: false });
    text('application/yaml', yaml)(request, response, next);
  });
  router.get('/openapi.json', text('application/json', json));
  router.use('/docs', (_request, response, next) => {
    response.setHeader('content-security-policy', POLICY);
    next();
  });
  router.get('/docs/problems', text('text/html', problems));
  // The page's links are relative to /docs/, but the file server would serve /docs.
  router.use('/docs', ...serveFiles(undefined, OPTIONS));
  router.get('/docs/', setup(undefined, OPTIONS));
  return router;
}

function text(type: string, content: string): RequestHandler {
  return (_request, response) => {
    response.setHeader('content-type', `${type}; charset=utf-8`);
    response.end(content);
  };
}

function problemsPage(): string {
  const rows = Object.entries(PROBLEMS).map(
    ([code, { status, title }]) =>
      `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${title}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Problems of the Perdure API</title>
    <link rel="icon" href="/docs/favicon-32x32.png">
    <style>
      body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 48rem; padding: 0 1rem; }
      td, th { border-bottom: 1px solid #ddd; padding: 0.3rem 1.5rem 0.3rem 0.3rem; text-align: left; }
      tr:target { background: #fff3c4; }
    </style>
  </head>
  <body>
    <h1>Problems</h1>
    <p>Every failure is an RFC 9457 problem with one of these codes. <a href="/docs">All operations</a></p>
    <table>
      <thead><tr><th>Code</th><th>Status</th><th>Meaning</th></tr></thead>
      <tbody>${rows.join('\n')}</tbody>
    </table>
  </body>
</html>
`;
}
