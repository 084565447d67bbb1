import type { BundleKind } from '../../../domain/bundle/bundle.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { readOpenApi } from '../../openapi.ts';
import { fileSchema } from './fileSchema.ts';
import { offlineServices } from './offlineServices.ts';

export function offlineSchema(kind: BundleKind): JsonObject {
  return fileSchema(kind, readOpenApi(), offlineServices().catalogue);
}
