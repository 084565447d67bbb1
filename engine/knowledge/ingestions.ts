import type { IngestionRef } from '../../domain/knowledge/ingestion.ts';
import { fairShare, INGEST_DOCUMENT, WORKSPACE_ATTRIBUTE } from '../../temporal-workflows/names.ts';
import type { WorkflowSpec } from '../temporal/gateway.ts';

export function ingestionWorkflowId(documentId: string): string {
  return `ingest-${documentId}`;
}

export function ingestionSpec(ref: IngestionRef): WorkflowSpec {
  return {
    type: INGEST_DOCUMENT,
    workflowId: ingestionWorkflowId(ref.documentId),
    // After an end in the engine, or for a repeated upload.
    mayRepeat: true,
    args: [ref],
    title: `Ingest document ${ref.documentId}`,
    attributes: [{ key: WORKSPACE_ATTRIBUTE, value: ref.workspaceId }],
    priority: fairShare(ref),
    isEager: true,
  };
}
