import type { AppManifest } from './manifest.ts';
import type { CustomPart } from './runsOn.ts';

export type CustomApp = AppManifest & { custom: CustomPart };

export function isCustomApp(app: AppManifest | undefined): app is CustomApp {
  return app?.custom !== undefined;
}
