import { buildJavascript, type CodeSettings } from './code/javascript.ts';
import { filter } from './core/filter.ts';
import { group } from './core/group.ts';
import { mergeLists } from './core/mergeLists.ts';
import { sort } from './core/sort.ts';
import { summarise } from './core/summarise.ts';
import { assert, set, transform } from './core/values.ts';
import { base64 } from './crypto/base64.ts';
import { hash } from './crypto/hash.ts';
import { hmac } from './crypto/hmac.ts';
import { uuid } from './crypto/uuid.ts';
import type { Executor } from './executor.ts';
import type { GitHubSettings } from './github/askGitHub.ts';
import { buildGitHub } from './github/issues.ts';
import type { RequestSettings } from './http/exchange.ts';
import { buildRequest } from './http/request.ts';
import { inRequestSpan } from './http/requestSpan.ts';
import { buildMails } from './imap/mails.ts';
import { MissingAction } from './missingAction.ts';
import { buildMySql, type MySqlSettings } from './mysql/statementActions.ts';
import { buildCreate } from './objects/create.ts';
import { buildFind } from './objects/find.ts';
import type { ObjectsSettings } from './objects/objectActions.ts';
import { buildSetState } from './objects/setState.ts';
import { buildUpdate } from './objects/update.ts';
import type { OpenAiSettings } from './openai/callProvider.ts';
import { buildChat } from './openai/chat.ts';
import { buildEmbedding } from './openai/embedding.ts';
import { buildStructured } from './openai/structured.ts';
import { buildPostgres, type PostgresSettings } from './postgres/statementActions.ts';
import { buildQueue, type QueueSettings } from './queue/queueActions.ts';
import { buildS3, type S3Settings } from './s3/objects.ts';
import type { SlackSettings } from './slack/askSlack.ts';
import { buildSlack } from './slack/messages.ts';
import { buildSend, type SmtpSettings } from './smtp/send.ts';
import { fail, payload, succeed } from './testing/outcomes.ts';
import { wait } from './testing/wait.ts';
import { buildJoin } from './text/join.ts';
import { parseJson, writeJson } from './text/json.ts';
import { buildMatch } from './text/match.ts';
import { parseCsv } from './text/parseCsv.ts';
import type { TextSettings } from './text/performedText.ts';
import { buildReplace } from './text/replace.ts';
import { split } from './text/split.ts';
import { buildTemplate } from './text/template.ts';
import { writeCsv } from './text/writeCsv.ts';

export type ExecutorSettings = RequestSettings &
  CodeSettings &
  PostgresSettings &
  MySqlSettings &
  QueueSettings &
  ObjectsSettings &
  OpenAiSettings &
  GitHubSettings &
  SlackSettings &
  SmtpSettings &
  S3Settings &
  TextSettings;

export type ExecutorTable = Record<string, Record<string, Executor>>;

export function executorTable(settings: ExecutorSettings): ExecutorTable {
  return {
    core: { set, transform, filter, sort, group, summarise, mergeLists, assert },
    text: {
      template: buildTemplate(settings),
      split,
      join: buildJoin(settings),
      match: buildMatch(settings),
      replace: buildReplace(settings),
      parseCsv,
      writeCsv,
      parseJson,
      writeJson,
    },
    http: { request: inRequestSpan(buildRequest(settings)) },
    postgres: buildPostgres(settings),
    mysql: buildMySql(settings),
    queue: buildQueue(settings),
    openai: {
      chat: buildChat(settings),
      structured: buildStructured(settings),
      embedding: buildEmbedding(settings),
    },
    github: buildGitHub(settings),
    slack: buildSlack(settings),
    imap: buildMails(settings),
    s3: buildS3(settings),
    smtp: { send: buildSend(settings) },
    code: { javascript: buildJavascript(settings) },
    crypto: { hash, hmac, uuid, base64 },
    objects: {
      create: buildCreate(settings),
      update: buildUpdate(settings),
      find: buildFind(settings),
      setState: buildSetState(settings),
    },
    testing: { succeed, fail, wait, payload },
  };
}

/** Throws MissingAction for an action that this build lacks. Definitions are checked before they are stored. */
export function buildExecutors(settings: ExecutorSettings): (appId: string, actionId: string) => Executor {
  const table = new Map(
    Object.entries(executorTable(settings)).flatMap(([appId, actions]) =>
      Object.entries(actions).map(([actionId, executor]) => [`${appId}.${actionId}`, executor] as const),
    ),
  );
  return (appId, actionId) => {
    const executor = table.get(`${appId}.${actionId}`);
    if (executor === undefined) throw new MissingAction(appId, actionId);
    return executor;
  };
}
