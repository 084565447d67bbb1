import type { ProviderMetadata } from 'ai';
import { isJsonObject, type JsonObject } from '../json.ts';
import { SENT_AS, type SentAs } from './providerChunk.ts';

/** The key in the `providerMetadata` of parts, which clients of the `ai` package carry and do not read. */
const KEY = 'perdure';

/** What a provider sent beside the text of a part, or with a call: that provider gets it back, and no other. */
export interface KeptBeside {
  /** Names the provider (activities/providers/chosenProvider.ts). */
  provider: string;
  /** Thoughts: the member in which they came. */
  sentAs?: SentAs;
  /** Members of the message, or of the call. */
  members?: JsonObject;
  /** The provider's id of a call, where it was none that we could take. */
  id?: string;
}

/** The member of a chunk that holds it. */
export function metadataOf(kept: KeptBeside): { providerMetadata: ProviderMetadata } {
  return { providerMetadata: { [KEY]: kept as unknown as JsonObject } };
}

/** Undefined where nothing of this provider was kept. */
export function keptIn(metadata: unknown, provider: string): KeptBeside | undefined {
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
