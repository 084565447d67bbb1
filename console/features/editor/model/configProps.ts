import type { Json, JsonObject } from '../../../../domain/json.ts';

/** What the forms of triggers get: the config, and how to change a member of it. */
export interface ConfigProps {
  config: JsonObject;
  set: (member: string, value: Json | undefined) => void;
  /** Another one in its place. */
  replace: (config: JsonObject) => void;
}
