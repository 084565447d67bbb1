import { Client } from '@temporalio/client';
import { api } from '../../setup/api/client.ts';
import { onTestFinished } from '../../setup/jest/onTestFinished.ts';
import { poll } from '../../setup/jest/poll.ts';
import { type EmbeddingFailure, startModelProvider } from '../../setup/providers/modelProvider.ts';
import { startStack } from '../../setup/stack/ownStack.ts';
import { connectionTo } from '../../setup/stack/temporal.ts';

/** One batch, on a stack whose embedding provider first answers with these failures. */
export async function ingestedWith(...failures: EmbeddingFailure[]): Promise<{ engineId: string; client: Client }> {
  const provider = await startModelProvider();
  const stack = await startStack({ environment: { OPENAI_API_KEY: 'sk-own', OPENAI_BASE_URL: provider.baseUrl } });
  onTestFinished(() => stack.dispose());
  const connection = await connectionTo(stack.temporalAddress);
  onTestFinished(() => connection.close());
  const own = api(stack.url, stack.credentials.apiKey);
  const made = await own('POST', '/api/knowledge', { body: { name: 'Rules', dimensions: 16 } });
  provider.failEmbeddings(...failures);
  const body = { text: 'Nobody may be late for tea.' };
  await own('POST', `/api/knowledge/${made.body.id}/saveUploadedText`, { body });
  const client = new Client({ connection });
  // The document may be deleted, but not its engine workflow.
  const ids = async () => {
    const found: string[] = [];
    for await (const { workflowId } of client.workflow.list({ query: "WorkflowType = 'ingestDocument'" })) {
      found.push(workflowId);
    }
    return found;
  };
  await poll(ids, { timeout: 20_000, interval: 200 }).toHaveLength(1);
  return { engineId: (await ids())[0] as string, client };
}
