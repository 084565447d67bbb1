import type { AppManifest, Catalogue } from '../../domain/app/manifest.ts';
import { AGENTS } from './agent/manifest.ts';
import { CODE } from './code/manifest.ts';
import { CORE } from './core/manifest.ts';
import { CRYPTO } from './crypto/manifest.ts';
import { FILES } from './files/manifest.ts';
import { gitHub } from './github/manifest.ts';
import { HTTP } from './http/manifest.ts';
import { IMAP } from './imap/manifest.ts';
import { MYSQL } from './mysql/manifest.ts';
import { OBJECTS } from './objects/manifest.ts';
import { OPENAI } from './openai/manifest.ts';
import { POSTGRES } from './postgres/manifest.ts';
import { QUEUES } from './queue/manifest.ts';
import { RSS } from './rss/manifest.ts';
import { S3 } from './s3/manifest.ts';
import { slack } from './slack/manifest.ts';
import { SMTP } from './smtp/manifest.ts';
import { TESTING } from './testing/manifest.ts';
import { TEXT } from './text/manifest.ts';

const APPS: readonly AppManifest[] = [
  CORE,
  TEXT,
  HTTP,
  POSTGRES,
  MYSQL,
  OPENAI,
  AGENTS,
  QUEUES,
  OBJECTS,
  CRYPTO,
  CODE,
  RSS,
  FILES,
  SMTP,
  IMAP,
  S3,
];

export interface CatalogueOptions {
  testing: boolean;
  /** GITHUB_URL */
  gitHubUrl?: string | undefined;
  /** SLACK_URL */
  slackUrl?: string | undefined;
}

/** Contains only manifests, because the API imports this file and needs no executors. */
export function buildCatalogue(options: CatalogueOptions): Catalogue {
  const own = [...APPS, gitHub(options.gitHubUrl), slack(options.slackUrl)];
  const apps = options.testing ? [...own, TESTING] : own;
  return new Map(apps.map((app) => [app.appId, app]));
}
