import { useQuery } from '@tanstack/react-query';
import type { components } from 'perdure-client';
import { useMemo } from 'react';
import { actionToolName } from '../../../domain/agent/toolNames.ts';
import { catalogue } from '../../app/api/choices.ts';
import { useMay } from '../../app/api/me.ts';

type Node = components['schemas']['Node'];

export interface CatalogueNames {
  /** `HTTP` for `http`; the ID itself if the catalogue lacks the app or the user may not read it. */
  appName: (appId: string) => string;
  /** `HTTP: Request` of `http.request`, an action or a trigger. */
  workName: (appId: string, id: string) => string;
  /** The name of a node: its own, that of its action, or its ID. */
  nodeName: (node: Node) => string;
  /** `HTTP: Request` for the tool name `http_request`; the name itself for tools that are not actions. */
  toolName: (tool: string) => string;
}

/** Returns names of apps, actions and nodes by ID. Until the catalogue is read, names are IDs. */
export function useCatalogueNames(): CatalogueNames {
  const may = useMay();
  const { data } = useQuery({ ...catalogue(), enabled: may('workflows:read') });
  return useMemo(() => {
    const apps = new Map<string, string>();
    const work = new Map<string, string>();
    const tools = new Map<string, string>();
    const actionNames = new Map<string, string>();
    for (const { appId, name, actions, triggers } of data ?? []) {
      apps.set(appId, name);
      for (const action of actions) {
        const said = `${name}: ${action.name}`;
        work.set(`${appId}.${action.actionId}`, said);
        actionNames.set(`${appId}.${action.actionId}`, action.name);
        tools.set(actionToolName({ appId, actionId: action.actionId }), said);
      }
      for (const trigger of triggers) work.set(`${appId}.${trigger.triggerId}`, `${name}: ${trigger.name}`);
    }
    return {
      appName: (appId) => apps.get(appId) ?? appId,
      workName: (appId, id) => work.get(`${appId}.${id}`) ?? `${appId}.${id}`,
      nodeName: (node) => {
        const action = node.type === 'action' ? actionNames.get(`${node.appId}.${node.actionId}`) : undefined;
        return node.name ?? action ?? node.id;
      },
      toolName: (tool) => tools.get(tool) ?? tool,
    };
  }, [data]);
}

/** Returns names of nodes by ID, for a choice. Names that several nodes share include the ID. */
export function apart(nodes: readonly Node[], nodeName: (node: Node) => string): Map<string, string> {
  const counts = new Map<string, number>();
  for (const node of nodes) counts.set(nodeName(node), (counts.get(nodeName(node)) ?? 0) + 1);
  return new Map(
    nodes.map((node) => {
      const name = nodeName(node);
      return [node.id, counts.get(name) === 1 ? name : `${name} (${node.id})`];
    }),
  );
}
