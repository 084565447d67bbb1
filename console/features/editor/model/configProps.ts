import type { Json, JsonObject } from '../../../../domain/json.ts';

export interface ConfigProps {
  config: JsonObject;
  set: (member: string, value: Json | undefined) => void;
  replace: (config: JsonObject) => void;
}
