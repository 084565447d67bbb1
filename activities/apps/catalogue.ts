import type { AppManifest, Catalogue } from '../../domain/app/manifest.ts';
import { AGENTS } from './agent/manifest.ts';
import { CODE } from './code/manifest.ts';
import { CORE } from './core/manifest.ts';
import { CRYPTO } from './crypto/manifest.ts';
import { FILES } from './files/manifest.ts';
import { gitHub } from './github/manifest.ts';
import { HTTP } from './http/manifest.ts';
import { OBJECTS } from './objects/manifest.ts';
import { OPENAI } from './openai/manifest.ts';
import { POSTGRES } from './postgres/manifest.ts';
import { QUEUES } from './queue/manifest.ts';
import { RSS } from './rss/manifest.ts';
import { TESTING } from './testing/manifest.ts';
import { TEXT } from './text/manifest.ts';

const APPS: readonly AppManifest[] = [
  CORE,
  TEXT,
  HTTP,
  POSTGRES,
  OPENAI,
  AGENTS,
  QUEUES,
  OBJECTS,
  CRYPTO,
  CODE,
  RSS,
  FILES,
];

/** Contains only manifests, because the API imports this file and needs no executors. `gitHubUrl`: GITHUB_URL. */
export function buildCatalogue(options: { testing: boolean; gitHubUrl?: string | undefined }): Catalogue {
  const own = [...APPS, gitHub(options.gitHubUrl)];
  const apps = options.testing ? [...own, TESTING] : own;
  return new Map(apps.map((app) => [app.appId, app]));
}
