import type { ProviderMetadata } from 'ai';
import { isJsonObject, type JsonObject } from '../json.ts';
import { SENT_AS, type SentAs } from './providerChunk.ts';

/** The key in a part's `providerMetadata`. Clients of the `ai` package pass it on without reading it. */
const KEY = 'perdure';

/** Additional data that a provider sent with a text or a call. It is returned to that provider only. */
export interface ProviderData {
  /** Identifies the provider (activities/providers/chosenProvider.ts). */
  provider: string;
  /** For reasoning: the member that contained it. */
  sentAs?: SentAs;
  members?: JsonObject;
  /** The provider's id of a call, if it is not valid here. */
  id?: string;
}

export function metadataOf(kept: ProviderData): { providerMetadata: ProviderMetadata } {
  return { providerMetadata: { [KEY]: kept as unknown as JsonObject } };
}

export function providerDataIn(metadata: unknown, provider: string): ProviderData | undefined {
  const kept = isJsonObject(metadata) ? metadata[KEY] : undefined;
  if (!isJsonObject(kept) || kept.provider !== provider) return undefined;
  const { sentAs, members, id } = kept;
  const isKnown = SENT_AS.some((each) => each === sentAs);
  return {
    provider,
    ...(isKnown ? { sentAs: sentAs as SentAs } : {}),
    ...(isJsonObject(members) ? { members } : {}),
    ...(typeof id === 'string' ? { id } : {}),
  };
}
